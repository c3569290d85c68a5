package habemus.service.raft;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The single thread that calls the state machine. */
final class ApplierThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ApplierThread.class);

    /** Proposers block once this many tasks are queued. */
    private static final int QUEUE_MAX_TASKS = 100_000;

    private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(QUEUE_MAX_TASKS);
    private final Thread thread;
    private volatile boolean closed;

    /** @param failed called with the exception of the state machine; then the thread ends */
    ApplierThread(String name, Consumer<Throwable> failed) {
        thread = Thread.ofPlatform().name(name).daemon().unstarted(() -> run(failed));
        thread.start();
    }

    private void run(Consumer<Throwable> failed) {
        try {
            while (!closed) {
                tasks.take().run();
                room.release();
            }
        } catch (InterruptedException end) {
            LOG.trace("applier closed");
        } catch (RuntimeException | Error bug) {
            LOG.error("state machine failed", bug);
            closed = true;
            failed.accept(bug);
        }
    }

    /** Runs the tasks in the order of the calls. */
    void execute(Runnable task) {
        if (!closed) {
            room.acquireUninterruptibly();
            tasks.add(task);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        room.release(QUEUE_MAX_TASKS);
    }
}
