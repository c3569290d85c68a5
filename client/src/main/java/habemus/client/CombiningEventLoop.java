package habemus.client;

import habemus.concurrent.EventLoop;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An event loop without a thread of its own: a thread that submits a task runs it, unless another thread is running
 * tasks. A background thread runs scheduled tasks, and what a submitter leaves. It ends when it has been idle.
 */
final class CombiningEventLoop implements EventLoop {

    private static final Duration IDLE_TIME = Duration.ofSeconds(20);

    private final ScheduledThreadPoolExecutor background;
    private final SerialExecutor tasks;
    private final Runnable afterTasks;

    /** @param afterTasks called by a thread that has run tasks, while other threads may run tasks again */
    CombiningEventLoop(String name, Runnable afterTasks) {
        this.afterTasks = afterTasks;
        background =
                new ScheduledThreadPoolExecutor(1, Thread.ofVirtual().name(name).factory());
        background.setKeepAliveTime(IDLE_TIME.toSeconds(), TimeUnit.SECONDS);
        background.allowCoreThreadTimeOut(true);
        background.setRemoveOnCancelPolicy(true);
        tasks = new SerialExecutor(this::drain, drain -> background.execute(() -> drain(drain)));
    }

    private void drain(Runnable drain) {
        drain.run();
        afterTasks.run();
    }

    @Override
    public void execute(Runnable task) {
        tasks.execute(task);
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        var scheduled = new ScheduledTask(task);
        var future = background.schedule(() -> execute(scheduled), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> {
            scheduled.isCancelled = true;
            future.cancel(false);
        };
    }

    /** A task that may be cancelled even while it waits in the queue. */
    private static final class ScheduledTask implements Runnable {
        private final Runnable task;
        private volatile boolean isCancelled;

        ScheduledTask(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (!isCancelled) {
                task.run();
            }
        }
    }

    @Override
    public boolean inEventLoop() {
        return tasks.isCurrentThread();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
