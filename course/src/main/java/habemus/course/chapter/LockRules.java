package habemus.course.chapter;

import java.lang.Thread.State;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** What locks can do that monitors cannot: attempts, interrupts, readers and writers, several conditions. */
final class LockRules implements Demonstration {

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public String claim() {
        return "A lock can be tried, interrupted and shared by readers, and has several conditions.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        return List.of(
                tryLock(),
                interruptedMonitor(),
                interruptedLock(),
                foreignUnlock(),
                readers(),
                upgrade(),
                conditions(),
                optimisticRead());
    }

    private static Observation tryLock() throws InterruptedException {
        var lock = new ReentrantLock();
        boolean taken;
        lock.lock();
        try {
            taken = tryInThread(lock);
        } finally {
            lock.unlock();
        }
        boolean takenLater = tryInThread(lock);
        return Observation.of(
                "tryLock returns at once, with or without the lock",
                "while held: " + taken + ", after the release: " + takenLater,
                !taken && takenLater);
    }

    private static Observation interruptedMonitor() throws InterruptedException {
        var monitor = new Object();
        Thread waiter;
        State state;
        synchronized (monitor) {
            waiter = Thread.ofPlatform().start(() -> {
                synchronized (monitor) {
                    monitor.notifyAll();
                }
            });
            BoundedWait.forState(waiter, State.BLOCKED);
            waiter.interrupt();
            state = waiter.getState();
        }
        waiter.join();
        return Observation.of(
                "an interrupt does not end the wait for a monitor",
                state + " after the interrupt",
                state == State.BLOCKED);
    }

    private static Observation interruptedLock() throws InterruptedException {
        var lock = new ReentrantLock();
        var interrupted = new AtomicBoolean();
        var waiter = Thread.ofPlatform().unstarted(() -> {
            try {
                lock.lockInterruptibly();
                lock.unlock();
            } catch (InterruptedException stop) {
                interrupted.set(true);
            }
        });
        lock.lock();
        try {
            waiter.start();
            BoundedWait.forState(waiter, State.WAITING);
            waiter.interrupt();
            var state = BoundedWait.forState(waiter, State.TERMINATED);
            return Observation.of(
                    "an interrupt ends lockInterruptibly",
                    state + (interrupted.get() ? " by InterruptedException" : ""),
                    state == State.TERMINATED && interrupted.get());
        } finally {
            lock.unlock();
        }
    }

    private static Observation foreignUnlock() {
        try {
            new ReentrantLock().unlock();
            return Observation.of("only the holder may unlock", "accepted", false);
        } catch (IllegalMonitorStateException refused) {
            return Observation.of(
                    "only the holder may unlock", refused.getClass().getSimpleName(), true);
        }
    }

    private static Observation readers() throws InterruptedException {
        var lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        try {
            boolean second = tryInThread(lock.readLock());
            boolean writer = tryInThread(lock.writeLock());
            return Observation.of(
                    "readers share a read-write lock, a writer excludes them",
                    "while one reads: second reader " + second + ", writer " + writer,
                    second && !writer);
        } finally {
            lock.readLock().unlock();
        }
    }

    private static Observation upgrade() {
        var lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        try {
            boolean upgraded = lock.writeLock().tryLock();
            return Observation.of(
                    "a reader cannot become the writer: it would wait for itself",
                    "writeLock().tryLock() of the reader: " + upgraded,
                    !upgraded);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** A monitor has one set of waiters; a lock has one for each condition. */
    private static Observation conditions() throws InterruptedException {
        var lock = new ReentrantLock();
        var notEmpty = lock.newCondition();
        var notFull = lock.newCondition();
        var ready = new AtomicBoolean();
        var consumer = Thread.ofPlatform().start(() -> await(ready, lock, notEmpty));
        var producer = Thread.ofPlatform().start(() -> await(ready, lock, notFull));
        BoundedWait.until(() -> hasWaiters(lock, notEmpty) && hasWaiters(lock, notFull));
        lock.lock();
        try {
            ready.set(true);
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
        var consumerState = BoundedWait.forState(consumer, State.TERMINATED);
        boolean producerWaits = hasWaiters(lock, notFull);
        producer.interrupt();
        producer.join();
        return Observation.of(
                "signal wakes a waiter of its own condition only",
                "not-empty: " + consumerState + ", not-full: " + (producerWaits ? "still waiting" : "woken"),
                consumerState == State.TERMINATED && producerWaits);
    }

    private static void await(AtomicBoolean ready, Lock lock, Condition condition) {
        lock.lock();
        try {
            while (!ready.get()) {
                condition.await();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private static boolean hasWaiters(ReentrantLock lock, Condition condition) {
        lock.lock();
        try {
            return lock.hasWaiters(condition);
        } finally {
            lock.unlock();
        }
    }

    private static Observation optimisticRead() {
        var lock = new StampedLock();
        long stamp = lock.tryOptimisticRead();
        boolean before = lock.validate(stamp);
        lock.unlockWrite(lock.writeLock());
        boolean after = lock.validate(stamp);
        return Observation.of(
                "an optimistic read takes no lock, and is invalid after a write",
                "valid before the write: " + before + ", after it: " + after,
                before && !after);
    }

    private static boolean tryInThread(Lock lock) throws InterruptedException {
        var taken = new AtomicBoolean();
        var thread = Thread.ofPlatform().start(() -> {
            if (lock.tryLock()) {
                taken.set(true);
                lock.unlock();
            }
        });
        thread.join();
        return taken.get();
    }
}
