package habemus.service.http;

import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.TicketId;
import habemus.lockservice.table.AcquireState;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.SessionEntry;
import habemus.lockservice.table.TicketRegistry.TicketEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One node's view of a ticket: the session behind it, its last renewal through this node, and its end state.
 * Thread-safe: request threads wait on the monitor, the lock server loop notifies them.
 */
final class TicketState {

    /** The request number of the acquire request, which is the first request of the session. */
    static final long ACQUIRE_REQUEST_NUMBER = 1;

    final TicketId id;
    final long session;
    private List<ResourceShare> resourceShares = List.of();
    private String client = "";
    private long leaseMillis;
    private long fence;
    private long lastRenewal; // number of the last acknowledged renewal
    private @Nullable Long renewedAtNanos; // when the last acknowledged renewal was sent, on the monotonic clock
    private OperationResult.@Nullable RejectionReason rejectionReason;
    private boolean isSessionUnknown; // to this node
    private long committedAbandons; // requests to leave the queue, also those without effect
    private String endState = ""; // released, lost or expired
    private long endedAtNanos; // on the monotonic clock

    TicketState(TicketId id, long session) {
        this.id = id;
        this.session = session;
    }

    /** Updates the ticket from the lock table. Returns its state: waiting, held, released, lost or expired. */
    synchronized String refresh(LockTable table) {
        if (endState.isEmpty()) {
            table.sessions().get(session).ifPresentOrElse(this::refresh, () -> end(endState(table)));
        }
        return endState.isEmpty() ? fence > 0 ? "held" : "waiting" : endState;
    }

    /** A ticket whose session has ended, and that the table does not know, has expired in the queue. */
    private String endState(LockTable table) {
        return table.tickets()
                .get(id)
                .filter(TicketEntry.Ended.class::isInstance)
                .map(entry -> switch (((TicketEntry.Ended) entry).reason()) {
                    case RELEASED, CLOSED -> "released";
                    case EXPIRED -> "expired";
                    case REVOKED, TRANSFERRED -> "lost";
                })
                .orElse("expired");
    }

    private void refresh(SessionEntry session) {
        client = session.client().name();
        leaseMillis = session.lease().toMillis();
        var acquireState = session.acquires().get(ACQUIRE_REQUEST_NUMBER);
        resourceShares = acquireState.map(AcquireState::shares).orElse(resourceShares);
        if (acquireState.isPresent()) {
            fence = acquireState.get() instanceof AcquireState.Holding holding ? holding.fence() : 0;
            return;
        }
        session.results().get(ACQUIRE_REQUEST_NUMBER).ifPresent(operationResult -> {
            switch (operationResult) {
                case OperationResult.Revoked revoked -> end("lost");
                case OperationResult.Rejected(var reason) -> rejectionReason = reason;
                default -> end("released");
            }
        });
    }

    private synchronized void end(String state) {
        if (endState.isEmpty()) {
            endState = state;
            endedAtNanos = System.nanoTime();
            notifyAll();
        }
    }

    synchronized void onSessionUnknown() {
        isSessionUnknown = true;
        notifyAll();
    }

    synchronized boolean isSessionUnknown() {
        return isSessionUnknown;
    }

    synchronized boolean isEnded() {
        return !endState.isEmpty();
    }

    synchronized boolean isEndedBefore(long nanos) {
        return isEnded() && endedAtNanos - nanos < 0;
    }

    /** Why the acquire request was rejected, if it was. */
    synchronized Optional<OperationResult.RejectionReason> rejectionReason() {
        return Optional.ofNullable(rejectionReason);
    }

    synchronized void onAnswer(long number, OperationResult operationResult) {
        if (number == ACQUIRE_REQUEST_NUMBER && operationResult instanceof OperationResult.Rejected(var reason)) {
            rejectionReason = reason;
        }
        committedAbandons += operationResult instanceof OperationResult.Closed ? 1 : 0;
        notifyAll();
    }

    synchronized long committedAbandons() {
        return committedAbandons;
    }

    synchronized void onRenewed(long number) {
        lastRenewal = Math.max(lastRenewal, number);
        notifyAll();
    }

    synchronized boolean isRenewed(long number) {
        return lastRenewal >= number;
    }

    /** @param nanos when the request was sent that renewed the lease */
    synchronized void setRenewedAt(long nanos) {
        renewedAtNanos = nanos;
    }

    /** Empty if the lease was not renewed through this node. */
    synchronized Optional<Long> remainingLeaseMillis() {
        return Optional.ofNullable(renewedAtNanos)
                .map(since -> Math.max(0, leaseMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)));
    }

    /** Waits for a reply, at most {@code millis}; spurious wake-ups are possible. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    synchronized void awaitChange(long millis) {
        try {
            wait(Math.max(1, millis));
        } catch (InterruptedException interrupted) {
            throw TicketErrors.interrupted();
        }
    }

    synchronized void wakeWaiters() {
        notifyAll();
    }

    /** What the ticket is for; empty until the acquire request is in the lock table. */
    synchronized List<ResourceShare> shares() {
        return resourceShares;
    }

    synchronized String client() {
        return client;
    }

    synchronized long leaseMillis() {
        return leaseMillis;
    }

    synchronized long fence() {
        return fence;
    }

    boolean isElection() {
        return shares().stream().anyMatch(share -> share.name().kind() == ResourceName.Kind.ELECTION);
    }

    /** What the ticket is for, for messages. */
    String target() {
        var names = shares().stream().map(ResourceShare::name).toList();
        if (names.isEmpty()) {
            return "ticket " + id.hex();
        }
        var quoted = names.stream().map(name -> "'" + name.text() + "'").collect(Collectors.joining(", "));
        return switch (names.getFirst().kind()) {
            case LOCK -> (names.size() > 1 ? "locks " : "lock ") + quoted;
            case SEMAPHORE -> "permits of semaphore " + quoted;
            case ELECTION -> "leadership of " + quoted;
        };
    }
}
