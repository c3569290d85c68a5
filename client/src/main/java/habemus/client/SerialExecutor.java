package habemus.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one after the other on a virtual thread, which ends when there is none. */
final class SerialExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final String name;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private volatile @Nullable Thread thread;

    SerialExecutor(String name) {
        this.name = name;
    }

    void execute(Runnable task) {
        mutex.lock();
        try {
            tasks.add(task);
            if (thread == null) {
                thread = Thread.ofVirtual().name(name).unstarted(this::run);
                thread.start();
            }
        } finally {
            mutex.unlock();
        }
    }

    boolean isCurrentThread() {
        return Thread.currentThread().equals(thread);
    }

    private void run() {
        for (var task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.warn("listener failed name={}", name, e);
            }
            Thread.interrupted(); // clears an interrupt that was meant for the last task
        }
    }

    private @Nullable Runnable next() {
        mutex.lock();
        try {
            var task = tasks.poll();
            if (task == null) {
                thread = null;
            }
            return task;
        } finally {
            mutex.unlock();
        }
    }
}
