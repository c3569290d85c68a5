package habemus.concurrent;

import java.time.Duration;

/**
 * Runs tasks one at a time, in order, on one thread. In a simulation the thread and the clock are virtual.
 *
 * <p>All methods may be called from any thread.
 */
public interface EventLoop {

    /** A task that is scheduled. */
    interface Cancellable {

        /** Prevents the task from running, unless it has started. */
        void cancel();
    }

    /**
     * Runs the task after all tasks submitted before.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the loop is closed
     */
    void execute(Runnable task);

    /** Runs the task after the delay, unless it is cancelled before. */
    Cancellable schedule(Duration delay, Runnable task);

    /** Whether the current thread is that of the loop. */
    boolean inEventLoop();

    /** The monotonic clock of the loop, in nanoseconds. */
    long nanoTime();
}
