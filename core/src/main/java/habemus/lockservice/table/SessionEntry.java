package habemus.lockservice.table;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.OperationResult;
import java.time.Duration;
import java.util.Optional;

/**
 * A session as the lock table stores it.
 *
 * @param lastRenewedAt index of the last command that renewed the session; every submission renews it too
 * @param acknowledgedUpTo the client has the results of all requests up to this number
 * @param acquires waiting and holding requests, by number
 * @param results final results of later requests, by number
 * @param revoked revoked holds, by number, until the client releases them: it may not know yet
 */
public record SessionEntry(
        ClientInfo client,
        Duration lease,
        long nonce,
        long lastRenewedAt,
        long acknowledgedUpTo,
        PersistentSortedMap<Long, AcquireState> acquires,
        PersistentSortedMap<Long, OperationResult> results,
        PersistentSortedMap<Long, OperationResult> revoked) {

    static SessionEntry opened(Command.OpenSession open, long index) {
        return new SessionEntry(
                open.client(),
                open.lease(),
                open.nonce(),
                index,
                0,
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty());
    }

    SessionEntry withLastRenewedAt(long index) {
        return new SessionEntry(client, lease, nonce, index, acknowledgedUpTo, acquires, results, revoked);
    }

    /** Drops the results that the client has. */
    SessionEntry withAcknowledgedUpTo(long number) {
        return number <= acknowledgedUpTo
                ? this
                : new SessionEntry(
                        client, lease, nonce, lastRenewedAt, number, acquires, results.tailMap(number + 1), revoked);
    }

    SessionEntry withAcquire(long number, AcquireState state) {
        return withAcquires(acquires.with(number, state), results, revoked);
    }

    SessionEntry withEndedAcquire(long number, OperationResult result) {
        var nextRevoked =
                result instanceof OperationResult.Revoked ? revoked.with(number, result) : revoked.without(number);
        return withAcquires(acquires.without(number), results, nextRevoked).withResult(number, result);
    }

    /** Stores nothing for an acknowledged request: the client will not repeat it. */
    SessionEntry withResult(long number, OperationResult result) {
        return number <= acknowledgedUpTo ? this : withAcquires(acquires, results.with(number, result), revoked);
    }

    private SessionEntry withAcquires(
            PersistentSortedMap<Long, AcquireState> nextAcquires,
            PersistentSortedMap<Long, OperationResult> nextResults,
            PersistentSortedMap<Long, OperationResult> nextRevoked) {
        return new SessionEntry(
                client, lease, nonce, lastRenewedAt, acknowledgedUpTo, nextAcquires, nextResults, nextRevoked);
    }

    /** {@return the result for a repeated submission, from the acquire itself while it waits or holds} */
    public Optional<OperationResult> resultOf(long number) {
        var acquire = acquires.get(number);
        if (acquire.isPresent()) {
            return Optional.of(
                    switch (acquire.get()) {
                        case AcquireState.Waiting waiting -> new OperationResult.Waiting();
                        case AcquireState.Holding holding -> new OperationResult.Granted(holding.fence());
                    });
        }
        return number > acknowledgedUpTo
                ? results.get(number)
                : Optional.of(revoked.get(number).orElse(new OperationResult.Released()));
    }
}
