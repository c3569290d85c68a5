package habemus.service.server;

import habemus.lockservice.Command;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.table.AcquireState;
import habemus.lockservice.table.LockTable;
import habemus.service.metrics.NodeMetrics;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a node, see {@link ServerStats}. For any number of threads. */
final class ServerCounters {

    final LongAdder requests = new LongAdder();
    final LongAdder leaderChanges = new LongAdder();
    final LongAdder entries = new LongAdder();
    final LongAdder commands = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder applied = new LongAdder();
    final LongAdder renewals = new LongAdder();
    private final LongAdder expiredSessions = new LongAdder();
    private final LongAdder lostHolds = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final NodeMetrics metrics;

    ServerCounters(NodeMetrics metrics) {
        this.metrics = metrics;
    }

    /** @param reason a code, such as limit-exceeded */
    void countRejection(String reason) {
        rejected.increment();
        metrics.countRejection(reason);
    }

    static String code(OperationResult.RejectionReason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    void recordCommit(long nanos) {
        metrics.recordCommit(nanos);
    }

    void recordGrant(ResourceName.Kind kind, long nanos) {
        metrics.recordGrant(kind.toString(), nanos);
    }

    /** Records the holds that have ended in between. */
    void recordHolds(LockTable before, LockTable after) {
        if (after.endedHolds() > before.endedHolds()) {
            after.history()
                    .tailMap(before.endedHolds() + 1)
                    .forEach((number, hold) -> metrics.recordHold(
                            hold.name().kind().toString(), hold.endReason().toString(), hold.until() - hold.since()));
        }
    }

    /** Counts an applied command, unless the session had renewed its lease in time. */
    void countExpiry(Command.ExpireSession expire, LockTable before, LockTable after) {
        if (!after.sessions().contains(expire.session())) {
            before.sessions().get(expire.session()).ifPresent(session -> {
                expiredSessions.increment();
                lostHolds.add(session.acquires().values().stream()
                        .filter(acquire -> acquire instanceof AcquireState.Holding)
                        .count());
            });
        }
    }

    ServerStats stats(LockTable lockTable, int localSessions, int connections) {
        return new ServerStats(
                connections,
                localSessions,
                lockTable.sessions().size(),
                waiters(lockTable),
                requests.sum(),
                rejected.sum(),
                entries.sum(),
                commands.sum(),
                dropped.sum(),
                failed.sum(),
                applied.sum(),
                renewals.sum(),
                expiredSessions.sum(),
                lostHolds.sum(),
                leaderChanges.sum());
    }

    private static long waiters(LockTable lockTable) {
        var sum = new LongAdder();
        lockTable
                .resources()
                .forEach((name, resource) -> sum.add(resource.queue().size()));
        return sum.sum();
    }
}
