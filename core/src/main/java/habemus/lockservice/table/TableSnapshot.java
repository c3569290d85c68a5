package habemus.lockservice.table;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.OperationResult;
import habemus.lockservice.PastHold;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table as plain lists, to be kept and sent. What follows from the rest is not in it: who holds and who waits is
 * known from the claims of the sessions.
 *
 * @param sessions the oldest first, as everything here
 */
public record TableSnapshot(
        long index,
        long endedHolds,
        List<SessionSnapshot> sessions,
        List<PastHold> history,
        List<AuditRecord> auditRecord) {

    /** A session. */
    public record SessionSnapshot(
            long session,
            ClientInfo client,
            Duration lease,
            long nonce,
            long lastRenewedAt,
            long acknowledgedUpTo,
            List<OpenAcquire> acquires,
            List<StoredResult> results) {}

    /** A claim that is not over. */
    public record OpenAcquire(long number, AcquireState state) {}

    /** An answer that is kept; one that was settled is about a claim that an operator has ended. */
    public record StoredResult(long number, OperationResult result) {}

    static TableSnapshot of(LockTable lockTable) {
        return new TableSnapshot(
                lockTable.index(),
                lockTable.endedHolds(),
                lockTable.sessions().map(TableSnapshot::sessionSnapshot),
                lockTable.history().values(),
                lockTable.audit().values());
    }

    private static SessionSnapshot sessionSnapshot(long session, SessionEntry sessionEntry) {
        return new SessionSnapshot(
                session,
                sessionEntry.client(),
                sessionEntry.lease(),
                sessionEntry.nonce(),
                sessionEntry.lastRenewedAt(),
                sessionEntry.acknowledgedUpTo(),
                sessionEntry.acquires().map(OpenAcquire::new),
                storedResults(sessionEntry));
    }

    private static List<StoredResult> storedResults(SessionEntry sessionEntry) {
        var settled = sessionEntry.revoked().map(StoredResult::new).stream()
                .filter(storedResult -> storedResult.number <= sessionEntry.acknowledgedUpTo());
        return Stream.concat(settled, sessionEntry.results().map(StoredResult::new).stream())
                .toList();
    }

    /** The same table again. */
    public LockTable toTable() {
        long forgotten = endedHolds - history.size();
        return new LockTable(
                index,
                endedHolds,
                PersistentSortedMap.of(sessions, SessionSnapshot::session, TableSnapshot::sessionEntry),
                resources(),
                PersistentSortedMap.of(
                        IntStream.range(0, history.size()).boxed().toList(), i -> forgotten + 1 + i, history::get),
                PersistentSortedMap.of(auditRecord, AuditRecord::index, one -> one));
    }

    private static SessionEntry sessionEntry(SessionSnapshot sessionSnapshot) {
        var later = sessionSnapshot.results.stream()
                .filter(storedResult -> storedResult.number > sessionSnapshot.acknowledgedUpTo)
                .toList();
        var taken = sessionSnapshot.results.stream()
                .filter(storedResult -> storedResult.result instanceof OperationResult.Revoked)
                .toList();
        return new SessionEntry(
                sessionSnapshot.client,
                sessionSnapshot.lease,
                sessionSnapshot.nonce,
                sessionSnapshot.lastRenewedAt,
                sessionSnapshot.acknowledgedUpTo,
                PersistentSortedMap.of(sessionSnapshot.acquires, OpenAcquire::number, OpenAcquire::state),
                PersistentSortedMap.of(later, StoredResult::number, StoredResult::result),
                PersistentSortedMap.of(taken, StoredResult::number, StoredResult::result));
    }

    private PersistentSortedMap<ResourceName, ResourceState> resources() {
        PersistentSortedMap<ResourceName, ResourceState> locks = PersistentSortedMap.empty();
        for (var sessionSnapshot : sessions) {
            for (var openAcquire : sessionSnapshot.acquires) {
                var requestId = new RequestId(sessionSnapshot.session, openAcquire.number);
                for (var resourceShare : openAcquire.state.shares()) {
                    var resourceState = locks.get(resourceShare.resourceName())
                            .orElseGet(() -> ResourceState.unused(resourceShare.size()));
                    locks = locks.with(
                            resourceShare.resourceName(),
                            withAcquire(resourceState, requestId, openAcquire.state, resourceShare));
                }
            }
        }
        return locks;
    }

    private static ResourceState withAcquire(
            ResourceState resourceState, RequestId requestId, AcquireState acquireState, ResourceShare resourceShare) {
        return switch (acquireState) {
            case AcquireState.Waiting waiting -> resourceState.withWaiter(waiting.queueKey(), requestId);
            case AcquireState.Holding holding -> resourceState.withHolder(requestId, resourceShare.units());
        };
    }
}
