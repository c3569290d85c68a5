package habemus.protocol;

/** An algorithm that uses a failure detector. Its Javadoc says what it assumes of the detector. */
public interface FailureAware<S, M> extends Protocol<S, M> {

    /** The peer seems to have crashed. It was not suspected before. */
    Step<S, M> suspect(S state, NodeId peer);

    /** A suspected peer is up: it has restarted, or the suspicion was wrong. */
    Step<S, M> restore(S state, NodeId peer);
}
