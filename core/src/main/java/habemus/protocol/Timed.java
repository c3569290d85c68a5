package habemus.protocol;

/**
 * An algorithm with a clock.
 *
 * @param <A> its alarms; each is either set or not, and setting it again moves it
 */
public interface Timed<S, M, A extends Enum<A>> extends Protocol<S, M> {

    /** An alarm that is set runs out, and is set no more. Never one that was calmed or moved. */
    Step<S, M> timeout(S state, A timer);

    /**
     * Whether it rings before anything else that waits, if it has run out while the node stood still: a deadline is
     * looked at before messages that came in time, because they are read too late.
     */
    default boolean isUrgent(Enum<?> timer) {
        return false;
    }

    @SuppressWarnings("unchecked") // a world rings only what this algorithm has set
    default Step<S, M> fireTimer(S state, Enum<?> timer) {
        return timeout(state, (A) timer);
    }
}
