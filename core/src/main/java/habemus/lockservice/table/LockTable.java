package habemus.lockservice.table;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Deadlock;
import habemus.lockservice.DenialRecord;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.PastHold;
import habemus.lockservice.Quotas;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import habemus.lockservice.Waiter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The replicated state machine: sessions, holders and queues. Every node that applies the same log has an equal table.
 *
 * <p>A request waits in the queue of every resource it asks for. As soon as it is first in all these queues and all
 * shares are free, one command grants all of them. No request overtakes another, and a request has the same position
 * in all its queues, so requests for several resources cannot deadlock. The fence is the index of the granting command.
 * It grows over all resources, so the table keeps nothing of a resource that is not in use.
 *
 * <p>Session and number identify a request. A repeated request changes nothing and gets the same result.
 *
 * @param index number of applied commands
 * @param endedHolds number of holds that have ended; the last of them are the history
 * @param history ended holds, by their number
 * @param audit operators' actions, by the index of their command
 * @param denials requests without the right for them, by the index of their command
 * @param quotas how much the table may store
 * @param usage how much it stores
 * @param tickets of HTTP clients
 */
public record LockTable(
        long index,
        long endedHolds,
        PersistentSortedMap<Long, SessionEntry> sessions,
        PersistentSortedMap<ResourceName, ResourceState> resources,
        PersistentSortedMap<Long, PastHold> history,
        PersistentSortedMap<Long, AuditRecord> audit,
        PersistentSortedMap<Long, DenialRecord> denials,
        Quotas quotas,
        TableUsage usage,
        TicketRegistry tickets) {

    /** The table of an empty log. */
    public static final LockTable EMPTY = new LockTable(
            0,
            0,
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            Quotas.UNLIMITED,
            TableUsage.NONE,
            TicketRegistry.EMPTY);

    /** Instead of the id of a session, if a request with a ticket comes too late. */
    public static final long NO_SESSION = 0;

    /** Number of ended holds that the history keeps. */
    static final int HISTORY_LIMIT = 1_000;

    /** Number of holders that {@link habemus.lockservice.OperationResult.Busy} names, of those there are. */
    static final int HOLDERS_IN_RESULT = 100;

    /** Number of operators' actions that the audit keeps. */
    static final int AUDIT_LIMIT = 10_000;

    /** Number of denied requests that the table keeps, apart from the actions: a flood of them displaces no action. */
    static final int DENIAL_LIMIT = 10_000;

    /** {@return the same table after more commands, so that its next fences are larger} */
    public LockTable withIndex(long larger) {
        return new LockTable(larger, endedHolds, sessions, resources, history, audit, denials, quotas, usage, tickets);
    }

    public ApplyResult apply(CommandBatch batch) {
        var applier = new CommandApplier(this, batch.timestampMillis());
        batch.commands().forEach(applier::apply);
        return applier.result();
    }

    /** {@return the state of an acquire that waits or holds} */
    public Optional<AcquireState> acquireState(RequestId request) {
        return sessions.get(request.session())
                .flatMap(session -> session.acquires().get(request.number()));
    }

    /** {@return whether the operation is an acquire that would join a queue now} */
    public boolean mustWait(Operation operation) {
        return operation instanceof Operation.Acquire acquire
                && acquire.waitInQueue()
                && acquire.shares().stream()
                        .anyMatch(share -> resources
                                .get(share.name())
                                .filter(resource -> !resource.isFreeFor(share))
                                .isPresent());
    }

    /**
     * {@return the names in use whose text has this prefix, sorted} They are read as far as the stream is, so the first
     * ones of a large table cost little.
     *
     * @param after only names whose text is greater; empty: all
     */
    public Stream<ResourceName> names(String prefix, String after) {
        var first = ResourceName.lock(prefix.compareTo(after) > 0 ? prefix : after);
        return resources.tailMap(first).view((name, state) -> name).stream()
                .dropWhile(name -> !after.isEmpty() && name.text().equals(after))
                .takeWhile(name -> name.text().startsWith(prefix));
    }

    public ResourceStatus describe(ResourceName name) {
        var pastHolds = history.values().reversed().stream()
                .filter(hold -> hold.name().equals(name))
                .toList();
        return new ResourceStatus(
                name, resources.get(name).map(ResourceState::size).orElse(0), holders(name), waiters(name), pastHolds);
    }

    /** {@return the holders of a resource, sorted by request} */
    public List<Holder> holders(ResourceName name) {
        return resources.get(name).map(ResourceState::holders).orElse(PersistentSortedMap.empty()).keys().stream()
                .map(request -> holder(request, name))
                .toList();
    }

    private Holder holder(RequestId request, ResourceName name) {
        var holding = (AcquireState.Holding) acquireState(request).orElseThrow();
        return new Holder(request, session(request).client(), holding.unitsOf(name), holding.fence(), holding.since());
    }

    /** {@return the waiters for a resource, in queue order} */
    public List<Waiter> waiters(ResourceName name) {
        return resources.get(name).map(ResourceState::queue).orElse(PersistentSortedMap.empty()).values().stream()
                .map(request -> waiter(request, name))
                .toList();
    }

    private Waiter waiter(RequestId request, ResourceName name) {
        var waiting = (AcquireState.Waiting) acquireState(request).orElseThrow();
        int rank = waiting.queueKey().rank();
        return new Waiter(request, session(request).client(), waiting.unitsOf(name), rank, waiting.since());
    }

    private SessionEntry session(RequestId request) {
        return sessions.get(request.session()).orElseThrow();
    }

    /** {@return cycles of sessions that wait for each other and will never be granted, each cycle once} */
    public List<Deadlock> deadlocks() {
        return DeadlockDetector.detect(this);
    }

    public TableSnapshot snapshot() {
        return TableSnapshot.of(this);
    }
}
