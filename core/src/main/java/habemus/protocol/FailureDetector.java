package habemus.protocol;

/**
 * A failure detector: watches its neighbours, and says {@code suspect} and {@code restore} as it changes its mind about
 * one. No application calls it.
 */
public interface FailureDetector<S, M> extends Timed<S, M, FailureDetector.Tick> {

    /** The one alarm of every detector, so that an election above it knows which alarms are its own. */
    enum Tick {
        TICK
    }
}
