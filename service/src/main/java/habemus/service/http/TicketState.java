package habemus.service.http;

import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.table.AcquireState;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.SessionEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A ticket as one node knows it: the session that it is, and what this node has said and heard of it. */
final class TicketState {

    /** The request by which everything is asked for that the ticket is about. */
    static final long ACQUIRE_REQUEST_NUMBER = 1;

    final String id;
    final long session;
    final long nonce;
    private List<ResourceShare> resourceShares = List.of();
    private String client = "";
    private long leaseMillis; // milliseconds
    private long fence;
    private long lastRenewal; // the last renewal that was acknowledged
    private @Nullable Long renewedAtNanos; // when the last thing was said that was acknowledged, on the monotonic clock
    private OperationResult.@Nullable RejectionReason rejectionReason;
    private boolean isReleasing; // its client wants to be rid of it
    private String endState = ""; // how it ended
    private long endedAtNanos; // when, on the monotonic clock

    TicketState(String id, long session, long nonce) {
        this.id = id;
        this.session = session;
        this.nonce = nonce;
    }

    /** What the table says of it: waiting, held, released, lost, expired. */
    synchronized String refresh(LockTable lockTable) {
        if (endState.isEmpty()) {
            lockTable
                    .sessions()
                    .get(session)
                    .filter(sessionEntry -> sessionEntry.nonce() == nonce)
                    .ifPresentOrElse(this::refresh, () -> end(isReleasing ? "released" : "expired"));
        }
        return endState.isEmpty() ? fence > 0 ? "held" : "waiting" : endState;
    }

    private void refresh(SessionEntry sessionEntry) {
        client = sessionEntry.client().name();
        leaseMillis = sessionEntry.lease().toMillis();
        var acquireState = sessionEntry.acquires().get(ACQUIRE_REQUEST_NUMBER);
        resourceShares = acquireState.map(AcquireState::shares).orElse(resourceShares);
        if (acquireState.isPresent()) {
            fence = acquireState.get() instanceof AcquireState.Holding holding ? holding.fence() : 0;
            return;
        }
        sessionEntry.results().get(ACQUIRE_REQUEST_NUMBER).ifPresent(operationResult -> {
            switch (operationResult) {
                case OperationResult.Revoked revoked -> end("lost");
                case OperationResult.Rejected(var why) -> rejectionReason = why;
                default -> end("released");
            }
        });
    }

    synchronized void end(String how) {
        if (endState.isEmpty()) {
            endState = how;
            endedAtNanos = System.nanoTime();
            notifyAll();
        }
    }

    synchronized void markReleasing() {
        isReleasing = true;
    }

    /** Its session is over. */
    synchronized void onSessionEnded() {
        end(isReleasing ? "released" : "expired");
    }

    /** The number of its next request. */
    long nextRequestNumber(LockTable lockTable) {
        return 1
                + lockTable
                        .sessions()
                        .get(session)
                        .map(sessionEntry -> Math.max(
                                last(sessionEntry.results().keys()),
                                last(sessionEntry.acquires().keys())))
                        .orElse(ACQUIRE_REQUEST_NUMBER);
    }

    private static long last(List<Long> numbers) {
        return numbers.isEmpty() ? ACQUIRE_REQUEST_NUMBER : numbers.getLast();
    }

    /** Whether this request has been answered for good. */
    boolean isAnswered(long number, LockTable lockTable) {
        return lockTable
                .sessions()
                .get(session)
                .filter(sessionEntry -> !sessionEntry.results().contains(number))
                .isEmpty();
    }

    synchronized boolean isEnded() {
        return !endState.isEmpty();
    }

    synchronized boolean isEndedBefore(long nanos) {
        return isEnded() && endedAtNanos - nanos < 0;
    }

    /** What a node, or the table, has against it. */
    synchronized Optional<OperationResult.RejectionReason> fault() {
        return Optional.ofNullable(rejectionReason);
    }

    synchronized void onAnswer(long number, OperationResult operationResult) {
        if (number == ACQUIRE_REQUEST_NUMBER && operationResult instanceof OperationResult.Rejected(var why)) {
            rejectionReason = why;
        }
        notifyAll();
    }

    synchronized void onRenewed(long number) {
        lastRenewal = Math.max(lastRenewal, number);
        notifyAll();
    }

    synchronized boolean isRenewed(long number) {
        return lastRenewal >= number;
    }

    /** Something that was said then is in the log. */
    synchronized void setRenewedAt(long nanos) {
        renewedAtNanos = nanos;
    }

    /** Milliseconds that are left of the lease; nothing if another node was told. */
    synchronized Optional<Long> remainingLeaseMillis() {
        return Optional.ofNullable(renewedAtNanos)
                .map(since -> Math.max(0, leaseMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)));
    }

    /** Until something is heard of it, or so long, or for no reason: whoever calls this looks again anyway. */
    @SuppressWarnings("WaitNotInLoop")
    synchronized void awaitChange(long millis) {
        try {
            wait(Math.max(1, millis));
        } catch (InterruptedException interrupted) {
            throw TicketErrors.interrupted();
        }
    }

    /** Whoever waits is to look again. */
    synchronized void wakeWaiters() {
        notifyAll();
    }

    synchronized List<ResourceShare> wants() {
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
        return wants().stream()
                .anyMatch(resourceShare -> resourceShare.resourceName().kind() == ResourceName.Kind.ELECTION);
    }

    /** What it is about, for those who are told that it is over. */
    String target() {
        return isElection() ? "the leadership" : wants().size() > 1 ? "the locks" : "the lock";
    }
}
