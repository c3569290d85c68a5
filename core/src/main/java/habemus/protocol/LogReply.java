package habemus.protocol;

/** The answer to a {@link LogCall}. */
@WireTags({LogReply.Committed.class, LogReply.Rejected.class, LogReply.Indeterminate.class, LogReply.ReadAt.class})
public sealed interface LogReply {

    /** The proposal is committed at this index, and applied here. */
    record Committed(long index) implements LogReply {}

    /**
     * The call has no effect, now and later.
     *
     * @param leader the leader that the node knows; else empty
     */
    record Rejected(Reason reason, NodeSet leader) implements LogReply {}

    /** The node cannot know whether the proposal was committed: a snapshot replaced the entry at its index. */
    record Indeterminate() implements LogReply {}

    /** The read may be served from the applied state, which includes this index. */
    record ReadAt(long index) implements LogReply {}

    enum Reason {
        NOT_LEADER,
        TRANSFER_IN_PROGRESS,
        /** An earlier change of the members is not committed yet, or no entry of this term is. */
        CHANGE_IN_PROGRESS,
        /** The learner to be promoted lacks committed entries. */
        NOT_CAUGHT_UP,
        /** The change names a node whose membership it does not change, or removes the last voter. */
        INVALID_CHANGE,
        /** Another entry was committed at the index of the proposal. */
        OVERWRITTEN
    }
}
