package habemus.client;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order of their submission, on threads of another executor. A submitter never waits.
 * A task may submit others, which run after it.
 *
 * <p>Why no task is lost, and no two tasks overlap: {@link #pending} counts the tasks that are submitted and have not
 * ended.
 *
 * <ol>
 *   <li>A submitter adds its task before it increments the count. So a drainer that reads a count of n finds n tasks.
 *   <li>Only an increment from zero starts a drainer, and only the drainer decrements. So there is one drainer from
 *       such an increment until the decrement to zero.
 *   <li>The operations on the count have one order. An increment from more than zero comes before the decrement of the
 *       drainer. That decrement does not reach zero then, and the drainer continues with the new task.
 *   <li>The decrement to zero happens before the increment from zero that follows it, because both access a volatile
 *       variable. So a task sees all writes of the tasks before it, whichever thread ran them.
 * </ol>
 */
final class SerialExecutor implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final Executor executor;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile @Nullable Thread drainer;

    /** @param executor runs the tasks that are pending */
    SerialExecutor(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() == 0) {
            executor.execute(this::drain);
        }
    }

    /** {@return whether the current thread is running a task} */
    boolean isCurrentThread() {
        return Thread.currentThread().equals(drainer);
    }

    private void drain() {
        int count;
        do {
            count = pending.get();
            drainer = Thread.currentThread();
            for (int i = 0; i < count; i++) {
                run(requireNonNull(tasks.poll()));
            }
            drainer = null; // before the decrement, because another thread may drain after it
        } while (pending.addAndGet(-count) != 0);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error failure) {
            LOG.warn("task failed", failure);
        }
    }
}
