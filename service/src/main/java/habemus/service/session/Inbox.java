package habemus.service.session;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one thread. Anybody may add; whoever adds wakes the thread only if it sleeps, so that a busy one costs
 * nobody anything.
 */
final class Inbox<E> {

    private final ConcurrentLinkedQueue<E> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread sleeper;

    void add(E one) {
        waiting.add(one);
        wake();
    }

    /** The thread looks up from its sleep, though there may be nothing for it. */
    void wake() {
        var thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    @Nullable
    E poll() {
        return waiting.poll();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Returns when there is something, or earlier; at the latest after this time. */
    void await(long nanos) {
        sleeper = requireNonNull(Thread.currentThread()); // before it looks: who adds later sees it
        if (waiting.isEmpty()) {
            LockSupport.parkNanos(this, nanos);
        }
        sleeper = null;
    }
}
