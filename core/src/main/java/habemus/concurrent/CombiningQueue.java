package habemus.concurrent;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs submitted events one at a time. The submitting thread drains the queue if no other thread is draining it. So a
 * single submitter needs no thread switch, and no submitter waits for another. A background thread runs the remaining
 * events, and calls the handler when its delay has passed.
 *
 * @param <E> type of the events
 * @see <a href="https://doi.org/10.1145/1810479.1810540">Hendler et al., Flat combining, SPAA 2010</a>
 */
public final class CombiningQueue<E> {

    /** Handles events. It is called by one thread at a time, and sees the writes of the call before. */
    public interface Handler {

        /**
         * Handles some events that it {@linkplain CombiningQueue#poll polls}. Must not throw and must not block.
         *
         * @return nanoseconds after which it is called again even without an event
         */
        long runPending();
    }

    /** Nanoseconds that a handler returns if it has no deadline: one hour. */
    public static final long IDLE_NANOS = TimeUnit.HOURS.toNanos(1);

    /** The background thread is woken only if the next deadline is so much earlier than its planned wake-up. */
    private static final long WAKE_EARLIER_NANOS = 100_000;

    /** How often a submitter calls the handler before it leaves further events to the background thread. */
    private static final int MAX_ROUNDS = 4;

    private final Handler handler;
    private final Runnable afterDrain;
    private final ConcurrentLinkedQueue<E> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isDraining = new AtomicBoolean();
    private volatile long dueNanos = System.nanoTime();
    private volatile long plannedWakeUpNanos;
    private volatile @Nullable Thread sleeper;
    private volatile @Nullable Thread thread;
    private volatile boolean isStopped;

    public CombiningQueue(Handler handler) {
        this(handler, () -> {});
    }

    /** @param afterDrain called by the draining thread after each call of the handler, when others may drain again */
    public CombiningQueue(Handler handler, Runnable afterDrain) {
        this.handler = handler;
        this.afterDrain = afterDrain;
    }

    /** Starts the background thread. */
    public void start(ThreadFactory factory) {
        var started = requireNonNull(factory.newThread(this::run));
        thread = started;
        started.start();
    }

    /** Stops the background thread. Later events are run by their submitters. */
    public void stop() {
        isStopped = true;
        wakeThread();
    }

    /** Waits until the background thread has ended. */
    public void join() throws InterruptedException {
        var started = thread;
        if (started != null) {
            started.join();
        }
    }

    /** Adds an event, and drains the queue unless another thread is draining it. */
    public void submit(E event) {
        enqueue(event);
        drain();
    }

    /** Adds an event without running it. The caller must {@link #drain} afterwards. */
    public void enqueue(E event) {
        events.add(event);
    }

    /** {@return the next event, or null; to be called by the handler only} */
    public @Nullable E poll() {
        return events.poll();
    }

    public boolean isEmpty() {
        return events.isEmpty();
    }

    /**
     * Calls the handler until the queue is empty, unless another thread is draining. No event is missed. A thread that
     * fails to start draining has added its event before. The draining thread checks the queue after it has ended.
     */
    public void drain() {
        for (int round = 1; isDraining.compareAndSet(false, true); round++) {
            try {
                dueNanos = System.nanoTime() + handler.runPending();
            } finally {
                isDraining.set(false);
            }
            afterDrain.run();
            boolean isLeft = !events.isEmpty();
            if (!isLeft || round >= MAX_ROUNDS && !isStopped) {
                if (isLeft || plannedWakeUpNanos - dueNanos > WAKE_EARLIER_NANOS) {
                    wakeThread();
                }
                return;
            }
        }
    }

    /** Makes the background thread drain the queue. */
    public void wakeThread() {
        var sleeping = sleeper;
        if (sleeping != null) {
            LockSupport.unpark(sleeping);
        }
    }

    private void run() {
        while (!isStopped) {
            sleeper = requireNonNull(Thread.currentThread()); // before the checks, so that later changes unpark it
            long due = dueNanos;
            boolean isDrainedByOther = isDraining.get(); // that thread wakes this one if it has to
            plannedWakeUpNanos = isDrainedByOther ? System.nanoTime() + IDLE_NANOS : due;
            long sleepNanos = plannedWakeUpNanos - System.nanoTime();
            boolean isUnchanged = isDrainedByOther ? isDraining.get() : due == dueNanos && events.isEmpty();
            if (sleepNanos > 0 && !isStopped && isUnchanged) {
                LockSupport.parkNanos(this, sleepNanos);
            }
            sleeper = null;
            drain();
        }
    }
}
