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
