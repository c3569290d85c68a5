package habemus.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is held, until it is closed or lost. Any thread may use and close it.
 *
 * <p>Hand {@link #fence} to whatever the lock protects, and let that refuse smaller ones than it has seen. Before long
 * work that no fence can stop, ask {@link #isValid}.
 */
public final class Grant implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Grant.class);

    /** @param request of the request by which it was granted */
    record Details(long request, long fence, String resource, String kind) {}

    private final SessionDriver sessionDriver;
    private final ActiveSession activeSession;
    private final Details details;
    private final long since = System.nanoTime();
    private final ReentrantLock turn = new ReentrantLock();
    private final List<Consumer<LossReason>> listeners = new ArrayList<>();
    private Optional<LossReason> lossReason = Optional.empty();
    private Optional<CompletableFuture<Void>> release = Optional.empty();
    private volatile boolean held = true;

    Grant(SessionDriver sessionDriver, ActiveSession activeSession, Details details) {
        this.sessionDriver = sessionDriver;
        this.activeSession = activeSession;
        this.details = details;
    }

    Details details() {
        return details;
    }

    /** {@return the number of this grant, larger than that of every grant before, of any lock} */
    public long fence() {
        return details.fence;
    }

    /**
     * How long it is good if nothing more is heard of the service. While the service answers, this begins anew several
     * times a lease.
     *
     * @return zero, if it is closed or lost
     */
    public Duration remaining() {
        return isValid() ? activeSession.remaining() : Duration.ZERO;
    }

    /**
     * Looks at the clock. Once it is not valid, it never will be again.
     *
     * @return whether nobody else can have been granted it, as far as clocks can tell
     */
    public boolean isValid() {
        if (held && activeSession.remaining().isZero()) {
            markLost(new LossReason.LeaseExpired());
        }
        return held;
    }

    /**
     * The same for those who would only throw anyway.
     *
     * @throws LockLostException if it is not valid
     */
    public void ensureValid() {
        if (!isValid()) {
            throw new LockLostException(toString(), loss().orElseGet(LossReason.Resigned::new));
        }
    }

    /**
     * Calls once, on a virtual thread, when it is lost, before the service may grant to another; at once, if it is lost
     * already; never, if it is closed before.
     *
     * @param told what to do
     */
    public void onLost(Runnable told) {
        onLost(why -> told.run());
    }

    /**
     * The same, with the reason.
     *
     * @param told what to do
     */
    public void onLost(Consumer<LossReason> told) {
        Optional<LossReason> already;
        turn.lock();
        try {
            already = lossReason;
            if (already.isEmpty()) {
                listeners.add(told);
            }
        } finally {
            turn.unlock();
        }
        already.ifPresent(why -> tell(List.of(told), why));
    }

    /**
     * Gives it back, and waits until the service has confirmed it. If it is lost, or gets lost meanwhile, that is as
     * good: nothing is thrown. An interrupt ends the waiting, and is kept; the service is told all the same.
     */
    @Override
    public void close() {
        var released = releaseAsync();
        if (loss().isPresent()) {
            return;
        }
        try {
            released.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.debug(
                    "{} was closed, but: {}",
                    this,
                    e.getCause() == null ? e : e.getCause().getMessage());
        }
    }

    /**
     * Like {@link #close}, for those who must know whether it was good until the end.
     *
     * @throws LockLostException if it was lost before
     * @throws OutcomeUnknownException if the session was lost before the answer
     * @throws InterruptedException if the thread is interrupted; the service is told all the same
     */
    public void release() throws InterruptedException {
        isValid();
        var released = releaseAsync();
        throwIfLost();
        Futures.await(released);
    }

    void throwIfLost() {
        loss().ifPresent(why -> {
            throw new LockLostException(toString(), why);
        });
    }

    private Optional<LossReason> loss() {
        turn.lock();
        try {
            return lossReason;
        } finally {
            turn.unlock();
        }
    }

    /** In an election. */
    CompletableFuture<Void> transferTo(String to) {
        var transferRequest = new TransferRequest(this, to);
        sessionDriver.post(() -> sessionDriver.submit(activeSession, transferRequest));
        return transferRequest.outcome();
    }

    void removeRequest() {
        activeSession.removeRequest(details.request);
    }

    /** Without waiting for anything. */
    void releaseInBackground() {
        var unused = releaseAsync();
    }

    CompletableFuture<Void> releaseAsync() {
        turn.lock();
        try {
            if (release.isEmpty()) {
                var releaseRequest = new ReleaseRequest(activeSession, details.request);
                release = Optional.of(releaseRequest.outcome());
                leave();
                sessionDriver.post(() -> sessionDriver.submit(activeSession, releaseRequest));
            }
            return release.get();
        } finally {
            turn.unlock();
        }
    }

    private void leave() {
        if (held) {
            held = false;
            ClientMetrics.INSTANCE.recordHold(details.kind, System.nanoTime() - since);
        }
    }

    /** Does nothing, if it is lost or given back. */
    void markLost(LossReason why) {
        turn.lock();
        try {
            if (!held) {
                return;
            }
            leave();
            lossReason = Optional.of(why);
            tell(List.copyOf(listeners), why);
            listeners.clear();
        } finally {
            turn.unlock();
        }
        if (why instanceof LossReason.LeaseExpired
                || why instanceof LossReason.SessionExpired
                || why instanceof LossReason.Revoked) {
            ClientMetrics.INSTANCE.countLoss(details.kind);
            LOG.warn("{} is lost: {}", this, why);
        }
    }

    /** Each on its own: one that blocks delays nobody. */
    private void tell(List<Consumer<LossReason>> whom, LossReason why) {
        for (var told : whom) {
            Thread.ofVirtual().name("habemus-lost-" + details.resource).start(() -> told.accept(why));
        }
    }

    @Override
    public String toString() {
        return details.resource + " by fence " + details.fence;
    }
}
