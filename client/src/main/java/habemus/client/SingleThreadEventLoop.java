package habemus.client;

import habemus.concurrent.EventLoop;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop on a platform thread of its own, which wakes up faster than a virtual one. It ends when it is idle. */
final class SingleThreadEventLoop implements EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(SingleThreadEventLoop.class);
    private static final Duration IDLE_TIME = Duration.ofSeconds(20);

    private final String name;
    private final ScheduledThreadPoolExecutor tasks = new ScheduledThreadPoolExecutor(1, this::newThread);
    private volatile @Nullable Thread thread;

    SingleThreadEventLoop(String name) {
        this.name = name;
        tasks.setKeepAliveTime(IDLE_TIME.toSeconds(), TimeUnit.SECONDS);
        tasks.allowCoreThreadTimeOut(true);
        tasks.setRemoveOnCancelPolicy(true);
    }

    private Thread newThread(Runnable task) {
        var next = Thread.ofPlatform().daemon().name(name).unstarted(task);
        thread = next;
        return next;
    }

    @Override
    public void execute(Runnable task) {
        tasks.execute(guarded(task));
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        var scheduled = tasks.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    /** Otherwise the failure of a task would stay in a future that nothing reads. */
    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error failure) {
                LOG.error("task failed thread={}", name, failure);
            }
        };
    }

    @Override
    public boolean inEventLoop() {
        return Thread.currentThread().equals(thread);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
