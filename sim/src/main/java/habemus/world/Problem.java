package habemus.world;

import habemus.protocol.Consensus;
import habemus.protocol.Election;
import habemus.protocol.FailureDetector;
import habemus.protocol.Mutex;
import habemus.protocol.Protocol;
import habemus.protocol.ThreadProgram;
import java.util.Locale;

/** The problem that an algorithm solves. */
public enum Problem {
    /** Mutual exclusion: one holder at a time. */
    MUTEX,
    /** Leader election: one node leads. */
    ELECTION,
    /** Failure detection: suspect crashed nodes. */
    DETECTOR,
    /** Consensus: all nodes apply the same log. */
    LOG,
    /** Threads that share memory: no interleaving goes wrong. */
    THREADS;

    /** @throws IllegalArgumentException if the protocol solves none of these problems */
    public static Problem of(Protocol<?, ?> protocol) {
        return switch (protocol) {
            case Mutex<?, ?> mutex -> MUTEX;
            case Election<?, ?> election -> ELECTION;
            case FailureDetector<?, ?> detector -> DETECTOR;
            case Consensus<?, ?, ?> consensus -> LOG;
            case ThreadProgram<?, ?> program -> THREADS;
            default ->
                throw new IllegalArgumentException(
                        "protocol must be a Mutex, an Election, a FailureDetector, a Consensus or a ThreadProgram, was "
                                + protocol);
        };
    }

    /** Whether applications call the nodes. A failure detector and a program of threads run by themselves. */
    public boolean hasCallers() {
        return this != DETECTOR && this != THREADS;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
