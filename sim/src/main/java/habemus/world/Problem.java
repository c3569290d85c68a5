package habemus.world;

import habemus.protocol.Election;
import habemus.protocol.FailureDetector;
import habemus.protocol.Mutex;
import habemus.protocol.Protocol;
import java.util.Locale;

/** What an algorithm is for. */
public enum Problem {
    /** Only one of us at a time. */
    MUTEX,
    /** One of us decides. */
    ELECTION,
    /** Notice who is down. */
    DETECTOR;

    /** @throws IllegalArgumentException if it is for none of these */
    public static Problem of(Protocol<?, ?> protocol) {
        return switch (protocol) {
            case Mutex<?, ?> mutex -> MUTEX;
            case Election<?, ?> election -> ELECTION;
            case FailureDetector<?, ?> detector -> DETECTOR;
            default -> throw new IllegalArgumentException(protocol + " is no Mutex, no Election, no detector");
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
