package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.LogTable;
import habemus.lab.trace.Recording;
import habemus.simulate.LogSummary;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the logs of all nodes at the end of a run as one self-contained SVG image.
 *
 * <p>A box is an entry: its colour and the small number are its term. A thick line is the commit index, a wide box a
 * snapshot, a dashed box an entry that a crash can take.
 */
public final class LogSvg {

    private static final int MAX_COLUMNS = 40;
    private static final double MARGIN = 28;
    private static final double TITLE = 34;
    private static final double LEGEND = 60;
    private static final double FIRST_ROW = 104;
    private static final double ROW_HEIGHT = 46;
    private static final double BOX_HEIGHT = 34;
    private static final double MIN_BOX_WIDTH = 44;
    private static final double NAME_WIDTH = 132;
    private static final double CHARACTER_WIDTH = 7;
    private static final List<String> TERMS =
            List.of("#bcd5f2", "#f7d9a8", "#d9c8f0", "#b3e0e0", "#f2c2d8", "#dccbb5", "#c9cef7", "#e3dc9d");
    private static final String STYLE = """
            .entry { stroke: #5b6672; stroke-width: 1; }
            .unsynced { stroke-dasharray: 4 3; fill-opacity: .45; }
            .snapshot { fill: url(#hatch-snapshot); stroke: #5b6672; stroke-width: 1; }
            .commit { stroke: #14753f; stroke-width: 4; stroke-linecap: round; }
            .content { text-anchor: middle; font-weight: 600; }
            .entry-term { font-size: 9px; fill: #4a5560; }
            .column { font-size: 11px; fill: #6b7580; text-anchor: middle; }
            .role { font-size: 11px; fill: #6b7580; text-anchor: end; }
            """;

    private final LogTable table;
    private final double left = MARGIN + NAME_WIDTH;
    private final List<Double> edges = new ArrayList<>(); // the left edges of all columns, and the end of the last

    private LogSvg(LogTable table) {
        this.table = table;
        double x = left;
        edges.add(x);
        for (long index = table.firstIndex(); index <= table.lastIndex(); index++) {
            x += Math.max(MIN_BOX_WIDTH, table.contentWidth(index) * CHARACTER_WIDTH + 18);
            edges.add(x);
        }
    }

    public static String draw(Recording recording) {
        var logs = LogSummary.of(recording.events()).logs();
        return new LogSvg(LogTable.of(logs, MAX_COLUMNS))
                .draw(recording.title() + ": logs at the end")
                .toXml(recording.names());
    }

    private SvgElement draw(String title) {
        double height = FIRST_ROW + ROW_HEIGHT * table.rows().size() + MARGIN / 2;
        double width = Math.max(
                Math.max(x(table.lastIndex() + 1) + MARGIN, title.length() * 9.5 + 2 * MARGIN), left + 480 + MARGIN);
        var picture = SvgElement.document(width, height, title, SvgStyle.STYLE + STYLE)
                .add(SvgElement.tag("defs").add(hatch()))
                .add(SvgElement.rectangle("paper", 0, 0, width, height))
                .add(SvgElement.text("heading", MARGIN, TITLE, title))
                .add(legend());
        for (long index = table.firstIndex(); index <= table.lastIndex(); index++) {
            picture.add(SvgElement.text("column", (x(index) + x(index + 1)) / 2, FIRST_ROW - 8, Long.toString(index)));
        }
        for (int i = 0; i < table.rows().size(); i++) {
            picture.add(row(table.rows().get(i), FIRST_ROW + ROW_HEIGHT * i));
        }
        return picture;
    }

    /** The left edge of the box of an index, which is the right edge of the one before. */
    private double x(long index) {
        return edges.get((int) (index - table.firstIndex()));
    }

    private SvgElement row(LogTable.Row row, double y) {
        var group = SvgElement.group("log")
                .add(SvgElement.text("name", left - 16, y + 15, row.node().toString()))
                .add(SvgElement.text("role", left - 16, y + 30, role(row)));
        if (row.leads()) {
            group.add(SvgMarkers.crown(left - 52, y + 15));
        }
        if (row.snapshotIndex() >= table.firstIndex()) {
            addSnapshot(group, row, y);
        }
        row.cells().forEach(cell -> group.add(entry(cell, y)));
        if (row.commitIndex() >= table.firstIndex()) {
            double end = x(row.commitIndex() + 1);
            group.add(SvgElement.line("commit", end, y - 3, end, y + BOX_HEIGHT + 3)
                    .withTooltip("commit index " + row.commitIndex()));
        }
        return group;
    }

    private static String role(LogTable.Row row) {
        return (row.role().isEmpty() ? "" : row.role() + ", ") + "term " + row.term();
    }

    private void addSnapshot(SvgElement group, LogTable.Row row, double y) {
        double end = x(row.snapshotIndex() + 1);
        group.add(SvgElement.rectangle("snapshot", left, y, end - left, BOX_HEIGHT)
                        .with("rx", 3)
                        .withTooltip("snapshot up to " + row.snapshotIndex() + ", term " + row.snapshotTerm()))
                .add(SvgElement.text(
                        "content",
                        (left + end) / 2,
                        y + BOX_HEIGHT / 2 + 5,
                        row.snapshotIndex() + "@" + row.snapshotTerm()));
    }

    private SvgElement entry(LogTable.Cell cell, double y) {
        double x = x(cell.index());
        double width = x(cell.index() + 1) - x;
        var box = SvgElement.rectangle(cell.isSynced() ? "entry" : "entry unsynced", x + 1, y, width - 2, BOX_HEIGHT)
                .with("rx", 3)
                .with("fill", colour(cell.term()));
        return SvgElement.group("box")
                .withTooltip("index " + cell.index() + ", term " + cell.term() + ": " + cell.text()
                        + (cell.isCommitted() ? ", committed" : "") + (cell.isSynced() ? "" : ", not synced"))
                .add(box)
                .add(SvgElement.text("entry-term", x + 5, y + 11, Long.toString(cell.term())))
                .add(SvgElement.text("content", x + width / 2, y + BOX_HEIGHT / 2 + 8, cell.text()));
    }

    private static String colour(long term) {
        return TERMS.get((int) Math.floorMod(term - 1, (long) TERMS.size()));
    }

    private SvgElement legend() {
        var group = SvgElement.group("legend-row");
        double x = MARGIN;
        x = addToLegend(
                group,
                SvgElement.rectangle("entry", x, LEGEND - 11, 18, 14)
                        .with("rx", 2)
                        .with("fill", colour(1)),
                x,
                "entry, coloured by term");
        x = addToLegend(group, SvgElement.line("commit", x + 9, LEGEND - 12, x + 9, LEGEND + 3), x, "commit index");
        if (table.rows().stream().anyMatch(LogTable.Row::leads)) {
            x = addToLegend(group, SvgMarkers.crown(x + 9, LEGEND + 1), x, "leader");
        }
        if (table.hasSnapshot()) {
            x = addToLegend(
                    group,
                    SvgElement.rectangle("snapshot", x, LEGEND - 11, 18, 14).with("rx", 2),
                    x,
                    "snapshot");
        }
        if (table.hasUnsynced()) {
            var box = SvgElement.rectangle("entry unsynced", x, LEGEND - 11, 18, 14)
                    .with("rx", 2)
                    .with("fill", colour(1));
            addToLegend(group, box, x, "not synced");
        }
        return group;
    }

    /** Returns where the next symbol begins. */
    private static double addToLegend(SvgElement group, SvgElement symbol, double x, String text) {
        group.add(symbol).add(SvgElement.text("legend", x + 26, LEGEND, text));
        return x + 46 + text.length() * 6;
    }

    private static SvgElement hatch() {
        return SvgElement.tag("pattern")
                .with("id", "hatch-snapshot")
                .with("width", "8")
                .with("height", "8")
                .with("patternUnits", "userSpaceOnUse")
                .with("patternTransform", "rotate(45)")
                .add(SvgElement.tag("rect")
                        .with("width", "8")
                        .with("height", "8")
                        .with("fill", "#eef0f2"))
                .add(SvgElement.tag("rect")
                        .with("width", "2")
                        .with("height", "8")
                        .with("fill", "#d3d8dd"));
    }
}
