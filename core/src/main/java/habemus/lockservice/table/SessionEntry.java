package habemus.lockservice.table;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.OperationResult;
import habemus.lockservice.Usage;
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
 * @param usage what the session stores, without the names that it uses
 */
public record SessionEntry(
        ClientInfo client,
        Duration lease,
        long nonce,
        long lastRenewedAt,
        long acknowledgedUpTo,
        PersistentSortedMap<Long, AcquireState> acquires,
        PersistentSortedMap<Long, OperationResult> results,
        PersistentSortedMap<Long, OperationResult> revoked,
        Usage usage) {

    /** Does not show the nonce. */
    @Override
    public String toString() {
        return "SessionEntry[client=" + client + ", lease=" + lease + ", acquires=" + acquires + ", results=" + results
                + ", revoked=" + revoked + "]";
    }

    static SessionEntry opened(Command.OpenSession open, long index) {
        return new SessionEntry(
                open.client(),
                open.lease(),
                open.nonce(),
                index,
                0,
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                StorageCosts.session(open.client()));
    }

    /** {@return the same session with the usage that follows from its content} */
    SessionEntry withComputedUsage() {
        var sum = StorageCosts.session(client);
        for (var acquire : acquires.values()) {
            sum = sum.plus(StorageCosts.acquire(acquire));
        }
        for (var result : results.values()) {
            sum = sum.plus(StorageCosts.result(result));
        }
        for (var result : revoked.values()) {
            sum = sum.plus(StorageCosts.result(result));
        }
        return new SessionEntry(client, lease, nonce, lastRenewedAt, acknowledgedUpTo, acquires, results, revoked, sum);
    }

    SessionEntry withLastRenewedAt(long index) {
        return new SessionEntry(client, lease, nonce, index, acknowledgedUpTo, acquires, results, revoked, usage);
    }

    /** Drops the results that the client has. */
    SessionEntry withAcknowledgedUpTo(long number) {
        if (number <= acknowledgedUpTo) {
            return this;
        }
        var later = results;
        var rest = usage;
        while (later.firstKey().filter(first -> first <= number).isPresent()) {
            rest = rest.minus(StorageCosts.result(later.firstValue().orElseThrow()));
            later = later.without(later.firstKey().orElseThrow());
        }
        return new SessionEntry(client, lease, nonce, lastRenewedAt, number, acquires, later, revoked, rest);
    }

    SessionEntry withAcquire(long number, AcquireState state) {
        return changed(
                acquires.with(number, state), results, revoked, without(number).plus(StorageCosts.acquire(state)));
    }

    SessionEntry withEndedAcquire(long number, OperationResult result) {
        var nextRevoked =
                result instanceof OperationResult.Revoked ? revoked.with(number, result) : revoked.without(number);
        var next = without(number).minus(usageOf(revoked.get(number))).plus(usageOf(nextRevoked.get(number)));
        return changed(acquires.without(number), results, nextRevoked, next).withResult(number, result);
    }

    /** The usage without this acquire. */
    private Usage without(long number) {
        return acquires.get(number).map(StorageCosts::acquire).map(usage::minus).orElse(usage);
    }

    private static Usage usageOf(Optional<OperationResult> result) {
        return result.map(StorageCosts::result).orElse(Usage.NONE);
    }

    /** Stores nothing for an acknowledged request: the client will not repeat it. */
    SessionEntry withResult(long number, OperationResult result) {
        return number <= acknowledgedUpTo
                ? this
                : changed(
                        acquires,
                        results.with(number, result),
                        revoked,
                        usage.minus(usageOf(results.get(number))).plus(StorageCosts.result(result)));
    }

    private SessionEntry changed(
            PersistentSortedMap<Long, AcquireState> nextAcquires,
            PersistentSortedMap<Long, OperationResult> nextResults,
            PersistentSortedMap<Long, OperationResult> nextRevoked,
            Usage nextUsage) {
        return new SessionEntry(
                client,
                lease,
                nonce,
                lastRenewedAt,
                acknowledgedUpTo,
                nextAcquires,
                nextResults,
                nextRevoked,
                nextUsage);
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
