package habemus.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a time limit. */
final class Eventually {

    private static final Duration MOST = Duration.ofSeconds(10);

    private Eventually() {}

    static void until(BooleanSupplier happened) {
        long end = System.nanoTime() + MOST.toNanos();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("it did not happen within " + MOST.toSeconds() + " s");
            }
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }
}
