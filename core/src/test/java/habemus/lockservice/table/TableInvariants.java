package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.RequestId;
import java.util.Optional;

/** Invariants of every table, and of every step from one table to the next. */
final class TableInvariants {

    private TableInvariants() {}

    static void check(LockTable before, Command command, LockTable after) {
        holdersAndQueuesFollowFromTheAcquires(after);
        after.resources().forEach((name, resource) -> {
            heldUnitsFit(resource);
            assertThat(resource.isUnused())
                    .as("%s is unused, but in the table", name)
                    .isFalse();
        });
        after.sessions().forEach((session, entry) -> {
            assertThat(entry.results().keys()).allMatch(number -> number > entry.acknowledgedUpTo());
            entry.acquires().forEach((number, state) -> {
                var request = new RequestId(session, number);
                switch (state) {
                    case AcquireState.Waiting waiting -> noWaiterCouldBeGranted(after, request, waiting);
                    case AcquireState.Holding holding -> {
                        if (!before.acquireState(request).equals(Optional.of(state))) {
                            aNewFenceIsTheLargest(before, after, holding);
                            noWaiterIsOvertaken(before, command, after, request, holding);
                        }
                    }
                }
            });
        });
    }

    /** So nothing remains of sessions that have ended. */
    private static void holdersAndQueuesFollowFromTheAcquires(LockTable table) {
        assertThat(table.snapshot().toTable()).isEqualTo(table);
    }

    private static void heldUnitsFit(ResourceState resource) {
        long unitsInUse =
                resource.holders().values().stream().mapToLong(units -> units).sum();
        assertThat(unitsInUse).isEqualTo(resource.unitsInUse()).isLessThanOrEqualTo(resource.size());
    }

    private static void noWaiterCouldBeGranted(LockTable table, RequestId request, AcquireState.Waiting waiting) {
        assertThat(waiting.shares())
                .as("%s waits and could be granted", request)
                .anyMatch(share -> {
                    var resource = table.resources().get(share.name()).orElseThrow();
                    return !resource.queue().firstValue().equals(Optional.of(request))
                            || !resource.hasCapacityFor(share);
                });
    }

    private static void aNewFenceIsTheLargest(LockTable before, LockTable after, AcquireState.Holding holding) {
        assertThat(holding.fence()).isEqualTo(after.index()).isGreaterThan(before.index());
    }

    private static void noWaiterIsOvertaken(
            LockTable before, Command command, LockTable after, RequestId request, AcquireState.Holding holding) {
        boolean isTransfer = command instanceof Command.AdminCommand admin
                        && admin.action() instanceof Command.AdminAction.Transfer
                || command
                        instanceof
                        Command.Submit(var session, var number, var acknowledgedUpTo, Operation.Transfer byLeader);
        var key = before.acquireState(request).map(state -> ((AcquireState.Waiting) state).queueKey());
        for (var share : holding.shares()) {
            for (var other : after.waiters(share.name())) {
                var earlier =
                        before.acquireState(other.request()).map(state -> ((AcquireState.Waiting) state).queueKey());
                assertThat(isTransfer
                                || earlier.isEmpty()
                                || key.isPresent() && key.get().compareTo(earlier.get()) < 0)
                        .as("%s overtook %s", request, other.request())
                        .isTrue();
            }
        }
    }
}
