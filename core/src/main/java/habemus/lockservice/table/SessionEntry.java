package habemus.lockservice.table;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.OperationResult;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A session as the lock table stores it.
 *
 * @param origin of a ticket the last request with it; else {@link SessionOrigin.FirstSession}
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
        SessionOrigin origin,
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
                stored(open.origin()),
                index,
                0,
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                StorageCosts.session(open.client()));
    }

    /** Of a session without a ticket, the origin has no meaning any more. */
    private static SessionOrigin stored(SessionOrigin origin) {
        return origin instanceof SessionOrigin.TicketRequest ? origin : new SessionOrigin.FirstSession();
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
        return new SessionEntry(
                client, lease, nonce, origin, lastRenewedAt, acknowledgedUpTo, acquires, results, revoked, sum);
    }

    SessionEntry withLastRenewedAt(long index) {
        return new SessionEntry(
                client, lease, nonce, origin, index, acknowledgedUpTo, acquires, results, revoked, usage);
    }

    SessionEntry withOrigin(SessionOrigin.TicketRequest latest) {
        return new SessionEntry(
                client, lease, nonce, latest, lastRenewedAt, acknowledgedUpTo, acquires, results, revoked, usage);
    }

    /** Acknowledges all numbers, those of late requests too, so that none of them takes effect. */
    SessionEntry replaced() {
        return withAcknowledgedUpTo(Long.MAX_VALUE);
    }

    /** {@return whether the client has opened another session since; only its lease keeps this one} */
    public boolean isReplaced() {
        return acknowledgedUpTo == Long.MAX_VALUE;
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
        return new SessionEntry(client, lease, nonce, origin, lastRenewedAt, number, acquires, later, revoked, rest);
    }

    /** {@return those of these acquires that hold} */
    List<Long> heldNumbers(List<Long> numbers) {
        return acquires.keys().stream()
                .filter(numbers::contains)
                .filter(number -> acquires.get(number).orElseThrow() instanceof AcquireState.Holding)
                .toList();
    }

    /** {@return whether the acquire waits, or holds with another fence} */
    boolean isOtherGrant(long number, long fence) {
        return acquires.get(number)
                .filter(state -> !(state instanceof AcquireState.Holding holding && holding.fence() == fence))
                .isPresent();
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
                origin,
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
