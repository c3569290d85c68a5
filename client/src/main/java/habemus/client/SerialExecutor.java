package habemus.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One after the other, on a virtual thread, which ends when there is nothing to do. */
final class SerialExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final String name;
    private final ReentrantLock turn = new ReentrantLock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private volatile @Nullable Thread thread;

    SerialExecutor(String name) {
        this.name = name;
    }

    void execute(Runnable task) {
        turn.lock();
        try {
            tasks.add(task);
            if (thread == null) {
                thread = Thread.ofVirtual().name(name).unstarted(this::work);
                thread.start();
            }
        } finally {
            turn.unlock();
        }
    }

    boolean isCurrentThread() {
        return Thread.currentThread().equals(thread);
    }

    private void work() {
        for (var task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("A listener of {} has failed", name, e);
            }
            Thread.interrupted(); // one that was meant for the last task
        }
    }

    private @Nullable Runnable next() {
        turn.lock();
        try {
            var task = tasks.poll();
            if (task == null) {
                thread = null;
            }
            return task;
        } finally {
            turn.unlock();
        }
    }
}
