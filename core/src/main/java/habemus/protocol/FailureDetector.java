package habemus.protocol;

/**
 * A failure detector: monitors the neighbours of a node and reports {@code suspect} and {@code restore}. Applications
 * do not call it.
 */
public interface FailureDetector<S, M> extends Timed<S, M, FailureDetector.Tick> {

    /** The only timer of a detector. An election above it recognizes its own timers by the type. */
    enum Tick {
        TICK
    }
}
