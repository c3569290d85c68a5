package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.RequestId;
import java.util.Optional;

/** What is true of every table, and of every way from one to the next. */
final class TableInvariants {

    private TableInvariants() {}

    static void check(LockTable before, Command command, LockTable after) {
        everythingFollowsFromTheClaims(after);
        after.resources().forEach((resourceName, resourceState) -> {
            thereIsRoomForWhoIsInside(resourceState);
            assertThat(resourceState.isUnused())
                    .as("%s is unused and yet there", resourceName)
                    .isFalse();
        });
        after.sessions().forEach((session, sessionEntry) -> {
            assertThat(sessionEntry.results().keys()).allMatch(number -> number > sessionEntry.acknowledgedUpTo());
            sessionEntry.acquires().forEach((number, acquireState) -> {
                var requestId = new RequestId(session, number);
                switch (acquireState) {
                    case AcquireState.Waiting waiting -> nobodyWaitsWhoCouldBeLetIn(after, requestId, waiting);
                    case AcquireState.Holding holding -> {
                        if (!before.acquireState(requestId).equals(Optional.of(acquireState))) {
                            whoIsLetInHasALargerFence(before, after, holding);
                            nobodyIsOvertaken(before, command, after, requestId, holding);
                        }
                    }
                }
            });
        });
    }

    /** Holders and lines are those of the claims; so of sessions that are gone there is nothing anywhere. */
    private static void everythingFollowsFromTheClaims(LockTable lockTable) {
        assertThat(lockTable.snapshot().toTable()).isEqualTo(lockTable);
    }

    private static void thereIsRoomForWhoIsInside(ResourceState resourceState) {
        long taken = resourceState.holders().values().stream()
                .mapToLong(units -> units)
                .sum();
        assertThat(taken).isEqualTo(resourceState.unitsInUse()).isLessThanOrEqualTo(resourceState.size());
    }

    private static void nobodyWaitsWhoCouldBeLetIn(
            LockTable lockTable, RequestId requestId, AcquireState.Waiting waiting) {
        assertThat(waiting.shares())
                .as("%s waits and could be let in", requestId)
                .anyMatch(resourceShare -> {
                    var resourceState = lockTable
                            .resources()
                            .get(resourceShare.resourceName())
                            .orElseThrow();
                    return !resourceState.queue().firstValue().equals(Optional.of(requestId))
                            || !resourceState.hasCapacityFor(resourceShare);
                });
    }

    private static void whoIsLetInHasALargerFence(LockTable before, LockTable after, AcquireState.Holding holding) {
        assertThat(holding.fence()).isEqualTo(after.index()).isGreaterThan(before.index());
    }

    private static void nobodyIsOvertaken(
            LockTable before, Command command, LockTable after, RequestId requestId, AcquireState.Holding holding) {
        boolean chosen = command
                        instanceof Command.AdminCommand(Command.AdminAction.Transfer order, var operator, var reason)
                || command instanceof Command.Submit(var session, var number, var settled, Operation.Transfer wish);
        var queueKey =
                before.acquireState(requestId).map(acquireState -> ((AcquireState.Waiting) acquireState).queueKey());
        for (var resourceShare : holding.shares()) {
            for (var other : after.waiters(resourceShare.resourceName())) {
                var earlier = before.acquireState(other.request())
                        .map(acquireState -> ((AcquireState.Waiting) acquireState).queueKey());
                assertThat(chosen
                                || earlier.isEmpty()
                                || queueKey.isPresent() && queueKey.get().compareTo(earlier.get()) < 0)
                        .as("%s overtook %s", requestId, other.request())
                        .isTrue();
            }
        }
    }
}
