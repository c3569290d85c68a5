package habemus.world;

import java.time.Duration;

/**
 * A fault of one message of a simulated run, which is known by its number in traces. It changes no random draw, and
 * nothing that happens before the message arrives. Messages between applications have no such faults.
 */
public sealed interface MessageFault {

    /** The number of the message, from 1 on in the order of sending. */
    long number();

    /** The message travels as usual, and is lost on arrival. */
    record Loss(long number) implements MessageFault {
        public Loss {
            requireNumber(number);
        }
    }

    /** The message arrives a second time, at the same moment or later. */
    record Duplication(long number) implements MessageFault {
        public Duplication {
            requireNumber(number);
        }
    }

    /** The message arrives later; on a FIFO link, so do all that were sent after it. */
    record Delay(long number, Duration by) implements MessageFault {
        public Delay {
            requireNumber(number);
            if (by.isNegative() || by.isZero()) {
                throw new IllegalArgumentException("delay of a message must be positive, was " + by);
            }
        }
    }

    private static void requireNumber(long number) {
        if (number < 1) {
            throw new IllegalArgumentException("number of a message must be at least 1, was " + number);
        }
    }
}
