package habemus.protocol;

import java.util.List;

/** What an application asks of its node of a replicated log. Answered by {@link LogReply} with the same id. */
@WireTags({
    LogCall.Propose.class,
    LogCall.Read.class,
    LogCall.ChangeMembers.class,
    LogCall.TransferLeadership.class,
    LogCall.Compact.class
})
public sealed interface LogCall {

    /** One command and the id of its reply. */
    record Proposal(long id, ByteString command) {
        @Override
        public String toString() {
            return command.toString();
        }
    }

    /** Append these commands. Proposals that arrive together travel together. */
    record Propose(List<Proposal> proposals) implements LogCall {
        public Propose {
            proposals = List.copyOf(proposals);
        }
    }

    /** Find out from which index on the applied state includes everything acknowledged so far. */
    record Read(long id) implements LogCall {}

    record ChangeMembers(long id, MemberChange change) implements LogCall {}

    /** Hand the leadership to a voter. There is no reply: the next leader shows whether it worked. */
    record TransferLeadership(NodeId to) implements LogCall {}

    /**
     * Replace all entries up to {@code index} by a snapshot of the application.
     *
     * @param index at most the last applied index
     * @param snapshot the state of the application after that entry
     */
    record Compact(long index, ByteString snapshot) implements LogCall {}

    /** A change of one member. Two majorities of configurations that differ by one voter share a node. */
    @WireTags({AddLearner.class, Promote.class, Remove.class})
    sealed interface MemberChange {
        NodeId node();
    }

    /** The node receives the log from now on, without a vote. */
    record AddLearner(NodeId node) implements MemberChange {}

    /** A learner that has caught up becomes a voter. */
    record Promote(NodeId node) implements MemberChange {}

    record Remove(NodeId node) implements MemberChange {}
}
