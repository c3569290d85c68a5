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
 * A granted lock, valid until it is closed or lost. Any thread may use and close it.
 *
 * <p>Send {@link #fence} with every write to the protected resource, and let the resource reject smaller fences than it
 * has seen. Before long work that no fence can stop, check {@link #isValid}.
 */
public final class Grant implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Grant.class);

    /** @param request number of the granted acquire */
    record Details(long request, long fence, String resource, String kind) {}

    private final SessionDriver driver;
    private final ActiveSession session;
    private final Details details;
    private final long grantedAtNanos;
    private final ReentrantLock mutex = new ReentrantLock();
    private final List<Consumer<LossReason>> listeners = new ArrayList<>();
    private Optional<LossReason> lossReason = Optional.empty();
    private Optional<CompletableFuture<Void>> release = Optional.empty();
    private volatile boolean isHeld = true;

    Grant(SessionDriver driver, ActiveSession session, Details details) {
        this.driver = driver;
        this.session = session;
        this.details = details;
        grantedAtNanos = driver.nanoTime();
    }

    Details details() {
        return details;
    }

    /** {@return the fencing token of this grant, larger than that of every earlier grant of any lock} */
    public long fence() {
        return details.fence;
    }

    /**
     * Returns how long the grant stays valid without further acknowledgement. While the service is reachable, the
     * client renews it several times a lease.
     *
     * @return zero if the grant is closed or lost
     */
    public Duration remaining() {
        return isValid() ? session.remaining() : Duration.ZERO;
    }

    /**
     * Checks the grant against the local clock. An invalid grant never becomes valid again.
     *
     * @return whether no other client can have been granted the lock, as far as clocks can tell
     */
    public boolean isValid() {
        if (isHeld && session.remaining().isZero()) {
            markLost(new LossReason.LeaseExpired());
        }
        return isHeld;
    }

    /**
     * Throws unless the grant is valid.
     *
     * @throws LockLostException if the grant is closed or lost
     */
    public void ensureValid() {
        if (!isValid()) {
            throw new LockLostException(toString(), loss().orElseGet(LossReason.Resigned::new));
        }
    }

    /**
     * Registers a listener for the loss of this grant. It is called once, on a virtual thread, before the service can
     * grant the lock to another client. If the grant is lost already, it is called at once; if the grant is closed
     * before, it is not called.
     *
     * @param listener called without arguments
     */
    public void onLost(Runnable listener) {
        onLost(reason -> listener.run());
    }

    /**
     * Registers a listener for the loss of this grant, as {@link #onLost(Runnable)}.
     *
     * @param listener called with the reason
     */
    public void onLost(Consumer<LossReason> listener) {
        Optional<LossReason> already;
        mutex.lock();
        try {
            already = lossReason;
            if (already.isEmpty()) {
                listeners.add(listener);
            }
        } finally {
            mutex.unlock();
        }
        already.ifPresent(reason -> notifyListeners(List.of(listener), reason));
    }

    /**
     * Releases the grant, and waits until the service has confirmed it. Does not throw if the grant is lost before or
     * during the release. An interrupt ends the waiting and stays set; the release is sent nevertheless.
     */
    @Override
    public void close() {
        var released = releaseAsync();
        if (loss().isPresent() || !driver.mayWait()) {
            return;
        }
        try {
            released.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.debug(
                    "release not confirmed grant=\"{}\" cause=\"{}\"",
                    this,
                    e.getCause() == null ? e : e.getCause().getMessage());
        }
    }

    /**
     * Releases the grant like {@link #close}, but throws if it was not valid until the end.
     *
     * @throws LockLostException if the grant was lost before
     * @throws OutcomeUnknownException if the session was lost before the release was confirmed
     * @throws InterruptedException if the thread is interrupted; the release is sent nevertheless
     */
    public void release() throws InterruptedException {
        isValid();
        var released = releaseAsync();
        throwIfLost();
        if (driver.mayWait()) {
            Futures.await(released);
        }
    }

    void throwIfLost() {
        loss().ifPresent(reason -> {
            throw new LockLostException(toString(), reason);
        });
    }

    private Optional<LossReason> loss() {
        mutex.lock();
        try {
            return lossReason;
        } finally {
            mutex.unlock();
        }
    }

    /** Transfers leadership; only for grants of an election. */
    CompletableFuture<Void> transferTo(String to) {
        var transferRequest = new TransferRequest(this, to);
        driver.post(() -> driver.submit(session, transferRequest));
        return transferRequest.outcome();
    }

    void removeRequest() {
        session.removeRequest(details.request);
    }

    /** Releases without waiting for the confirmation. */
    void releaseInBackground() {
        var unused = releaseAsync();
    }

    CompletableFuture<Void> releaseAsync() {
        mutex.lock();
        try {
            if (release.isEmpty()) {
                var releaseRequest = new ReleaseRequest(session, details.request, details.fence);
                release = Optional.of(releaseRequest.outcome());
                endHold();
                driver.post(() -> driver.submit(session, releaseRequest));
            }
            return release.get();
        } finally {
            mutex.unlock();
        }
    }

    private void endHold() {
        if (isHeld) {
            isHeld = false;
            ClientMetrics.INSTANCE.recordHold(details.kind, driver.nanoTime() - grantedAtNanos);
        }
    }

    /** Marks the grant as lost, unless it is lost or released already. */
    void markLost(LossReason reason) {
        mutex.lock();
        try {
            if (!isHeld) {
                return;
            }
            endHold();
            lossReason = Optional.of(reason);
            notifyListeners(List.copyOf(listeners), reason);
            listeners.clear();
        } finally {
            mutex.unlock();
        }
        if (reason instanceof LossReason.LeaseExpired
                || reason instanceof LossReason.SessionExpired
                || reason instanceof LossReason.Revoked) {
            ClientMetrics.INSTANCE.countLoss(details.kind);
            LOG.warn("lock lost resource=\"{}\" fence={} reason=\"{}\"", details.resource, details.fence, reason);
        }
    }

    /** Calls every listener by itself, so that a blocking listener does not delay others. */
    private void notifyListeners(List<Consumer<LossReason>> receivers, LossReason reason) {
        for (var listener : receivers) {
            driver.callbackExecutor().execute(() -> listener.accept(reason));
        }
    }

    @Override
    public String toString() {
        return details.resource + " with fence " + details.fence;
    }
}
