package habemus.catalogue;

import habemus.world.DetectorModel;
import habemus.world.World;
import java.time.Duration;
import java.util.Optional;

/** What a guarantee assumes about message delays, clocks and crash detection. */
public sealed interface TimingAssumption {

    boolean covers(World world);

    /** The longest delay of a message that it allows; empty if it names none. */
    default Optional<Duration> longestDelay() {
        return switch (this) {
            case Synchronous(var messageDelay) -> Optional.of(messageDelay);
            case DelayBound(var messageDelay) -> Optional.of(messageDelay);
            default -> Optional.empty();
        };
    }

    /** Whether a guarantee with this assumption holds even if a timer fires while messages are in flight. */
    default boolean allowsEarlyTimeouts() {
        return false;
    }

    /** No assumption: delays are finite but unbounded. */
    record Asynchronous() implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return true;
        }

        @Override
        public boolean allowsEarlyTimeouts() {
            return true;
        }

        @Override
        public String toString() {
            return "asynchronous";
        }
    }

    /** Delays are unbounded, but crashes are eventually detected. */
    record CrashDetection() implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return world.detector() instanceof DetectorModel.Oracle;
        }

        @Override
        public boolean allowsEarlyTimeouts() {
            return true;
        }

        @Override
        public String toString() {
            return "asynchronous, crashes are detected";
        }
    }

    /** Messages arrive within a known delay; crashes and restarts are detected after more than twice that delay. */
    record Synchronous(Duration messageDelay) implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return world.longestDelay()
                    .filter(longest ->
                            longest.compareTo(messageDelay) <= 0 && isDetectedAfter(longest, world.detector()))
                    .isPresent();
        }

        private static boolean isDetectedAfter(Duration longest, DetectorModel detectorModel) {
            return switch (detectorModel) {
                case DetectorModel.None() -> false;
                case DetectorModel.Oracle(var delay) -> delay.compareTo(longest.multipliedBy(2)) > 0;
            };
        }

        @Override
        public String toString() {
            return "synchronous: messages within " + messageDelay.toMillis()
                    + " ms, crashes detected after more than twice that";
        }
    }

    /** Messages arrive within a known delay; there is no crash detection. */
    record DelayBound(Duration messageDelay) implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return world.longestDelay()
                    .filter(longest -> longest.compareTo(messageDelay) <= 0)
                    .isPresent();
        }

        @Override
        public String toString() {
            return "synchronous: messages within " + messageDelay.toMillis() + " ms";
        }
    }

    /** Messages arrive within a bound that the algorithm does not know. */
    record UnknownDelayBound() implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return world.longestDelay().isPresent();
        }

        @Override
        public String toString() {
            return "partially synchronous: messages within an unknown bound";
        }
    }

    /** Delays are unbounded, but all clocks run at the same rate. */
    record Clocked() implements TimingAssumption {
        @Override
        public boolean covers(World world) {
            return true;
        }

        @Override
        public String toString() {
            return "asynchronous, clocks run at the same rate";
        }
    }
}
