package habemus.service.server;

import habemus.lockservice.Command;
import habemus.lockservice.table.AcquireState;
import habemus.lockservice.table.LockTable;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a node, see {@link ServerStats}. For any number of threads. */
final class ServerCounters {

    final LongAdder requests = new LongAdder();
    final LongAdder rejected = new LongAdder();
    final LongAdder entries = new LongAdder();
    final LongAdder commands = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder applied = new LongAdder();
    final LongAdder renewals = new LongAdder();
    private final LongAdder expiredSessions = new LongAdder();
    private final LongAdder lostHolds = new LongAdder();

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
                lockTable.resources().values().stream()
                        .mapToLong(resource -> resource.queue().size())
                        .sum(),
                requests.sum(),
                rejected.sum(),
                entries.sum(),
                commands.sum(),
                dropped.sum(),
                failed.sum(),
                applied.sum(),
                renewals.sum(),
                expiredSessions.sum(),
                lostHolds.sum());
    }
}
