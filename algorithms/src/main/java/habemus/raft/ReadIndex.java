package habemus.raft;

import habemus.protocol.LogReply;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.raft.RaftState.OpenRead;
import habemus.raft.RaftState.Progress;
import habemus.raft.RaftState.Role;
import java.util.ArrayList;
import java.util.List;

/** Linearizable reads without log entries: section 6.4 of the dissertation. */
final class ReadIndex {

    private ReadIndex() {}

    /**
     * A read sees everything that was committed when it arrived. A new leader does not know how much that is before it
     * has committed an entry of its own term. So the read waits for that entry too.
     */
    static Step<RaftState, RaftMessage> read(Raft raft, RaftState s, long id) {
        if (!(s.role() instanceof Role.Leading leading)) {
            return raft.reject(s, id, LogReply.Reason.NOT_LEADER);
        }
        long round = leading.round() + 1;
        var reads = new ArrayList<>(leading.reads());
        reads.add(new OpenRead(id, Math.max(s.commitIndex(), leading.firstIndex()), round));
        return Replication.heartbeat(raft, s.in(leading.withReads(round, List.copyOf(reads))))
                .then(now -> serve(raft, now));
    }

    /** Answers the reads whose round a majority has acknowledged: no other node led when they arrived. */
    static Step<RaftState, RaftMessage> serve(Raft raft, RaftState s) {
        if (!(s.role() instanceof Role.Leading leading) || leading.reads().isEmpty()) {
            return raft.to(s);
        }
        var open = leading.reads().stream()
                .filter(read -> !isReady(raft, s, leading, read))
                .toList();
        var step = raft.to(s.in(leading.withReads(leading.round(), open)));
        for (OpenRead read : leading.reads()) {
            step = open.contains(read) ? step : step.reply(read.id(), new LogReply.ReadAt(s.commitIndex()));
        }
        return step;
    }

    private static boolean isReady(Raft raft, RaftState s, Role.Leading leading, OpenRead read) {
        var confirmed = NodeSet.of(s.self());
        for (Progress peer : leading.peers()) {
            confirmed = peer.round() >= read.round() ? confirmed.with(peer.node()) : confirmed;
        }
        return read.index() <= s.commitIndex() && raft.isMajority(s, confirmed);
    }

    static Step<RaftState, RaftMessage> rejectAll(Raft raft, Step<RaftState, RaftMessage> step, List<OpenRead> reads) {
        var next = step;
        for (OpenRead read : reads) {
            next = next.reply(read.id(), new LogReply.Rejected(LogReply.Reason.NOT_LEADER, NodeSet.NONE));
        }
        return next;
    }
}
