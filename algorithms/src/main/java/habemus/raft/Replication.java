package habemus.raft;

import habemus.protocol.EntryId;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.raft.RaftMessage.AppendAck;
import habemus.raft.RaftMessage.AppendEntries;
import habemus.raft.RaftMessage.AppendRejected;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.OpenProposals;
import habemus.raft.RaftState.Progress;
import habemus.raft.RaftState.Role;
import java.util.ArrayList;
import java.util.List;

/** Log replication: sections 3.5 (consistency check) and 10.2.1 (several messages in flight) of the dissertation. */
final class Replication {

    private Replication() {}

    // ---- the leader ----

    static Step<RaftState, RaftMessage> propose(Raft raft, RaftState s, List<LogCall.Proposal> proposals) {
        if (!(s.role() instanceof Role.Leading leading) || !leading.transferTo().isEmpty()) {
            var reason = s.role() instanceof Role.Leading
                    ? LogReply.Reason.TRANSFER_IN_PROGRESS
                    : LogReply.Reason.NOT_LEADER;
            var step = raft.to(s);
            for (var proposal : proposals) {
                step = step.reply(proposal.id(), new LogReply.Rejected(reason, s.leader()));
            }
            return step;
        }
        var entries = new ArrayList<LogEntry>(proposals.size());
        var ids = new ArrayList<Long>(proposals.size());
        for (var proposal : proposals) {
            entries.add(new LogEntry(s.term(), new LogEntry.Command(proposal.command())));
            ids.add(proposal.id());
        }
        return append(raft, s, entries, List.copyOf(ids));
    }

    static Step<RaftState, RaftMessage> appendNoOp(Raft raft, RaftState s) {
        return append(raft, s, List.of(new LogEntry(s.term(), new LogEntry.NoOp())), List.of());
    }

    /** Appends entries of our own term, and sends them while our own disk is syncing. */
    static Step<RaftState, RaftMessage> append(Raft raft, RaftState s, List<LogEntry> entries, List<Long> ids) {
        var proposals = new ArrayList<>(s.proposals());
        if (!ids.isEmpty()) {
            proposals.add(new OpenProposals(s.log().lastIndex() + 1, s.term(), ids));
        }
        var log = s.log().append(entries);
        var next = s.with(s.durable().withLog(log, s.durable().syncedIndex())).withProposals(List.copyOf(proposals));
        return sendToAll(raft, Membership.refreshPeers(next));
    }

    private static Step<RaftState, RaftMessage> sendToAll(Raft raft, RaftState s) {
        var step = raft.to(s);
        if (s.role() instanceof Role.Leading leading) {
            for (Progress peer : leading.peers()) {
                step = step.then(now -> send(raft, now, peer));
            }
        }
        return step;
    }

    /** Sends what this member lacks, as far as the limits allow. */
    static Step<RaftState, RaftMessage> send(Raft raft, RaftState s, Progress peer) {
        return switch (peer.mode()) {
            case Mode.Probing(var next, var sent)
            when next <= s.log().baseIndex() -> SnapshotTransfer.begin(raft, s, peer);
            case Mode.Probing(var next, var sent) ->
                sent
                        ? raft.to(s)
                        : raft.to(with(s, peer.in(new Mode.Probing(next, true))))
                                .send(peer.node(), message(raft, s, next));
            case Mode.Replicating(var next, var inFlight)
            when next <= s.log().baseIndex() -> SnapshotTransfer.begin(raft, s, peer);
            case Mode.Replicating replicating -> sendPipelined(raft, s, peer, replicating);
            case Mode.Installing installing -> raft.to(s); // continues when a chunk is acknowledged
        };
    }

    private static Step<RaftState, RaftMessage> sendPipelined(
            Raft raft, RaftState s, Progress peer, Mode.Replicating replicating) {
        var messages = new ArrayList<AppendEntries>();
        var inFlight = new ArrayList<>(replicating.inFlight());
        long next = replicating.nextIndex();
        while (inFlight.size() < raft.flow().maxInFlight() && next <= s.log().lastIndex()) {
            var message = message(raft, s, next);
            messages.add(message);
            inFlight.add(message.lastIndex());
            next = message.lastIndex() + 1;
        }
        if (messages.isEmpty()) {
            return raft.to(s);
        }
        var step = raft.to(with(s, peer.in(new Mode.Replicating(next, List.copyOf(inFlight)))));
        for (var message : messages) {
            step = step.send(peer.node(), message);
        }
        return step;
    }

    private static AppendEntries message(Raft raft, RaftState s, long next) {
        long last = Math.min(s.log().lastIndex(), next + raft.flow().maxEntries() - 1);
        return new AppendEntries(
                s.term(), s.log().idAt(next - 1), s.log().entries(next, last), s.commitIndex(), round(s));
    }

    /** To every member a message that needs an answer; it also finds out which messages were lost. */
    static Step<RaftState, RaftMessage> heartbeat(Raft raft, RaftState s) {
        var step = raft.to(s);
        if (s.role() instanceof Role.Leading leading) {
            for (Progress peer : leading.peers()) {
                step = step.then(now -> switch (peer.mode()) {
                    case Mode.Probing(var next, var sent) -> send(raft, now, peer.in(new Mode.Probing(next, false)));
                    case Mode.Replicating(var next, var inFlight)
                    when next > s.log().baseIndex() ->
                        raft.to(now)
                                .send(
                                        peer.node(),
                                        new AppendEntries(
                                                s.term(),
                                                s.log().idAt(next - 1),
                                                List.of(),
                                                s.commitIndex(),
                                                leading.round()));
                    case Mode.Replicating replicating -> SnapshotTransfer.begin(raft, now, peer);
                    case Mode.Installing installing -> SnapshotTransfer.sendChunk(raft, now, peer, installing.offset());
                });
            }
        }
        return step;
    }

    static Step<RaftState, RaftMessage> onAck(Raft raft, RaftState s, NodeId from, AppendAck ack) {
        return onAnswer(raft, s, from, ack.round(), (now, peer) -> {
            ProtocolBug.unless(
                    ack.matchIndex() <= now.log().lastIndex(), "an acknowledgement beyond the log of the leader", now);
            long match = Math.max(peer.matchIndex(), ack.matchIndex());
            var mode = switch (peer.mode()) {
                case Mode.Replicating(var next, var inFlight) ->
                    new Mode.Replicating(
                            Math.max(next, match + 1),
                            inFlight.stream().filter(last -> last > match).toList());
                case Mode.Probing probing -> new Mode.Replicating(match + 1, List.<Long>of());
                case Mode.Installing(var base, var offset) when match < base.index() -> peer.mode();
                case Mode.Installing installing -> new Mode.Replicating(match + 1, List.<Long>of());
            };
            var acknowledged = new Progress(from, match, peer.round(), mode);
            return send(raft, with(now, acknowledged), acknowledged)
                    .then(later -> Commitment.advance(raft, later))
                    .then(later -> Voting.completeTransfer(raft, later));
        });
    }

    /** Probes at the last entry that both logs can share. An answer to an older probe says nothing new. */
    static Step<RaftState, RaftMessage> onRejected(Raft raft, RaftState s, NodeId from, AppendRejected rejection) {
        return onAnswer(raft, s, from, rejection.round(), (now, peer) -> {
            long next = switch (peer.mode()) {
                case Mode.Probing probing -> probing.nextIndex();
                case Mode.Replicating replicating -> replicating.nextIndex();
                case Mode.Installing installing -> 0;
            };
            boolean isStale = rejection.previousIndex() <= peer.matchIndex()
                    || peer.mode() instanceof Mode.Probing && rejection.previousIndex() != next - 1
                    || peer.mode() instanceof Mode.Installing;
            if (isStale) {
                return raft.to(now);
            }
            long latest = Math.min(rejection.hint().index(), rejection.previousIndex() - 1);
            long shared = latest < now.log().baseIndex()
                    ? latest // only the snapshot has what the member lacks
                    : now.log()
                            .lastWithTermAtMost(latest, rejection.hint().term())
                            .index();
            var probing = peer.in(new Mode.Probing(Math.max(shared, peer.matchIndex()) + 1, false));
            return send(raft, with(now, probing), probing);
        });
    }

    /** What follows from an answer of this member. */
    interface Answer {
        Step<RaftState, RaftMessage> handle(RaftState s, Progress peer);
    }

    /** Every answer shows that the member is up and in our term, and acknowledges a read round. */
    static Step<RaftState, RaftMessage> onAnswer(Raft raft, RaftState s, NodeId from, long round, Answer answer) {
        if (!(s.role() instanceof Role.Leading leading)) {
            return raft.to(s);
        }
        for (Progress peer : leading.peers()) {
            if (peer.node().equals(from)) {
                var heard = new Progress(from, peer.matchIndex(), Math.max(peer.round(), round), peer.mode());
                var now = s.in(leading.withHeard(leading.heard().with(from)).withPeer(heard));
                return answer.handle(now, heard).then(later -> ReadIndex.serve(raft, later));
            }
        }
        return raft.to(s); // no longer a member
    }

    static RaftState with(RaftState s, Progress peer) {
        return s.role() instanceof Role.Leading leading ? s.in(leading.withPeer(peer)) : s;
    }

    static long round(RaftState s) {
        return s.role() instanceof Role.Leading leading ? leading.round() : 0;
    }

    // ---- the follower ----

    static Step<RaftState, RaftMessage> onAppend(Raft raft, RaftState s, AppendEntries m) {
        var following = (Role.Following) s.role();
        long known = s.commitIndex();
        if (m.previous().index() >= known && !s.log().contains(m.previous())) {
            var hint = s.log()
                    .lastWithTermAtMost(
                            Math.min(m.previous().index(), s.log().lastIndex()),
                            m.previous().term());
            return raft.to(s)
                    .send(
                            following.leader(),
                            new AppendRejected(s.term(), m.previous().index(), hint, m.round()));
        }
        // The leader has every committed entry, so the message continues our committed entries.
        long first = firstNew(s, m);
        boolean hasNew = first <= m.lastIndex();
        var now = hasNew ? replaceFrom(s, first, m) : s;
        long match = Math.max(m.lastIndex(), known);
        return raft.to(now.in(following.withMatch(match)))
                .then(later -> hasNew ? raft.to(later) : acknowledge(raft, later)) // else after the sync
                .then(later -> Commitment.commitTo(raft, later, Math.min(m.commitIndex(), match)));
    }

    /** The first index at which our log lacks the entry of the message, or has another one. */
    private static long firstNew(RaftState s, AppendEntries m) {
        long index = Math.max(m.previous().index(), s.commitIndex()) + 1;
        while (index <= m.lastIndex()
                && index <= s.log().lastIndex()
                && s.log().termAt(index) == entryAt(m, index).term()) {
            index++;
        }
        return index;
    }

    private static LogEntry entryAt(AppendEntries m, long index) {
        return m.entries().get((int) (index - m.previous().index() - 1));
    }

    /** Removes entries that conflict with the leader's, which is durable at once, and appends the new ones. */
    private static RaftState replaceFrom(RaftState s, long first, AppendEntries m) {
        ProtocolBug.unless(first > s.commitIndex(), "replacing a committed entry", s);
        var entries = m.entries()
                .subList((int) (first - m.previous().index() - 1), m.entries().size());
        var log = s.log().truncateAfter(first - 1).append(entries);
        return s.with(s.durable().withLog(log, Math.min(s.durable().syncedIndex(), first - 1)));
    }

    /** Acknowledges what was compared with the leader's log and is synced. */
    static Step<RaftState, RaftMessage> acknowledge(Raft raft, RaftState s) {
        return s.role() instanceof Role.Following following
                ? raft.to(s)
                        .send(
                                following.leader(),
                                new AppendAck(
                                        s.term(),
                                        Math.min(
                                                following.matchIndex(),
                                                s.durable().syncedIndex()),
                                        following.round()))
                : raft.to(s);
    }

    // ---- both ----

    /** A sync of entries that were replaced since then says nothing about their successors. */
    static Step<RaftState, RaftMessage> onSynced(Raft raft, RaftState s, EntryId last) {
        if (last.index() <= s.durable().syncedIndex() || !s.log().contains(last)) {
            return raft.to(s);
        }
        var synced = s.with(s.durable().withLog(s.log(), last.index()));
        return s.role() instanceof Role.Leading ? Commitment.advance(raft, synced) : acknowledge(raft, synced);
    }
}
