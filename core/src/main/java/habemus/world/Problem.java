package habemus.world;

import habemus.protocol.Election;
import habemus.protocol.Mutex;
import habemus.protocol.Protocol;

/** What an algorithm is for. */
public enum Problem {
    /** Only one of us at a time. */
    MUTEX,
    /** One of us decides. */
    ELECTION;

    /** @throws IllegalArgumentException if it is for neither */
    public static Problem of(Protocol<?, ?> protocol) {
        return switch (protocol) {
            case Mutex<?, ?> mutex -> MUTEX;
            case Election<?, ?> election -> ELECTION;
            default -> throw new IllegalArgumentException(protocol + " is neither a Mutex nor an Election");
        };
    }

    @Override
    public String toString() {
        return this == MUTEX ? "mutex" : "election";
    }
}
