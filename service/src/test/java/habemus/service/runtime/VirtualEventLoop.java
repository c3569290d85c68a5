package habemus.service.runtime;

import habemus.concurrent.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/** An event loop in virtual time. The thread of the test runs each task at once, and advances the clock. */
public final class VirtualEventLoop implements EventLoop {

    private record Scheduled(long atNanos, long order, Runnable task) {}

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Scheduled> scheduled =
            new PriorityQueue<>(Comparator.comparingLong(Scheduled::atNanos).thenComparingLong(Scheduled::order));
    private long nowNanos;
    private long nextOrder;
    private boolean isRunning;

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            for (var next = tasks.poll(); next != null; next = tasks.poll()) {
                next.run();
            }
        } finally {
            isRunning = false;
        }
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        var entry = new Scheduled(nowNanos + delay.toNanos(), nextOrder++, task);
        scheduled.add(entry);
        return () -> scheduled.remove(entry);
    }

    /** Advances the clock, and runs every task at its time. */
    public void advance(Duration time) {
        long end = nowNanos + time.toNanos();
        while (!scheduled.isEmpty() && scheduled.peek().atNanos <= end) {
            var next = scheduled.remove();
            nowNanos = next.atNanos;
            execute(next.task);
        }
        nowNanos = end;
    }

    /** Advances the clock without running tasks, as in a pause of the process. */
    public void pause(Duration time) {
        nowNanos += time.toNanos();
    }

    @Override
    public boolean inEventLoop() {
        return true;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }
}
