package habemus.course.threads;

import habemus.course.threads.LockCycle.NamedLock;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Two threads transfer between two accounts, each with a lock. One transfers from a to b, the other from b to a.
 *
 * <p>If each takes the lock of its own source first, both can hold one lock and wait for the other. A latch between the
 * two locks makes sure of it. If both take lock a first, no cycle is possible.
 */
public final class LockOrderRun {

    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    private final NamedLock a = new NamedLock("a");
    private final NamedLock b = new NamedLock("b");
    private final ThreadKind kind;
    private long transfers;

    public LockOrderRun(ThreadKind kind) {
        this.kind = kind;
    }

    /**
     * The deadlock, observed while it lasted.
     *
     * @param cycle found by the wait-for graph of the locks
     * @param seenByJvm the threads that {@code ThreadMXBean.findDeadlockedThreads} names; it ignores virtual threads
     * @param hasEnded whether both threads ended after an interrupt
     */
    public record Deadlock(ThreadKind kind, LockCycle cycle, List<String> seenByJvm, boolean hasEnded) {}

    /** Lets both threads take their locks in opposite order, finds the cycle, and ends it with an interrupt. */
    public Deadlock oppositeOrder() {
        var bothHoldOne = new CountDownLatch(2);
        var first = kind.unstarted("transfer-ab", () -> transferOnce(a, b, bothHoldOne));
        var second = kind.unstarted("transfer-ba", () -> transferOnce(b, a, bothHoldOne));
        first.start();
        second.start();
        awaitCycle();
        var cycle = LockCycle.find(List.of(a, b), LockOrderRun.class);
        var seenByJvm = deadlockedThreads();
        first.interrupt(); // its wait for lock b ends, it releases lock a, and the other thread goes on
        boolean hasEnded = join(first) && join(second);
        return new Deadlock(kind, cycle, seenByJvm, hasEnded);
    }

    private void transferOnce(NamedLock from, NamedLock to, CountDownLatch bothHoldOne) {
        from.lock();
        try {
            bothHoldOne.countDown();
            bothHoldOne.await();
            to.lockInterruptibly();
            to.unlock();
        } catch (InterruptedException victim) {
            Thread.currentThread().interrupt();
        } finally {
            from.unlock();
        }
    }

    /** Waits until each lock has a waiter: then both threads wait. */
    private void awaitCycle() {
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        while (!(a.hasQueuedThreads() && b.hasQueuedThreads())) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no deadlock within " + MAX_WAIT.toSeconds() + " s");
            }
            Thread.onSpinWait();
        }
    }

    /** A thread is in the queue of its lock shortly before it parks, and the JVM sees only threads that are parked. */
    private List<String> deadlockedThreads() {
        var threads = ManagementFactory.getThreadMXBean();
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        var found = threads.findDeadlockedThreads();
        while (found == null && kind == ThreadKind.PLATFORM && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            found = threads.findDeadlockedThreads();
        }
        return found == null
                ? List.of()
                : List.of(threads.getThreadInfo(found)).stream()
                        .map(info -> info.getThreadName() + " waits for " + info.getLockOwnerName())
                        .sorted()
                        .toList();
    }

    /**
     * Lets both threads transfer many times with the locks in the same order.
     *
     * @return the number of transfers that ended
     */
    public long sameOrder(int transfersPerThread) {
        var first = kind.unstarted("transfer-ab", () -> transferInOrder(transfersPerThread));
        var second = kind.unstarted("transfer-ba", () -> transferInOrder(transfersPerThread));
        first.start();
        second.start();
        return join(first) && join(second) ? transfers : 0;
    }

    private void transferInOrder(int times) {
        for (int i = 0; i < times; i++) {
            a.lock();
            try {
                b.lock();
                try {
                    transfers++;
                } finally {
                    b.unlock();
                }
            } finally {
                a.unlock();
            }
        }
    }

    private static boolean join(Thread thread) {
        try {
            return thread.join(MAX_WAIT);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }
}
