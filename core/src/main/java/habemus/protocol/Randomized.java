package habemus.protocol;

/** An algorithm that draws random numbers. A random delay does not need this interface: see {@link Step#setTimer}. */
public interface Randomized<S, M> extends Protocol<S, M> {

    /** Receives the number that the last step asked for with {@code draw}, before any other event of the node. */
    Step<S, M> drawn(S state, int value);
}
