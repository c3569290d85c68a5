package habemus.service.raft;

import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.raft.RaftHeader;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Below the election. A vote counts only in the term it was given in (the engine's election counts one that is late in
 * the next term, where its voter may have voted for somebody else); and nobody votes while it appends.
 */
final class VoteFilter extends Protocol {

    private static final short ID = 1_702;
    private static final short BALLOT = 3_000; // what the engine calls VOTE_REQ
    private static final short VOTE = 3_001; // and VOTE_RSP
    private static final short ELECTED = 3_005; // and LEADER_ELECTED

    static {
        ClassConfigurator.addProtocol(ID, VoteFilter.class);
    }

    private final CorrectedRaft correctedRaft;

    VoteFilter(CorrectedRaft correctedRaft) {
        this.correctedRaft = correctedRaft;
    }

    @Override
    public @Nullable Object up(Message message) {
        RaftHeader header = message.getHeader(CorrectedElection.ID);
        if (header == null) {
            return up_prot.up(message);
        }
        if (header.getMagicId() == VOTE) { // counted before the next round begins, or not at all
            correctedRaft.inTurn(() -> count(header.currTerm(), message));
            return null;
        }
        if (header.getMagicId() == BALLOT) {
            correctedRaft.inTurn(() -> up_prot.up(message));
            return null;
        }
        return up_prot.up(message);
    }

    /** Who is elected hears of it at once, and not only after all that was said before and has to be said again. */
    @Override
    public @Nullable Object down(Message message) {
        RaftHeader header = message.getHeader(CorrectedElection.ID);
        if (header != null && header.getMagicId() == ELECTED) {
            message.setFlag(Message.Flag.OOB);
        }
        return down_prot.down(message);
    }

    private void count(long term, Message vote) {
        if (term == correctedRaft.currentTerm()) {
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
