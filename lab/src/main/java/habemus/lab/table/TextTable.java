package habemus.lab.table;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** A table for a terminal or a Markdown page. Columns are as wide as their widest cell. */
public final class TextTable {

    private static final String GAP = "  ";
    private static final List<String> EMPTY_MARKS = List.of("-", "–"); // cells without a number
    private static final int LEAST_WRAPPED_WIDTH = 16;
    private static final int NUMBERS_PER_WORD = 4; // a column is numeric with so many numbers per word

    private final List<String> heading;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... heading) {
        this(List.of(heading));
    }

    public TextTable(List<String> heading) {
        this.heading = List.copyOf(heading);
    }

    public TextTable row(Object... cells) {
        return row(List.of(cells));
    }

    /** @throws IllegalArgumentException if the row has not as many cells as the heading */
    public TextTable row(List<?> cells) {
        if (cells.size() != heading.size()) {
            throw new IllegalArgumentException("row must have " + heading.size() + " cells, was " + cells);
        }
        rows.add(cells.stream().map(String::valueOf).toList());
        return this;
    }

    /** The table as text, a line for each row. Numbers are aligned to the right. */
    public String text() {
        return text(Integer.MAX_VALUE);
    }

    /**
     * The table in so many columns of a terminal. If it is wider, the widest texts are wrapped. If that does not help,
     * the columns of the table are printed in groups, each with the first one.
     */
    public String text(int columns) {
        var widths = IntStream.range(0, heading.size()).map(this::width).toArray();
        var numeric = numericColumns();
        shrink(widths, numeric, columns);
        var text = new StringBuilder();
        for (List<Integer> group : groups(widths, columns)) {
            text.append(text.isEmpty() ? "" : "\n");
            append(text, heading, group, widths, numeric);
            rows.forEach(row -> append(text, row, group, widths, numeric));
        }
        return text.toString();
    }

    private static void shrink(int[] widths, BitSet numeric, int columns) {
        int total = IntStream.of(widths).sum() + GAP.length() * (widths.length - 1);
        while (total > columns) {
            int widest = IntStream.range(0, widths.length)
                    .filter(column -> !numeric.get(column))
                    .reduce((a, b) -> widths[b] > widths[a] ? b : a)
                    .orElse(0);
            if (widths[widest] <= LEAST_WRAPPED_WIDTH) {
                return;
            }
            widths[widest]--; // one by one: then another column may be the widest
            total--;
        }
    }

    private static List<List<Integer>> groups(int[] widths, int columns) {
        var groups = new ArrayList<List<Integer>>();
        var group = new ArrayList<Integer>();
        int used = 0;
        for (int column = 0; column < widths.length; column++) {
            if (group.size() > 1 && used + GAP.length() + widths[column] > columns) {
                groups.add(List.copyOf(group));
                group = new ArrayList<>(List.of(0));
                used = widths[0];
            }
            used += (group.isEmpty() ? 0 : GAP.length()) + widths[column];
            group.add(column);
        }
        groups.add(List.copyOf(group));
        return groups;
    }

    /** A number with one decimal at most. */
    public static String formatNumber(double value) {
        var rounded =
                BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }

    private static void append(
            StringBuilder text, List<String> row, List<Integer> group, int[] widths, BitSet numeric) {
        var cells = group.stream()
                .map(column -> DisplayWidth.wrap(row.get(column), widths[column]))
                .toList();
        int lines = cells.stream().mapToInt(List::size).max().orElse(1);
        for (int i = 0; i < lines; i++) {
            var line = new StringBuilder();
            for (int at = 0; at < group.size(); at++) {
                int column = group.get(at);
                var cell = i < cells.get(at).size() ? cells.get(at).get(i) : "";
                var room = " ".repeat(Math.max(0, widths[column] - DisplayWidth.of(cell)));
                line.append(at == 0 ? "" : GAP).append(numeric.get(column) ? room + cell : cell + room);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private int width(int column) {
        return cells(column).stream().mapToInt(DisplayWidth::of).max().orElse(0);
    }

    private List<String> cells(int column) {
        var cells = new ArrayList<String>();
        cells.add(heading.get(column));
        rows.forEach(row -> cells.add(row.get(column)));
        return cells;
    }

    /** Tests every cell once. */
    private BitSet numericColumns() {
        var numeric = new BitSet();
        IntStream.range(0, heading.size()).filter(this::isNumeric).forEach(numeric::set);
        return numeric;
    }

    /** Whether the column is numeric. A few texts among many numbers are allowed. */
    private boolean isNumeric(int column) {
        var below = rows.stream()
                .map(row -> row.get(column))
                .filter(cell -> !cell.isEmpty() && !EMPTY_MARKS.contains(cell))
                .toList();
        long texts = below.stream().filter(cell -> !isNumber(cell)).count();
        return !below.isEmpty() && texts * NUMBERS_PER_WORD <= below.size() - texts
                || below.isEmpty() && rows.stream().anyMatch(row -> EMPTY_MARKS.contains(row.get(column)));
    }

    private static boolean isNumber(String cell) {
        return cell.matches("[-+<>≤≥≈]?\\s?[\\d.,]+(?:[eE][-+]?\\d+)?(?:\\s?[%±×].*)?|∞");
    }

    /** The table as Markdown. */
    public String markdown() {
        var text = new StringBuilder();
        appendMarkdown(text, heading);
        appendMarkdown(
                text,
                IntStream.range(0, heading.size())
                        .mapToObj(column -> isNumeric(column) ? "---:" : "---")
                        .toList());
        rows.forEach(row -> appendMarkdown(text, row));
        return text.toString();
    }

    private static void appendMarkdown(StringBuilder text, List<String> row) {
        text.append('|');
        row.forEach(cell -> text.append(' ').append(cell.replace("|", "\\|")).append(" |"));
        text.append('\n');
    }
}
