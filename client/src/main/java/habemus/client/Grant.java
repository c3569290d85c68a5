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

    /** @param number of the request by which it was granted */
    record Title(long number, long fence, String what, String kind) {}

    private final Driver driver;
    private final Life life;
    private final Title title;
    private final long since = System.nanoTime();
    private final ReentrantLock turn = new ReentrantLock();
    private final List<Consumer<Loss>> listeners = new ArrayList<>();
    private Optional<Loss> loss = Optional.empty();
    private Optional<CompletableFuture<Void>> release = Optional.empty();
    private volatile boolean held = true;

    Grant(Driver driver, Life life, Title title) {
        this.driver = driver;
        this.life = life;
        this.title = title;
    }

    Title title() {
        return title;
    }

    /** {@return the number of this grant, larger than that of every grant before, of any lock} */
    public long fence() {
        return title.fence;
    }

    /**
     * How long it is good if nothing more is heard of the service. While the service answers, this begins anew several
     * times a lease.
     *
     * @return zero, if it is closed or lost
     */
    public Duration remaining() {
        return isValid() ? life.remaining() : Duration.ZERO;
    }

    /**
     * Looks at the clock. Once it is not valid, it never will be again.
     *
     * @return whether nobody else can have been granted it, as far as clocks can tell
     */
    public boolean isValid() {
        if (held && life.remaining().isZero()) {
            lose(new Loss.Overdue());
        }
        return held;
    }

    /**
     * The same for those who would only throw anyway.
     *
     * @throws LockLost if it is not valid
     */
    public void ensureValid() {
        if (!isValid()) {
            throw new LockLost(toString(), loss().orElseGet(Loss.Resigned::new));
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
    public void onLost(Consumer<Loss> told) {
        Optional<Loss> already;
        turn.lock();
        try {
            already = loss;
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
        var released = giveBack();
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
     * @throws LockLost if it was lost before
     * @throws OutcomeUnknown if the session was lost before the answer
     * @throws InterruptedException if the thread is interrupted; the service is told all the same
     */
    public void release() throws InterruptedException {
        isValid();
        var released = giveBack();
        throwIfLost();
        Waits.get(released);
    }

    void throwIfLost() {
        loss().ifPresent(why -> {
            throw new LockLost(toString(), why);
        });
    }

    private Optional<Loss> loss() {
        turn.lock();
        try {
            return loss;
        } finally {
            turn.unlock();
        }
    }

    /** In an election. */
    CompletableFuture<Void> handOver(String to) {
        var handover = new Handover(this, to);
        driver.post(() -> driver.ask(life, handover));
        return handover.outcome();
    }

    void forget() {
        life.forget(title.number);
    }

    /** Without waiting for anything. */
    void giveUp() {
        var unused = giveBack();
    }

    CompletableFuture<Void> giveBack() {
        turn.lock();
        try {
            if (release.isEmpty()) {
                var surrender = new Surrender(life, title.number);
                release = Optional.of(surrender.outcome());
                leave();
                driver.post(() -> driver.ask(life, surrender));
            }
            return release.get();
        } finally {
            turn.unlock();
        }
    }

    private void leave() {
        if (held) {
            held = false;
            Meters.FOUND.held(title.kind, System.nanoTime() - since);
        }
    }

    /** Does nothing, if it is lost or given back. */
    void lose(Loss why) {
        turn.lock();
        try {
            if (!held) {
                return;
            }
            leave();
            loss = Optional.of(why);
            tell(List.copyOf(listeners), why);
            listeners.clear();
        } finally {
            turn.unlock();
        }
        if (why instanceof Loss.Overdue || why instanceof Loss.Ended || why instanceof Loss.Revoked) {
            Meters.FOUND.lost(title.kind);
            LOG.warn("{} is lost: {}", this, why);
        }
    }

    /** Each on its own: one that blocks delays nobody. */
    private void tell(List<Consumer<Loss>> whom, Loss why) {
        for (var told : whom) {
            Thread.ofVirtual().name("habemus-lost-" + title.what).start(() -> told.accept(why));
        }
    }

    @Override
    public String toString() {
        return title.what + " by fence " + title.fence;
    }
}
