package habemus.service.raft;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that calls the machine. */
final class ApplierThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ApplierThread.class);

    /** Who proposes waits rather than to run further ahead. */
    private static final int AHEAD = 100_000;

    private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(AHEAD);
    private final Thread thread;
    private volatile boolean closed;

    /** @param failed told of what the machine throws; then nothing more is done */
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
            LOG.trace("closed");
        } catch (RuntimeException | Error bug) {
            LOG.error("the machine cannot go on", bug);
            closed = true;
            failed.accept(bug);
        }
    }

    /** In the order of the calls. */
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
        room.release(AHEAD);
    }
}
