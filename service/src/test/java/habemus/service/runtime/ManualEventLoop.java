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
    private long nanos;
    private long numbers;

    @Override
    public void execute(Runnable task) {
        tasks.add(new Task(nanos, numbers++, task));
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
        while (!tasks.isEmpty() && tasks.peek().dueNanos <= end) {
            var task = tasks.poll();
            nanos = Math.max(nanos, task.dueNanos);
            task.runnable.run();
        }
        nanos = end;
    }
}
