package habemus.lab.table;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A table for a terminal or a Markdown page. Columns are as wide as their widest cell. */
public final class TextTable {

    private static final String GAP = "  ";
    private static final List<String> EMPTY_MARKS = List.of("-", "–"); // cells without a number
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
        var text = new StringBuilder();
        append(text, heading);
        rows.forEach(row -> append(text, row));
        return text.toString();
    }

    /** A number with one decimal at most. */
    public static String formatNumber(double value) {
        var rounded =
                BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }

    private void append(StringBuilder text, List<String> row) {
        var line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            var cell = row.get(column);
            var room = " ".repeat(width(column) - displayWidth(cell));
            line.append(column == 0 ? "" : GAP).append(isNumeric(column) ? room + cell : cell + room);
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private int width(int column) {
        return cells(column).stream().mapToInt(TextTable::displayWidth).max().orElse(0);
    }

    /** The width in columns of a terminal: ideographs and emoji take two, combining accents none. */
    private static int displayWidth(String cell) {
        return cell.codePoints().map(TextTable::displayWidthOf).sum();
    }

    private static int displayWidthOf(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> {
                boolean wide = Character.isIdeographic(codePoint)
                        || codePoint >= 0x1100 && codePoint <= 0x115F // Hangul Jamo, then Hangul syllables
                        || codePoint >= 0xAC00 && codePoint <= 0xD7A3
                        || codePoint >= 0x3000 && codePoint <= 0x30FF // Japanese
                        || codePoint >= 0xFF00 && codePoint <= 0xFF60 // full-width Latin
                        || codePoint >= 0x1F300 && codePoint <= 0x1FAFF; // emoji
                yield wide ? 2 : 1;
            }
        };
    }

    private List<String> cells(int column) {
        var cells = new ArrayList<String>();
        cells.add(heading.get(column));
        rows.forEach(row -> cells.add(row.get(column)));
        return cells;
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
