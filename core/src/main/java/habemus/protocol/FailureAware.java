package habemus.protocol;

/** An algorithm that listens to a failure detector; how good a detector, its Javadoc says. */
public interface FailureAware<S, M> extends Protocol<S, M> {

    /** The peer seems to be down; it was not suspected before. */
    Step<S, M> suspect(S state, NodeId peer);

    /** The suspected peer seems to be up again, or to have been up all the time. */
    Step<S, M> restore(S state, NodeId peer);
}
