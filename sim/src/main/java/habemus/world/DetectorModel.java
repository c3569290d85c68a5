package habemus.world;

import java.time.Duration;

/**
 * The failure detector of a world that needs none of its own making: it knows who is down. Its mistakes are faults:
 * {@link Fault.WrongSuspicion}.
 */
public sealed interface DetectorModel {

    /** Nobody is ever suspected. */
    record None() implements DetectorModel {}

    /** A crash is noticed by every neighbour after this time, and so is a return. */
    record Oracle(Duration delay) implements DetectorModel {
        public Oracle {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("a crash is not noticed before it happens: " + delay);
            }
        }
    }
}
