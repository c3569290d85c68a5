package habemus.client;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order of their submission. The submitter of the first task starts to drain the
 * queue; submitters of further tasks return at once. A task may submit others, which run after it.
 *
 * <p>With {@code Runnable::run} the first submitter drains the queue itself. So a single submitter needs no thread
 * switch, and no submitter waits for another.
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
 *       variable. So a task sees all writes of the tasks before it, whichever thread ran them. Between two drainers of
 *       a hand-over, the executor gives the same order.
 * </ol>
 *
 * @see <a href="https://doi.org/10.1145/1810479.1810540">Hendler et al., Flat combining, SPAA 2010</a>
 */
final class SerialExecutor implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    /** How many tasks a thread runs before it checks whether others are left. */
    private static final int MAX_TASKS_PER_ROUND = 256;

    /** After so many rounds a thread leaves further tasks to another one, so that a submitter returns soon. */
    private static final int MAX_ROUNDS = 4;

    private final Executor first;
    private final Executor next;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger(); // tasks that are submitted and have not ended
    private volatile @Nullable Thread drainer;

    /** @param executor drains the queue */
    SerialExecutor(Executor executor) {
        this(executor, executor);
    }

    /**
     * @param first starts to drain the queue, and may do so on the thread of the submitter
     * @param next continues after some rounds
     */
    SerialExecutor(Executor first, Executor next) {
        this.first = first;
        this.next = next;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() == 0) {
            first.execute(this::drain);
        }
    }

    /** {@return whether the current thread is running a task} */
    boolean isCurrentThread() {
        return Thread.currentThread().equals(drainer);
    }

    private void drain() {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            int count = Math.min(pending.get(), MAX_TASKS_PER_ROUND);
            drainer = Thread.currentThread();
            for (int i = 0; i < count; i++) {
                run(requireNonNull(tasks.poll()));
            }
            drainer = null; // before the next line, because another thread may drain after it
            if (pending.addAndGet(-count) == 0) {
                return;
            }
        }
        next.execute(this::drain);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error failure) {
            LOG.warn("task failed", failure);
        }
    }
}
