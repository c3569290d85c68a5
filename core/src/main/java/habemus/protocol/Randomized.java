package habemus.protocol;

/** An algorithm with dice. (For a random waiting time it needs none: see {@link Step#setTimer}.) */
public interface Randomized<S, M> extends Protocol<S, M> {

    /** The die that this step rolled has come to rest, before anything else happens to the node. */
    Step<S, M> drawn(S state, int value);
}
