package habemus.service.server;

import habemus.lockservice.Command;
import habemus.lockservice.table.AcquireState;
import habemus.lockservice.table.LockTable;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens at a node. */
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

    /** An entry with such a command was applied: who was given up by it, and what was lost. */
    void countExpiry(Command.ExpireSession expireSession, LockTable before, LockTable after) {
        if (!after.sessions().contains(expireSession.session())) {
            before.sessions().get(expireSession.session()).ifPresent(sessionEntry -> {
                expiredSessions.increment();
                lostHolds.add(sessionEntry.acquires().values().stream()
                        .filter(acquireState -> acquireState instanceof AcquireState.Holding)
                        .count());
            });
        }
    }

    ServerStats stats(LockTable lockTable, int served, int connections) {
        return new ServerStats(
                connections,
                served,
                lockTable.sessions().size(),
                lockTable.resources().values().stream()
                        .mapToLong(resourceState -> resourceState.queue().size())
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
