package habemus.service.raft;

import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.raft.RaftHeader;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * JGroups protocol below the election. Drops votes of earlier terms: jgroups-raft would count a late vote in the next
 * term, in which the voter may have voted for another node. Serializes votes with appends.
 */
final class VoteFilter extends Protocol {

    private static final short ID = 1_702;
    private static final short BALLOT = 3_000; // VOTE_REQ of jgroups-raft
    private static final short VOTE = 3_001; // VOTE_RSP
    private static final short ELECTED = 3_005; // LEADER_ELECTED

    static {
        ClassConfigurator.addProtocol(ID, VoteFilter.class);
    }

    private final CorrectedRaft raft;

    VoteFilter(CorrectedRaft raft) {
        this.raft = raft;
    }

    @Override
    public @Nullable Object up(Message message) {
        RaftHeader header = message.getHeader(CorrectedElection.ID);
        if (header == null) {
            return up_prot.up(message);
        }
        if (header.getMagicId() == VOTE) { // not counted after the next round has started
            raft.inTurn(() -> count(header.currTerm(), message));
            return null;
        }
        if (header.getMagicId() == BALLOT) {
            raft.inTurn(() -> up_prot.up(message));
            return null;
        }
        return up_prot.up(message);
    }

    /** Sends the result out of band, so that it does not wait for the retransmission of earlier messages. */
    @Override
    public @Nullable Object down(Message message) {
        RaftHeader header = message.getHeader(CorrectedElection.ID);
        if (header != null && header.getMagicId() == ELECTED) {
            message.setFlag(Message.Flag.OOB);
        }
        return down_prot.down(message);
    }

    private void count(long term, Message vote) {
        if (term == raft.currentTerm()) {
            up_prot.up(vote);
        }
    }

    @Override
    public void up(MessageBatch batch) {
        for (var each = batch.iterator(); each.hasNext(); ) {
            var message = each.next();
            if (message.getHeader(CorrectedElection.ID) != null) {
                each.remove();
                up(message);
            }
        }
        if (!batch.isEmpty()) {
            up_prot.up(batch);
        }
    }
}
