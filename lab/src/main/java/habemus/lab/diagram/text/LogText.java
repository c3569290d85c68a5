package habemus.lab.diagram.text;

import habemus.lab.diagram.model.LogTable;
import habemus.lab.trace.NodeNames;
import habemus.simulate.LogSummary.NodeLog;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the logs of all nodes for terminals: a row for each node, a box for each entry as {@code term:content}.
 *
 * <pre>
 *                       1       2       3
 *   n1 term 2 leader  │ 1:-   │ 1:1.2 ┃ 2:-   │
 *   n2 term 2         │ 1:-   │ 1:1.2 ┃(2:-  )│
 * </pre>
 *
 * <p>{@code ┃} the commit index, {@code ▒} a snapshot, in brackets an entry that is not synced.
 */
public final class LogText {

    private static final int MAX_COLUMNS = 20;
    private static final int MAX_WIDTH = 140; // of all boxes of a row
    private static final List<String> TERM_COLOURS =
            List.of("\u001b[34m", "\u001b[33m", "\u001b[35m", "\u001b[36m", "\u001b[32m", "\u001b[31m");
    private static final String END = "\u001b[0m";

    private final LogTable table;
    private final NodeNames names;
    private final boolean colour;
    private final int headWidth;

    private LogText(LogTable table, NodeNames names, boolean colour) {
        this.table = table;
        this.names = names;
        this.colour = colour;
        headWidth = table.rows().stream().mapToInt(row -> head(row).length()).reduce(0, Math::max);
    }

    /** @param colour whether the terminal has colours: each term gets its own */
    public static List<String> draw(List<NodeLog> logs, NodeNames names, boolean colour) {
        int columns = MAX_COLUMNS;
        var text = new LogText(LogTable.of(logs, columns), names, colour);
        while (columns > 1 && text.width(text.table.firstIndex(), text.table.lastIndex()) > MAX_WIDTH) {
            text = new LogText(LogTable.of(logs, --columns), names, colour);
        }
        return text.draw();
    }

    /** The characters of the boxes of these columns, without the right edge. */
    private int width(long from, long to) {
        int width = -1;
        for (long index = from; index <= to; index++) {
            width += cellWidth(index) + 3;
        }
        return width;
    }

    private int cellWidth(long index) {
        int term = table.rows().stream()
                .flatMap(row -> row.cells().stream())
                .filter(cell -> cell.index() == index)
                .mapToInt(cell -> Long.toString(cell.term()).length() + 1)
                .max()
                .orElse(0);
        return Math.max(table.contentWidth(index) + term, Long.toString(index).length());
    }

    private List<String> draw() {
        var lines = new ArrayList<String>();
        var header = new StringBuilder(" ".repeat(headWidth + 2));
        for (long index = table.firstIndex(); index <= table.lastIndex(); index++) {
            header.append("  ")
                    .append(pad(Long.toString(index), cellWidth(index)))
                    .append(' ');
        }
        lines.add(header.toString().stripTrailing());
        table.rows().forEach(row -> lines.add(row(row)));
        lines.add(legend());
        return List.copyOf(lines);
    }

    private String head(LogTable.Row row) {
        var role = row.role().isEmpty() ? "" : " " + row.role();
        return names.of(row.node()) + " term " + row.term() + role;
    }

    private String row(LogTable.Row row) {
        var line = new StringBuilder(pad(head(row), headWidth)).append("  ");
        long index = table.firstIndex();
        line.append(edge(row, index - 1));
        if (row.snapshotIndex() >= index) {
            line.append(centre(
                            "snapshot " + row.snapshotIndex() + "@" + row.snapshotTerm(),
                            width(index, row.snapshotIndex())))
                    .append(edge(row, row.snapshotIndex()));
        }
        for (var cell : row.cells()) {
            var box = pad(text(cell), cellWidth(cell.index()));
            line.append(cell.isSynced() ? " " + paint(box, cell.term()) + " " : "(" + paint(box, cell.term()) + ")")
                    .append(edge(row, cell.index()));
        }
        return line.toString();
    }

    private static char edge(LogTable.Row row, long index) {
        return index > 0 && index == row.commitIndex() ? '┃' : '│';
    }

    private String paint(String text, long term) {
        return colour ? TERM_COLOURS.get((int) (term % TERM_COLOURS.size())) + text + END : text;
    }

    private static String text(LogTable.Cell cell) {
        return cell.term() + ":" + cell.text();
    }

    private static String centre(String text, int width) {
        var label = text.length() + 2 > width ? "" : " " + text + " ";
        int before = (width - label.length()) / 2;
        return "▒".repeat(before) + label + "▒".repeat(width - label.length() - before);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private String legend() {
        return " ".repeat(headWidth + 2) + "term:entry by index, ┃ commit index"
                + (table.hasSnapshot() ? ", ▒ snapshot" : "")
                + (table.hasUnsynced() ? ", (…) not synced" : "")
                + (table.firstIndex() > 1 ? ", entries before " + table.firstIndex() + " not shown" : "");
    }
}
