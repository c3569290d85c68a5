package habemus.course.chapter;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Waits for a condition, ten seconds at most: a demonstration that fails ends as well. */
final class BoundedWait {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private BoundedWait() {}

    /** @return whether the condition became true */
    static boolean until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(Duration.ofMillis(1));
        }
        return true;
    }

    /** @return the state that the thread has reached: one of these, unless the time is over */
    static State forState(Thread thread, State... states) throws InterruptedException {
        var wanted = List.of(states);
        until(() -> wanted.contains(thread.getState()));
        return thread.getState();
    }
}
