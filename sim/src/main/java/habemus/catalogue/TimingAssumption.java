package habemus.catalogue;

import habemus.world.DetectorModel;
import habemus.world.World;
import java.time.Duration;

/** What an algorithm assumes of time. */
public sealed interface TimingAssumption {

    boolean covers(World world);

    /** Nothing: a message takes as long as it takes. */
    record Asynchronous() implements TimingAssumption {
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
    record CrashDetection() implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return world.detectorModel() instanceof DetectorModel.Oracle;
        }

        @Override
        public String toString() {
            return "asynchronous, crashes are noticed";
        }
    }

    /** Every message arrives within this time, and a crash or a return is noticed after more than twice that time. */
    record Synchronous(Duration messageDelay) implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return world.latencyModel()
                    .longest()
                    .filter(longest ->
                            longest.compareTo(messageDelay) <= 0 && isNoticedAfter(longest, world.detectorModel()))
                    .isPresent();
        }

        private static boolean isNoticedAfter(Duration longest, DetectorModel detectorModel) {
            return switch (detectorModel) {
                case DetectorModel.None() -> false;
                case DetectorModel.Oracle(var delay) -> delay.compareTo(longest.multipliedBy(2)) > 0;
            };
        }

        @Override
        public String toString() {
            return "synchronous: messages within " + messageDelay.toMillis()
                    + " ms, crashes noticed after more than two";
        }
    }

    /** Every message arrives within this time; nobody tells who has crashed. */
    record DelayBound(Duration messageDelay) implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return world.latencyModel()
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
    record UnknownDelayBound() implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return world.latencyModel().longest().isPresent();
        }

        @Override
        public String toString() {
            return "partially synchronous: messages within some time, which nobody knows";
        }
    }

    /** A message takes as long as it takes, but all clocks run at the same rate. */
    record Clocked() implements TimingAssumption {
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
