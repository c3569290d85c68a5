package habemus.catalogue;

import habemus.world.Detector;
import habemus.world.World;
import java.time.Duration;

/** What an algorithm assumes of time. */
public sealed interface Timing {

    boolean covers(World world);

    /** Nothing: a message takes as long as it takes. */
    record Asynchronous() implements Timing {
        @Override
        public boolean covers(World world) {
            return true;
        }

        @Override
        public String toString() {
            return "asynchronous";
        }
    }

    /** A message takes as long as it takes, but who is down is known to be down in the end. */
    record Noticing() implements Timing {
        @Override
        public boolean covers(World world) {
            return world.detector() instanceof Detector.Oracle;
        }

        @Override
        public String toString() {
            return "asynchronous, crashes are noticed";
        }
    }

    /** Every message arrives within this time, and a crash or a return is noticed after more than twice that time. */
    record Synchronous(Duration messageDelay) implements Timing {
        @Override
        public boolean covers(World world) {
            return world.latency()
                    .longest()
                    .filter(longest ->
                            longest.compareTo(messageDelay) <= 0 && isNoticedAfter(longest, world.detector()))
                    .isPresent();
        }

        private static boolean isNoticedAfter(Duration longest, Detector detector) {
            return switch (detector) {
                case Detector.None() -> false;
                case Detector.Oracle(var delay) -> delay.compareTo(longest.multipliedBy(2)) > 0;
            };
        }

        @Override
        public String toString() {
            return "synchronous: messages within " + messageDelay.toMillis()
                    + " ms, crashes noticed after more than two";
        }
    }

    /** Every message arrives within this time; nobody tells who has crashed. */
    record Prompt(Duration messageDelay) implements Timing {
        @Override
        public boolean covers(World world) {
            return world.latency()
                    .longest()
                    .filter(longest -> longest.compareTo(messageDelay) <= 0)
                    .isPresent();
        }

        @Override
        public String toString() {
            return "synchronous: messages within " + messageDelay.toMillis() + " ms";
        }
    }

    /** Every message arrives within some time, which nobody knows. */
    record Bounded() implements Timing {
        @Override
        public boolean covers(World world) {
            return world.latency().longest().isPresent();
        }

        @Override
        public String toString() {
            return "partially synchronous: messages within some time, which nobody knows";
        }
    }

    /** A message takes as long as it takes, but all clocks run at the same rate. */
    record Clocked() implements Timing {
        @Override
        public boolean covers(World world) {
            return true;
        }

        @Override
        public String toString() {
            return "asynchronous, clocks run alike";
        }
    }
}
