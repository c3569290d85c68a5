package habemus.world;

import java.time.Duration;

/**
 * The failure detector that a world provides, for algorithms that do not bring their own. It is always right, except
 * for injected faults: {@link Fault.WrongSuspicion}.
 */
public sealed interface DetectorModel {

    /** No node is ever suspected. */
    record None() implements DetectorModel {}

    /** Every neighbour detects a crash after this delay, and likewise a restart. */
    record Oracle(Duration delay) implements DetectorModel {
        public Oracle {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("detection delay must not be negative, was " + delay);
            }
        }
    }
}
