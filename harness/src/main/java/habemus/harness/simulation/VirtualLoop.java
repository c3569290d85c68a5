package habemus.harness.simulation;

import habemus.concurrent.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of one simulated process. It has a clock with a rate of its own, can be paused, and ends with its
 * process. A task that waits for the disk keeps the tasks behind it waiting.
 *
 * <p>After a pause, messages that have arrived and timers that are due meet. As with a real selector, either kind may
 * come first.
 */
final class VirtualLoop implements EventLoop {

    private final VirtualTime time;
    private final double rate;
    private final long offsetNanos;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Queue<Runnable> dueTimers = new ArrayDeque<>();
    private final Runnable turn = this::runTurn;
    private boolean isTurnPlanned;
    private boolean isRunning;
    private boolean isPaused;
    private boolean isBehind; // after a pause, until the first turn has ended
    private boolean isEnded;
    private boolean areTimersFirst = true;
    private long blockedNanos; // by the task that runs
    private long freeAtNanos;

    /**
     * @param rate local nanoseconds per nanosecond of virtual time
     * @param offsetNanos the local time at virtual time zero
     */
    VirtualLoop(VirtualTime time, double rate, long offsetNanos) {
        this.time = time;
        this.rate = rate;
        this.offsetNanos = offsetNanos;
    }

    /** The virtual time at which the running task is, which may have waited for the disk. */
    long virtualNow() {
        return time.now() + blockedNanos;
    }

    @Override
    public long nanoTime() {
        return offsetNanos + (long) (virtualNow() * rate);
    }

    @Override
    public boolean inEventLoop() {
        return isRunning;
    }

    @Override
    public void execute(Runnable task) {
        if (!isEnded) {
            tasks.add(task);
            planTurn();
        }
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        long nanos = (long) (Math.max(0, delay.toNanos()) / rate) + 1; // not before the local clock says so
        var timer = new LoopTimer(task);
        timer.plan(virtualNow() + nanos);
        return timer;
    }

    /** First an event of the virtual time, then a task of the loop. */
    private final class LoopTimer implements Cancellable, Runnable {
        private final Runnable task;
        private VirtualTime.@Nullable PlannedEvent planned;
        private boolean isCancelled;
        private boolean isDue;

        LoopTimer(Runnable task) {
            this.task = task;
        }

        void plan(long nanos) {
            planned = time.at(nanos, this);
        }

        @Override
        public void run() {
            if (isDue) {
                if (!isCancelled) {
                    task.run();
                }
            } else if (!isEnded) {
                isDue = true;
                dueTimers.add(this);
                planTurn();
            }
        }

        @Override
        public void cancel() {
            isCancelled = true;
            if (planned != null) {
                planned.cancel();
            }
        }
    }

    private void planTurn() {
        if (!isTurnPlanned && !isRunning && !isPaused && !isEnded) {
            isTurnPlanned = true;
            time.at(freeAtNanos, turn);
        }
    }

    private void runTurn() {
        isTurnPlanned = false;
        if (isPaused || isEnded) {
            return;
        }
        isRunning = true;
        while (blockedNanos == 0 && !isEnded) {
            var task = next();
            if (task == null) {
                break;
            }
            task.run();
        }
        isRunning = false;
        isBehind = false;
        freeAtNanos = time.now() + blockedNanos;
        blockedNanos = 0;
        areTimersFirst = true;
        if (!tasks.isEmpty() || !dueTimers.isEmpty()) {
            planTurn();
        }
    }

    private @Nullable Runnable next() {
        var first = areTimersFirst ? dueTimers.poll() : tasks.poll();
        return first != null ? first : areTimersFirst ? tasks.poll() : dueTimers.poll();
    }

    /** The running task waits so long, for example for the disk. */
    void block(long nanos) {
        if (isRunning) {
            blockedNanos += nanos;
        }
    }

    void pause() {
        isPaused = true;
        isBehind = true;
    }

    /** @param timersFirst whether due timers run before the tasks that arrived during the pause */
    void resume(boolean timersFirst) {
        isPaused = false;
        areTimersFirst = timersFirst;
        isBehind = !tasks.isEmpty() || !dueTimers.isEmpty();
        planTurn();
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Whether the process is paused, or has not handled the tasks of the pause. */
    boolean isBehind() {
        return isBehind;
    }

    /** The process has ended: nothing runs any more. */
    void end() {
        isEnded = true;
        tasks.clear();
        dueTimers.clear();
    }

    boolean isEnded() {
        return isEnded;
    }
}
