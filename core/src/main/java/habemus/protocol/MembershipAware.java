package habemus.protocol;

/**
 * An algorithm whose nodes may join and leave while it runs. It uses a membership service.
 *
 * <p>The service numbers the views of the membership: the nodes that start first are view 0, and each change begins the
 * next view. It makes one change at a time: a change begins when every live node knows the last one, and no message to
 * a node that has left is in flight. Every live node gets every change, in the order of the views, in its own time.
 */
public interface MembershipAware<S, M> extends Protocol<S, M> {

    /**
     * The node starts as a new member of a running system. By default it starts as any other.
     *
     * @param neighbourhood the members of the view that begins with this node
     */
    default Step<S, M> join(Neighbourhood neighbourhood, long view) {
        return start(neighbourhood);
    }

    /** A peer has joined. No message of it has arrived yet, and none was sent to it. */
    Step<S, M> joined(S state, NodeId peer, long view);

    /**
     * The node leaves. Its application has stopped before: it neither waits for the lock nor holds it. From now on the
     * node has no timers and gets no events but {@link #forward}. By default it has nothing to hand over.
     */
    default Step<S, M> leave(S state) {
        return to(state);
    }

    /** A peer has left. Everything that it sent in {@link #leave} or before has arrived. No message may follow it. */
    Step<S, M> left(S state, NodeId peer, long view);

    /**
     * A message arrives after this node has left: its sender did not know. The message is dropped, unless the algorithm
     * passes it on.
     */
    default Step<S, M> forward(S state, NodeId from, M message) {
        return to(state);
    }

    /** Whether this node may join, with the options of this algorithm. */
    default boolean mayJoin(NodeId node) {
        return true;
    }

    /** Whether this node may leave, with the options of this algorithm. */
    default boolean mayLeave(NodeId node) {
        return true;
    }
}
