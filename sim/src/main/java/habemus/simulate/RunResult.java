package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import habemus.world.MessageFault;
import habemus.world.Property;
import habemus.world.ProtectedResource;
import habemus.world.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param micros the time of the last step, in microseconds of virtual time
 * @param messages the number of messages between different nodes, lost ones included, heartbeats excluded
 * @param messagesByType the same by the simple name of the message type
 * @param heartbeats the number of heartbeats, see {@link PeriodicMessage}
 * @param entries the number of times a node entered the critical section
 * @param elections the number of times a node announced a leader
 * @param grants the first {@value #MAX_LISTED} entries
 * @param announcements the first {@value #MAX_LISTED} announcements
 * @param suspicionChanges the first {@value #MAX_LISTED} changes of a suspicion
 * @param waiters the nodes that still wait
 * @param logCoverage how often each situation of a replicated log occurred
 * @param resource the final state of the protected resource
 * @param faultsWithoutEffect the faults of single messages that were never in flight
 * @param bug the message of the {@link habemus.protocol.ProtocolBug} that ended the run, or null
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
        Map<LogCoverage.Situation, Long> logCoverage,
        ProtectedResource resource,
        LogSummary log,
        int largestBypass,
        Map<Property, Verdict> verdicts,
        List<MessageFault> faultsWithoutEffect,
        @Nullable String bug) {

    /** The largest number of grants, announcements and suspicion changes that are listed; all are counted. */
    public static final int MAX_LISTED = 10_000;

    public record GrantRecord(NodeId node, long fence, long micros) {}

    public record LeaderAnnouncement(NodeId node, NodeId leader, long term, long micros) {}

    /** @param suspected whether the peer is suspected from now on, or no longer */
    public record SuspicionChange(NodeId node, NodeId peer, boolean suspected, long micros) {}

    /** A waiting node and its algorithm state. */
    public record Waiter(NodeId node, Object state) {}

    /** Why a run ended. */
    public enum End {
        /** No event was left. */
        REST,
        /** All requests were granted and no input is scheduled, but messages circulate for ever without effect. */
        IDLE,
        /** No input is scheduled and no observable event occurred for 15 seconds or more, but heartbeats continue. */
        QUIET,
        /** The time to converge after the last fault is over. */
        SETTLED,
        /** The run reached its limit of steps or time. */
        LIMIT,
        /** The run was limited to its first violation. */
        VIOLATION,
        /** The last move of a schedule was played. */
        LAST_MOVE,
        /** A step threw a {@link habemus.protocol.ProtocolBug}. */
        BUG
    }

    /** Whether any property was violated or a bug ended the run. */
    public boolean hasFailed() {
        return violates(verdicts.keySet());
    }

    /** Whether one of these properties was violated or a bug ended the run. */
    public boolean violates(Set<Property> required) {
        return bug != null || required.stream().anyMatch(property -> verdicts.get(property) == Verdict.VIOLATED);
    }
}
