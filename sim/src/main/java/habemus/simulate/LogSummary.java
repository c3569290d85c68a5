package habemus.simulate;

import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.util.List;

/**
 * What the applications asked of a replicated log, and the log of every node at the end. Empty for other problems.
 *
 * @param snapshots the number of snapshots that applications took
 * @param logs sorted by node
 */
public record LogSummary(
        CallCount proposals, CallCount reads, CallCount memberChanges, long snapshots, List<NodeLog> logs) {

    public LogSummary {
        logs = List.copyOf(logs);
    }

    /**
     * How many calls of a kind were made, and their outcomes.
     *
     * @param done committed, or answered for a read
     * @param rejected without effect, now and later
     * @param indeterminate the node cannot know the outcome
     */
    public record CallCount(long made, long done, long rejected, long indeterminate) {

        /** Calls without a reply: the run ended, or the node crashed. */
        public long open() {
            return made - done - rejected - indeterminate;
        }
    }

    /** @param isDown whether the node is down, so that its log is that of its disk */
    public record NodeLog(NodeId node, LogView view, boolean isDown) {}

    /** The summary of a recorded run. */
    public static LogSummary of(List<TraceEvent> events) {
        var collector = new LogSummaryCollector();
        for (TraceEvent traceEvent : events) {
            if (traceEvent instanceof TraceEvent.Observed(var at, ObservableEvent event)) {
                collector.observe(event);
            }
        }
        return collector.summary();
    }
}
