package habemus.service.raft;

import habemus.codec.Codec;
import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.protocol.WireTags;
import habemus.raft.RaftMessage;
import java.util.List;

/** A message between two nodes of the log. */
@WireTags({
    LogFrame.RaftFrame.class,
    LogFrame.Forward.class,
    LogFrame.Returned.class,
    LogFrame.ChangeMembers.class,
    LogFrame.MembersChanged.class,
    LogFrame.ClusterFormed.class
})
sealed interface LogFrame {

    Codec<LogFrame> CODEC = Codec.of(LogFrame.class);

    record RaftFrame(RaftMessage message) implements LogFrame {}

    /**
     * Proposals for the leader of a term. Only the leader of exactly this term appends them.
     *
     * @param commands each an {@link EntryPayload}
     */
    record Forward(long term, List<ByteString> commands) implements LogFrame {}

    /** The receiver of {@link Forward} did not append these proposals, and will not. */
    record Returned(long term, List<Long> numbers) implements LogFrame {}

    /**
     * Asks the leader for a change of the members.
     *
     * @param address of a member to add, as {@code host:port}; empty to remove the member
     * @param folder the data folder of the member, as far as the sender knows
     */
    record ChangeMembers(long number, NodeId member, String address, long folder) implements LogFrame {}

    /** @param refusal the reason if the change was refused; empty if it is committed */
    record MembersChanged(long number, String refusal, boolean isIndeterminate) implements LogFrame {}

    /** The first node has formed the cluster. */
    record ClusterFormed(String clusterId) implements LogFrame {}

    default byte[] encode() {
        return CODEC.write(this);
    }
}
