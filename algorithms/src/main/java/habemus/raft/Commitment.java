package habemus.raft;

import habemus.protocol.Effect;
import habemus.protocol.LogReply;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftState.OpenProposals;
import habemus.raft.RaftState.Progress;
import habemus.raft.RaftState.Role;
import java.util.ArrayList;
import java.util.List;

/** When an entry is committed, and what becomes of proposals: section 3.6.2 of the dissertation, and its figure 3.7. */
final class Commitment {

    private Commitment() {}

    /**
     * The leader commits what a majority has synced, if the last of it is an entry of its own term. Earlier entries are
     * committed with it, never by counting.
     */
    static Step<RaftState, RaftMessage> advance(Raft raft, RaftState s) {
        if (!(s.role() instanceof Role.Leading leading)) {
            return raft.to(s);
        }
        long index = majorityIndex(raft, s, leading);
        if (index <= s.commitIndex() || s.log().termAt(index) != s.term()) {
            return raft.to(s);
        }
        return commitTo(raft, s, index)
                .sendAll(leading.otherMembers(), new CommitTo(s.term(), index))
                .then(now -> ReadIndex.serve(raft, now))
                .then(now -> Membership.stepDownIfRemoved(raft, now));
    }

    /** The highest index that a majority of the voters has synced. */
    private static long majorityIndex(Raft raft, RaftState s, Role.Leading leading) {
        long highest = s.commitIndex();
        for (NodeId node : s.configuration().voters()) {
            long index = syncedIndex(s, leading, node);
            if (index > highest && raft.isMajority(s, holders(s, leading, index))) {
                highest = index;
            }
        }
        return highest;
    }

    private static NodeSet holders(RaftState s, Role.Leading leading, long index) {
        var holders = NodeSet.NONE;
        for (NodeId node : s.configuration().voters()) {
            holders = syncedIndex(s, leading, node) >= index ? holders.with(node) : holders;
        }
        return holders;
    }

    private static long syncedIndex(RaftState s, Role.Leading leading, NodeId node) {
        if (node.equals(s.self())) {
            return s.durable().syncedIndex();
        }
        for (Progress peer : leading.peers()) {
            if (peer.node().equals(node)) {
                return peer.matchIndex();
            }
        }
        return 0;
    }

    /** A follower commits only entries that it has compared with the leader's. */
    static Step<RaftState, RaftMessage> onCommitTo(Raft raft, RaftState s, long index) {
        return s.role() instanceof Role.Following following
                ? commitTo(raft, s, Math.min(index, following.matchIndex()))
                : raft.to(s); // no message of the leader was compared yet
    }

    /** Applies the entries up to {@code index}. The commit index never goes back. */
    static Step<RaftState, RaftMessage> commitTo(Raft raft, RaftState s, long index) {
        if (index <= s.commitIndex()) {
            return raft.to(s);
        }
        long first = s.commitIndex() + 1;
        return decide(raft.to(s.committedTo(index)).apply(first, s.log().entries(first, index)));
    }

    /**
     * Answers the proposals whose outcome follows from the last committed entry, and no others. A leader that steps
     * down does not know what becomes of its proposals.
     */
    static Step<RaftState, RaftMessage> decide(Step<RaftState, RaftMessage> step) {
        var s = step.state();
        if (s.proposals().isEmpty()) {
            return step;
        }
        var open = new ArrayList<OpenProposals>();
        var effects = new ArrayList<>(step.effects());
        for (OpenProposals batch : s.proposals()) {
            long decided = lastDecided(s, batch);
            for (long index = batch.firstIndex(); index <= decided; index++) {
                effects.add(new Effect.Reply<>(batch.id(index), outcome(s, index, batch.term())));
            }
            if (decided < batch.lastIndex()) {
                open.add(batch.after(decided));
            }
        }
        return new Step<>(s.withProposals(List.copyOf(open)), List.copyOf(effects));
    }

    /** Terms never fall along a log: behind a committed entry of a later term, no entry of the batch can follow. */
    private static long lastDecided(RaftState s, OpenProposals batch) {
        return s.log().termAt(s.commitIndex()) > batch.term()
                ? batch.lastIndex()
                : Math.min(s.commitIndex(), batch.lastIndex());
    }

    private static LogReply outcome(RaftState s, long index, long term) {
        if (index < s.log().baseIndex()) {
            return new LogReply.Indeterminate(); // a snapshot replaced the entry
        }
        return index <= s.commitIndex() && s.log().termAt(index) == term
                ? new LogReply.Committed(index)
                : new LogReply.Rejected(LogReply.Reason.OVERWRITTEN, s.leader());
    }
}
