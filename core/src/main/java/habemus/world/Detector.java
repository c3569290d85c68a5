package habemus.world;

import java.time.Duration;

/**
 * The failure detector of a world that needs none of its own making: it knows who is down. Its mistakes are faults:
 * {@link Fault.Mistake}.
 */
public sealed interface Detector {

    /** Nobody is ever suspected. */
    record None() implements Detector {}

    /** A crash is noticed by every neighbour after this time, and so is a return. */
    record Oracle(Duration delay) implements Detector {
        public Oracle {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("a crash is not noticed before it happens: " + delay);
            }
        }
    }
}
