package habemus.protocol;

/**
 * An algorithm that uses timers.
 *
 * @param <T> its timers; each is set or not set, and setting it again replaces its deadline
 */
public interface Timed<S, M, T extends Enum<T>> extends Protocol<S, M> {

    /** A timer fires, and is no longer set. A timer that was cancelled does not fire. */
    Step<S, M> timeout(S state, T timer);

    /**
     * Whether this timer, if it expired while the node was paused, fires before the events that arrived in the pause. A
     * node that reads messages too late must notice a missed deadline first.
     */
    default boolean isUrgent(Enum<?> timer) {
        return false;
    }

    @SuppressWarnings("unchecked") // a runtime fires only timers that this algorithm has set
    default Step<S, M> fireTimer(S state, Enum<?> timer) {
        return timeout(state, (T) timer);
    }
}
