package habemus.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A JDK view of a lock: threads wait for each other at a mutex, and its holder waits for the service. */
final class JdkLock implements java.util.concurrent.locks.Lock {

    private final Lock lock;
    private final ReentrantLock mutex = new ReentrantLock();

    /** The grant of the thread that holds {@link #mutex}. */
    private @Nullable Grant grant;

    JdkLock(Lock lock) {
        this.lock = lock;
    }

    private interface GrantSource {
        @Nullable
        Grant grant() throws InterruptedException;
    }

    /** Acquires the grant; the caller holds the mutex. Unlocks the mutex if there is no grant. */
    private boolean lockService(GrantSource source) throws InterruptedException {
        boolean isLocked = false;
        try {
            if (mutex.getHoldCount() > 1) {
                requireNonNull(grant).ensureValid();
                isLocked = true;
            } else {
                grant = source.grant();
                isLocked = grant != null;
            }
            return isLocked;
        } finally {
            if (!isLocked) {
                mutex.unlock();
            }
        }
    }

    /** Keeps an interrupt for later. */
    @Override
    public void lock() {
        mutex.lock();
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    lockService(lock::acquire);
                    return;
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                    mutex.lock();
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        mutex.lockInterruptibly();
        lockService(lock::acquire);
    }

    @Override
    public boolean tryLock() {
        try {
            return mutex.tryLock() && lockService(this::tryAcquire);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private @Nullable Grant tryAcquire() throws InterruptedException {
        return lock.tryAcquire() instanceof AcquireResult.Granted(var granted) ? granted : null;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long deadlineNanos = lock.driver().nanoTime() + unit.toNanos(time);
        return mutex.tryLock(time, unit) && lockService(() -> acquireUntil(deadlineNanos));
    }

    private @Nullable Grant acquireUntil(long deadlineNanos) throws InterruptedException {
        long remainingNanos = deadlineNanos - lock.driver().nanoTime();
        if (remainingNanos <= 0) {
            return tryAcquire();
        }
        try {
            return lock.acquire(Duration.ofNanos(remainingNanos));
        } catch (LockTimeoutException | ServiceUnavailableException e) {
            return null;
        }
    }

    @Override
    public void unlock() {
        if (!mutex.isHeldByCurrentThread()) {
            throw new IllegalMonitorStateException(lock + " is not held by this thread");
        }
        try {
            var held = requireNonNull(grant);
            if (mutex.getHoldCount() == 1) {
                grant = null;
                held.isValid(); // detects a loss before the release
                held.close();
                held.throwIfLost();
            }
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("conditions are not supported by distributed locks"
                + "\nhint: poll with lock and unlock, or use a semaphore");
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
