package habemus.service.runtime;

import habemus.concurrent.EventLoop;
import java.time.Duration;
import java.util.PriorityQueue;

/** An event loop in virtual time. The test runs its tasks, on its own thread. */
public final class ManualEventLoop implements EventLoop {

    private record Task(long dueNanos, long number, Runnable runnable) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(dueNanos, other.dueNanos);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final boolean isEager;
    private long nanos;
    private long numbers;
    private boolean isRunning;

    public ManualEventLoop() {
        this(false);
    }

    private ManualEventLoop(boolean isEager) {
        this.isEager = isEager;
    }

    /** A loop that runs each submitted task at once, or after the current one. */
    public static ManualEventLoop eager() {
        return new ManualEventLoop(true);
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(new Task(nanos, numbers++, task));
        if (isEager && !isRunning) {
            run();
        }
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        var scheduled = new Task(nanos + delay.toNanos(), numbers++, task);
        tasks.add(scheduled);
        return () -> tasks.remove(scheduled);
    }

    @Override
    public boolean inEventLoop() {
        return true;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    /** Runs all tasks that are due, and those that they submit. */
    public void run() {
        advance(Duration.ZERO);
    }

    /** Runs all tasks that are due within this time, each at its time. */
    public void advance(Duration time) {
        long end = nanos + time.toNanos();
        isRunning = true;
        try {
            while (!tasks.isEmpty() && tasks.peek().dueNanos <= end) {
                var task = tasks.poll();
                nanos = Math.max(nanos, task.dueNanos);
                task.runnable.run();
            }
        } finally {
            isRunning = false;
        }
        nanos = end;
    }

    /** Advances the clock without running tasks, as in a pause of the process. */
    public void pause(Duration time) {
        nanos += time.toNanos();
    }
}
