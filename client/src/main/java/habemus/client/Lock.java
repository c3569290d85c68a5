package habemus.client;

import habemus.fenced.Description;
import habemus.fenced.Name;
import habemus.fenced.Want;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One at a time; or, if it is one side of a {@link ReadWriteLock}, as that says. */
public final class Lock implements Acquirable {

    private final Gate gate;
    private final Want want;

    Lock(Driver driver, Want want) {
        gate = new Gate(driver, List.of(want));
        this.want = want;
    }

    /** {@return its name} */
    public String name() {
        return want.name().text();
    }

    @Override
    public Grant acquire() throws InterruptedException {
        return gate.acquire();
    }

    @Override
    public Grant acquire(Duration most) throws InterruptedException {
        return gate.acquire(most);
    }

    @Override
    public Attempt tryAcquire() throws InterruptedException {
        return gate.tryAcquire();
    }

    @Override
    public CompletableFuture<Grant> acquireAsync() {
        return gate.acquireAsync();
    }

    /**
     * Who holds it, who waits, who was inside before.
     *
     * @return as the answering node knows it
     * @throws InterruptedException if the thread is interrupted
     * @throws Unreachable if no node answers in time
     */
    public Description describe() throws InterruptedException {
        return Sights.describe(gate.driver(), want.name());
    }

    /**
     * For code that wants a lock of the JDK. It belongs to the thread that locked it, virtual or not, and is reentrant.
     * Threads of this object wait for each other within the JVM, and then together for the service. Keep the object:
     * another one of the same name is another user of the lock, also to the same thread. There are no conditions.
     *
     * <p>A loss shows as {@link LockLost}, in {@code unlock} at the latest, since there is no grant to ask. Where a
     * fence can be checked, prefer {@link #acquire()}.
     *
     * @return another view of this lock
     */
    public java.util.concurrent.locks.Lock asLock() {
        return new ThreadLock(this);
    }

    /** {@code lock orders} */
    @Override
    public String toString() {
        return Name.lock(name()).toString();
    }
}
