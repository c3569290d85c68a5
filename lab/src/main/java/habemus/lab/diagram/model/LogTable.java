package habemus.lab.diagram.model;

import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.simulate.LogSummary.NodeLog;
import java.util.ArrayList;
import java.util.List;

/**
 * The logs of all nodes side by side: a row for each node, a column for each index.
 *
 * @param firstIndex the index of the first column; earlier entries are not shown
 * @param lastIndex the index of the last column; less than the first if all logs are empty
 */
public record LogTable(long firstIndex, long lastIndex, List<Row> rows) {

    /** What a node is in the newest configuration of its log. */
    public enum Membership {
        VOTER,
        LEARNER,
        NONE
    }

    /**
     * The log of a node.
     *
     * @param snapshotIndex the last index that only the snapshot holds; zero without a snapshot
     * @param snapshotTerm the term of that entry
     * @param cells the entries after the snapshot, as far as they have a column
     */
    public record Row(
            NodeId node,
            Membership membership,
            boolean isDown,
            boolean leads,
            long term,
            long commitIndex,
            long snapshotIndex,
            long snapshotTerm,
            List<Cell> cells) {

        /** {@code leader}, {@code down}, or what the node is in its configuration if it has no vote; else empty. */
        public String role() {
            if (isDown) {
                return "down";
            }
            return leads
                    ? "leader"
                    : switch (membership) {
                        case VOTER -> "";
                        case LEARNER -> "learner";
                        case NONE -> "no member";
                    };
        }
    }

    /**
     * An entry.
     *
     * @param text its content
     * @param isSynced whether a crash cannot take the entry
     */
    public record Cell(long index, long term, String text, boolean isCommitted, boolean isSynced) {}

    public LogTable {
        rows = List.copyOf(rows);
    }

    /** @param maxColumns the number of columns at most; the last entries are shown */
    public static LogTable of(List<NodeLog> logs, int maxColumns) {
        long last = logs.stream()
                .mapToLong(nodeLog -> nodeLog.view().log().lastIndex())
                .max()
                .orElse(0);
        long first = Math.max(1, last - maxColumns + 1);
        return new LogTable(
                first, last, logs.stream().map(nodeLog -> row(nodeLog, first)).toList());
    }

    private static Row row(NodeLog nodeLog, long first) {
        var view = nodeLog.view();
        var log = view.log();
        var cells = new ArrayList<Cell>();
        for (long index = Math.max(first, log.baseIndex() + 1); index <= log.lastIndex(); index++) {
            var entry = log.entry(index);
            cells.add(new Cell(
                    index,
                    entry.term(),
                    entry.content().toString(),
                    index <= view.commitIndex(),
                    index <= view.syncedIndex()));
        }
        return new Row(
                nodeLog.node(),
                membership(nodeLog.node(), view),
                nodeLog.isDown(),
                view.leads() && !nodeLog.isDown(),
                view.term(),
                view.commitIndex(),
                log.baseIndex(),
                log.baseTerm(),
                List.copyOf(cells));
    }

    private static Membership membership(NodeId node, LogView view) {
        var configuration = view.log().configuration().configuration();
        return configuration.voters().contains(node)
                ? Membership.VOTER
                : configuration.learners().contains(node) ? Membership.LEARNER : Membership.NONE;
    }

    /** The number of characters of the longest content in a column. */
    public int contentWidth(long index) {
        return rows.stream()
                .flatMap(row -> row.cells.stream())
                .filter(cell -> cell.index == index)
                .mapToInt(cell -> cell.text.length())
                .max()
                .orElse(0);
    }

    /** Whether some entries can be lost in a crash. */
    public boolean hasUnsynced() {
        return rows.stream().flatMap(row -> row.cells.stream()).anyMatch(cell -> !cell.isSynced);
    }

    public boolean hasSnapshot() {
        return rows.stream().anyMatch(row -> row.snapshotIndex > 0);
    }
}
