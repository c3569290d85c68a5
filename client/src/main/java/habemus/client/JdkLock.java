package habemus.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A lock of the JDK: threads wait for each other here, and the first of them waits for the service. */
final class JdkLock implements java.util.concurrent.locks.Lock {

    private final Lock lock;
    private final ReentrantLock here = new ReentrantLock();

    /** Of the thread that holds {@link #here}. */
    private @Nullable Grant grant;

    JdkLock(Lock lock) {
        this.lock = lock;
    }

    private interface Entry {
        @Nullable
        Grant grant() throws InterruptedException;
    }

    /** {@code here} is ours. If it is not to be had, {@code here} is given back. */
    private boolean enter(Entry entry) throws InterruptedException {
        boolean entered = false;
        try {
            if (here.getHoldCount() > 1) {
                requireNonNull(grant).ensureValid();
                entered = true;
            } else {
                grant = entry.grant();
                entered = grant != null;
            }
            return entered;
        } finally {
            if (!entered) {
                here.unlock();
            }
        }
    }

    /** An interrupt is kept for later. */
    @Override
    public void lock() {
        here.lock();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    enter(lock::acquire);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                    here.lock();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        here.lockInterruptibly();
        enter(lock::acquire);
    }

    @Override
    public boolean tryLock() {
        try {
            return here.tryLock() && enter(this::attempt);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private @Nullable Grant attempt() throws InterruptedException {
        return lock.tryAcquire() instanceof AcquireResult.Granted(var granted) ? granted : null;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long until = System.nanoTime() + unit.toNanos(time);
        return here.tryLock(time, unit) && enter(() -> until(until));
    }

    private @Nullable Grant until(long until) throws InterruptedException {
        long left = until - System.nanoTime();
        if (left <= 0) {
            return attempt();
        }
        try {
            return lock.acquire(Duration.ofNanos(left));
        } catch (LockTimeoutException | ServiceUnavailableException late) {
            return null;
        }
    }

    @Override
    public void unlock() {
        if (!here.isHeldByCurrentThread()) {
            throw new IllegalMonitorStateException(lock + " is not held by this thread");
        }
        try {
            var last = requireNonNull(grant);
            if (here.getHoldCount() == 1) {
                grant = null;
                last.isValid(); // a loss is told, and a late release is none
                last.close();
                last.throwIfLost();
            }
        } finally {
            here.unlock();
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a lock of several processes has no conditions;"
                + " let who waits acquire, look, and release, or use a semaphore");
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
