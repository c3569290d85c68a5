package habemus.check.store;

/**
 * What a {@link LocalStateTable} asks a reduction of the state space. Node states, messages and inboxes are given by
 * id, permutations by their index in the symmetry group. The table calls from one thread at a time.
 */
public interface Reduction {

    /** Creates the reduction of a table from the tables that it is built on. */
    interface Factory {
        Reduction create(TransitionTable transitions, InboxTable inboxes);
    }

    /** Visits every state: no message is delivered eagerly, no node ids are permuted. */
    Reduction NONE = new Reduction() {};

    /** Records a node state, and the messages that can be delivered there. */
    default void visit(int nodeState, int[] messages) {}

    /** Records that a message can be delivered in a node state. */
    default void visit(int nodeState, int message) {}

    default boolean deliversEagerly() {
        return false;
    }

    /** Whether a message may be delivered as soon as it can; if so, the reduction has to prove it from now on. */
    default boolean mayDeliverEagerly(int nodeState, int message) {
        return false;
    }

    default int permutedNodeState(int permutation, int nodeState) {
        return nodeState;
    }

    default int permutedInbox(int permutation, int inbox) {
        return inbox;
    }

    /**
     * Checks the assumptions on what was visited since the last call; returns whether eager deliveries were refuted.
     */
    default boolean verify() {
        return false;
    }

    /** Whether every eager delivery so far is proven to lose no run. */
    default boolean isProven() {
        return true;
    }
}
