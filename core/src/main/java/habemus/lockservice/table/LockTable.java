package habemus.lockservice.table;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Deadlock;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.PastHold;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import habemus.lockservice.Waiter;
import java.util.List;
import java.util.Optional;

/**
 * Who holds and who waits: what every node makes of the log. Equal entries give equal tables, everywhere.
 *
 * <p>Whoever asks waits in the line of everything it wants, and is let in everywhere at once, in one command, as soon
 * as it is first in each of these lines and there is room. Nobody is overtaken; since a turn is the same in all lines,
 * nobody waits for each other in a circle. The fence is the index of the command that let it in, so it grows over all
 * locks, and of what nobody uses nothing is left.
 *
 * <p>A request is known by its session and its number. Repeated, it changes nothing and is answered as before.
 *
 * @param index how many commands there were
 * @param endedHolds how many holdings are over; the last of them are the history
 */
public record LockTable(
        long index,
        long endedHolds,
        PersistentSortedMap<Long, SessionEntry> sessions,
        PersistentSortedMap<ResourceName, ResourceState> resources,
        PersistentSortedMap<Long, PastHold> history,
        PersistentSortedMap<Long, AuditRecord> audit) {

    /** Of an empty log. */
    public static final LockTable EMPTY = new LockTable(
            0,
            0,
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty());

    /** How many holdings that are over are remembered. */
    public static final int HISTORY_LIMIT = 1_000;

    /** How many interferences of operators. */
    public static final int AUDIT_LIMIT = 10_000;

    public ApplyResult apply(CommandBatch commandBatch) {
        var commandApplier = new CommandApplier(this, commandBatch.timestampMillis());
        commandBatch.commands().forEach(commandApplier::apply);
        return commandApplier.result();
    }

    /** The bid behind a claim, unless it is over. */
    public Optional<AcquireState> acquireState(RequestId requestId) {
        return sessions.get(requestId.session())
                .flatMap(sessionEntry -> sessionEntry.acquires().get(requestId.number()));
    }

    /** Whether whoever asks for that now can only stand in line. */
    public boolean mustWait(Operation operation) {
        return operation instanceof Operation.Acquire acquire
                && acquire.waitInQueue()
                && acquire.shares().stream()
                        .anyMatch(resourceShare -> resources
                                .get(resourceShare.resourceName())
                                .filter(resourceState -> !resourceState.isFreeFor(resourceShare))
                                .isPresent());
    }

    /** What somebody holds or waits for, whose text begins so. */
    public List<ResourceName> namesWithPrefix(String prefix) {
        return resources.keys().stream()
                .filter(resourceName -> resourceName.text().startsWith(prefix))
                .toList();
    }

    public ResourceStatus describe(ResourceName resourceName) {
        var pastHold = history.values().reversed().stream()
                .filter(one -> one.resourceName().equals(resourceName))
                .toList();
        return new ResourceStatus(
                resourceName,
                resources.get(resourceName).map(ResourceState::size).orElse(0),
                holders(resourceName),
                waiters(resourceName),
                pastHold);
    }

    /** Who is inside, by claim. */
    public List<Holder> holders(ResourceName resourceName) {
        return resources
                .get(resourceName)
                .map(ResourceState::holders)
                .orElse(PersistentSortedMap.empty())
                .keys()
                .stream()
                .map(requestId -> holder(requestId, resourceName))
                .toList();
    }

    private Holder holder(RequestId requestId, ResourceName resourceName) {
        var sessionEntry = guest(requestId);
        var holding = (AcquireState.Holding) acquireState(requestId).orElseThrow();
        return new Holder(
                requestId, sessionEntry.client(), holding.unitsOf(resourceName), holding.fence(), holding.since());
    }

    /** Who is in line, the first one first. */
    public List<Waiter> waiters(ResourceName resourceName) {
        return resources
                .get(resourceName)
                .map(ResourceState::queue)
                .orElse(PersistentSortedMap.empty())
                .values()
                .stream()
                .map(requestId -> waiter(requestId, resourceName))
                .toList();
    }

    private Waiter waiter(RequestId requestId, ResourceName resourceName) {
        var sessionEntry = guest(requestId);
        var waiting = (AcquireState.Waiting) acquireState(requestId).orElseThrow();
        return new Waiter(
                requestId,
                sessionEntry.client(),
                waiting.unitsOf(resourceName),
                waiting.queueKey().rank(),
                waiting.since());
    }

    private SessionEntry guest(RequestId requestId) {
        return sessions.get(requestId.session()).orElseThrow();
    }

    /** Sessions that will never be let in, since they wait for each other. No circle is told twice. */
    public List<Deadlock> deadlocks() {
        return DeadlockDetector.detect(this);
    }

    public TableSnapshot snapshot() {
        return TableSnapshot.of(this);
    }
}
