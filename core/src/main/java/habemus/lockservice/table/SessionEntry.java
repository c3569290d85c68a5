package habemus.lockservice.table;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.OperationResult;
import java.time.Duration;
import java.util.Optional;

/**
 * A session, as the table knows it.
 *
 * @param lastRenewedAt the index of the last command by which it was heard of
 * @param acknowledgedUpTo its client has the answers of all requests up to this number
 * @param results of later requests
 * @param revoked claims that an operator has ended, until the client gives them back: it may not know
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

    static SessionEntry opened(Command.OpenSession openSession, long index) {
        return new SessionEntry(
                openSession.client(),
                openSession.lease(),
                openSession.nonce(),
                index,
                0,
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty());
    }

    SessionEntry withLastRenewedAt(long index) {
        return new SessionEntry(client, lease, nonce, index, acknowledgedUpTo, acquires, results, revoked);
    }

    SessionEntry withAcknowledgedUpTo(long number) {
        return number <= acknowledgedUpTo
                ? this
                : new SessionEntry(
                        client, lease, nonce, lastRenewedAt, number, acquires, results.tailMap(number + 1), revoked);
    }

    SessionEntry withAcquire(long number, AcquireState acquireState) {
        return new SessionEntry(
                client,
                lease,
                nonce,
                lastRenewedAt,
                acknowledgedUpTo,
                acquires.with(number, acquireState),
                results,
                revoked);
    }

    SessionEntry withEndedAcquire(long number, OperationResult operationResult) {
        var left = operationResult instanceof OperationResult.Revoked
                ? revoked.with(number, operationResult)
                : revoked.without(number);
        return new SessionEntry(
                        client, lease, nonce, lastRenewedAt, acknowledgedUpTo, acquires.without(number), results, left)
                .withResult(number, operationResult);
    }

    /** Whoever has settled it will not ask again. */
    SessionEntry withResult(long number, OperationResult operationResult) {
        return number <= acknowledgedUpTo
                ? this
                : new SessionEntry(
                        client,
                        lease,
                        nonce,
                        lastRenewedAt,
                        acknowledgedUpTo,
                        acquires,
                        results.with(number, operationResult),
                        revoked);
    }

    /** What is said to a request that was made before. A claim that is not over answers for itself. */
    public Optional<OperationResult> resultOf(long number) {
        var acquireState = acquires.get(number);
        if (acquireState.isPresent()) {
            return Optional.of(
                    switch (acquireState.get()) {
                        case AcquireState.Waiting waiting -> new OperationResult.Waiting();
                        case AcquireState.Holding holding -> new OperationResult.Granted(holding.fence());
                    });
        }
        return number > acknowledgedUpTo
                ? results.get(number)
                : Optional.of(revoked.get(number).orElse(new OperationResult.Released()));
    }
}
