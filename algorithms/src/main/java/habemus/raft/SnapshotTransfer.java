package habemus.raft;

import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.protocol.PersistentLog;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.raft.RaftMessage.InstallSnapshot;
import habemus.raft.RaftMessage.SnapshotAck;
import habemus.raft.RaftState.IncomingSnapshot;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Progress;
import habemus.raft.RaftState.Role;

/** Log compaction and the installation of snapshots: chapter 5 of the dissertation. */
final class SnapshotTransfer {

    private SnapshotTransfer() {}

    /** Replaces applied entries by a snapshot. Snapshot and log change together. */
    static RaftState compact(RaftState s, long index, ByteString snapshot) {
        ProtocolBug.unless(index <= s.commitIndex(), "a snapshot of entries that are not applied", s);
        if (index <= s.log().baseIndex()) {
            return s;
        }
        long synced = Math.max(s.durable().syncedIndex(), index);
        return s.with(s.durable().withSnapshot(s.log().compactTo(index), synced, snapshot));
    }

    // ---- the leader ----

    static Step<RaftState, RaftMessage> begin(Raft raft, RaftState s, Progress peer) {
        return sendChunk(raft, s, peer, 0);
    }

    /** Begins again with the first chunk if our own snapshot is newer than the one that was being sent. */
    static Step<RaftState, RaftMessage> sendChunk(Raft raft, RaftState s, Progress peer, long offset) {
        var base = s.log().base();
        boolean isSame = peer.mode() instanceof Mode.Installing(var sent, var at) && sent.equals(base);
        int from = (int) (isSame ? offset : 0);
        var data = s.durable().snapshot();
        int to = Math.min(data.size(), from + raft.flow().chunkBytes());
        return raft.to(Replication.with(s, peer.in(new Mode.Installing(base, from))))
                .send(
                        peer.node(),
                        new InstallSnapshot(
                                s.term(),
                                base,
                                s.log().configurationAt(base.index()),
                                from,
                                data.slice(from, to),
                                to == data.size(),
                                Replication.round(s)));
    }

    static Step<RaftState, RaftMessage> onAck(Raft raft, RaftState s, NodeId from, SnapshotAck ack) {
        return Replication.onAnswer(
                raft,
                s,
                from,
                ack.round(),
                (now, peer) -> peer.mode() instanceof Mode.Installing(var base, var offset) && base.equals(ack.base())
                        ? onProgress(raft, now, peer, offset, ack)
                        : raft.to(now));
    }

    /**
     * Sends the next chunk at once. A smaller offset is a late message, or the member has lost what it had. The next
     * heartbeat begins there, so that late messages cause no others.
     */
    private static Step<RaftState, RaftMessage> onProgress(
            Raft raft, RaftState s, Progress peer, long offset, SnapshotAck ack) {
        return ack.offset() > offset
                ? sendChunk(raft, s, peer, ack.offset())
                : raft.to(Replication.with(s, peer.in(new Mode.Installing(ack.base(), ack.offset()))));
    }

    // ---- the follower ----

    static Step<RaftState, RaftMessage> onInstall(Raft raft, RaftState s, InstallSnapshot m) {
        var following = (Role.Following) s.role();
        if (m.base().index() <= s.commitIndex()) { // ours is as new, and committed entries match the leader's
            return Replication.acknowledge(raft, s.in(following.withMatch(s.commitIndex())));
        }
        var incoming = following.incoming().base().equals(m.base())
                ? following.incoming()
                : new IncomingSnapshot(m.base(), ByteString.EMPTY);
        if (incoming.received().size() == m.offset()) {
            incoming = new IncomingSnapshot(m.base(), incoming.received().concat(m.chunk()));
            if (m.isLast()) {
                return install(raft, s, m, incoming.received());
            }
        }
        return raft.to(s.in(following.withIncoming(incoming)))
                .send(
                        following.leader(),
                        new SnapshotAck(s.term(), m.base(), incoming.received().size(), following.round()));
    }

    /** Entries behind the snapshot stay if our log contains its last entry; else the whole log is replaced. */
    private static Step<RaftState, RaftMessage> install(
            Raft raft, RaftState s, InstallSnapshot m, ByteString snapshot) {
        var following = (Role.Following) s.role();
        long index = m.base().index();
        boolean keepsTail = s.log().contains(m.base());
        var log = keepsTail ? s.log().compactTo(index) : PersistentLog.startingAfter(m.base(), m.configuration());
        long synced = keepsTail ? Math.max(s.durable().syncedIndex(), index) : index;
        var installed = s.with(s.durable().withSnapshot(log, synced, snapshot))
                .committedTo(index)
                .in(following.withIncoming(IncomingSnapshot.NONE).withMatch(index));
        return Commitment.decide(raft.to(installed).load(index, snapshot))
                .then(now -> Replication.acknowledge(raft, now));
    }
}
