package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import habemus.world.Property;
import habemus.world.ProtectedResource;
import habemus.world.Verdict;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of a run.
 *
 * @param micros when the last step was made
 * @param messages how many were sent from one node to another, lost ones included
 * @param messagesByType the same by the name of the message
 * @param heartbeats how many more were sent that only say that somebody is there: see {@link PeriodicMessage}
 * @param entries how often somebody got in
 * @param elections how often somebody named a leader
 * @param grants the first {@value #MAX_LISTED} entries
 * @param announcements the first {@value #MAX_LISTED} namings
 * @param suspicionChanges the first {@value #MAX_LISTED} times that a detector changed its mind
 * @param waiters who still waits
 * @param protectedResource what became of the resource that the lock is for
 * @param bug what should have been impossible and happened, which ended the run
 */
public record RunResult(
        End end,
        long micros,
        long steps,
        long messages,
        Map<String, Long> messagesByType,
        long heartbeats,
        long entries,
        long elections,
        List<GrantRecord> grants,
        List<LeaderAnnouncement> announcements,
        List<SuspicionChange> suspicionChanges,
        List<Waiter> waiters,
        ProtectedResource protectedResource,
        int largestBypass,
        Map<Property, Verdict> verdicts,
        @Nullable String bug) {

    /** How many grants and namings are listed; all are counted. */
    public static final int MAX_LISTED = 10_000;

    public record GrantRecord(NodeId node, long fence, long micros) {}

    public record LeaderAnnouncement(NodeId node, NodeId leader, long term, long micros) {}

    /** @param suspected whether the peer is suspected from then on, or trusted again */
    public record SuspicionChange(NodeId node, NodeId peer, boolean suspected, long micros) {}

    /** Who waits, and in what state of its algorithm, which tells for whom. */
    public record Waiter(NodeId node, Object state) {}

    /** Why a run ended. */
    public enum End {
        /** Nothing was left that could happen. */
        REST,
        /** Everybody was served and nothing is planned, but messages go round for ever and change nothing. */
        IDLE,
        /** Nothing is planned, and nothing was seen for 15 seconds or more, but heartbeats go on for ever. */
        QUIET,
        /** It was healed and given its time to settle. */
        SETTLED,
        /** The limit of steps or of time. */
        LIMIT,
        /** A violation, where the run was to stop at the first. */
        VIOLATION,
        /** The last of the moves that were given. */
        LAST_MOVE,
        /** A {@link habemus.protocol.ProtocolBug}. */
        BUG
    }

    /** Whether something was violated or impossible. */
    public boolean hasFailed() {
        return bug != null || verdicts.containsValue(Verdict.VIOLATED);
    }
}
