package habemus.raft;

import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PerNode;
import habemus.protocol.PersistentLog;
import habemus.protocol.WireTags;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of a node in {@link Raft}.
 *
 * @param commitIndex the last entry known to be committed; all entries up to it are applied
 * @param proposals the proposals made here whose outcome is open, by index
 */
public record RaftState(NodeId self, DurableState durable, long commitIndex, List<OpenProposals> proposals, Role role) {

    /**
     * The part of the state that is on disk.
     *
     * @param vote the node that has our vote in this term, or empty
     * @param syncedIndex the last entry that a crash cannot take; all of the rest is synced before any effect
     * @param snapshot the state of the application at the base of the log
     */
    public record DurableState(long term, NodeSet vote, PersistentLog log, long syncedIndex, ByteString snapshot) {

        DurableState withVote(long nextTerm, NodeSet nextVote) {
            return new DurableState(nextTerm, nextVote, log, syncedIndex, snapshot);
        }

        DurableState withLog(PersistentLog next, long nextSynced) {
            return new DurableState(term, vote, next, nextSynced, snapshot);
        }

        DurableState withSnapshot(PersistentLog next, long nextSynced, ByteString nextSnapshot) {
            return new DurableState(term, vote, next, nextSynced, nextSnapshot);
        }
    }

    /** Proposals that were appended together: their entries have this term and consecutive indexes. */
    public record OpenProposals(long firstIndex, long term, List<Long> ids) {
        long lastIndex() {
            return firstIndex + ids.size() - 1;
        }

        long id(long index) {
            return ids.get((int) (index - firstIndex));
        }

        /** Those after {@code index}. */
        OpenProposals after(long index) {
            int from = (int) Math.max(0, index + 1 - firstIndex);
            return from == 0 ? this : new OpenProposals(index + 1, term, List.copyOf(ids.subList(from, ids.size())));
        }
    }

    public enum Timer {
        /** At a follower: no leader was heard for too long. At the leader: time to check that a majority follows. */
        ELECTION_TIMEOUT,
        HEARTBEAT
    }

    @WireTags({
        Role.Listening.class,
        Role.Following.class,
        Role.PreCandidate.class,
        Role.Candidate.class,
        Role.Leading.class
    })
    public sealed interface Role {

        /** The node knows no leader of its term. */
        record Listening() implements Role {}

        /**
         * @param matchIndex up to here our log was compared with the leader's in this term, and is equal
         * @param round the last read round seen
         * @param incoming the part of a snapshot that has arrived
         */
        record Following(NodeId leader, long matchIndex, long round, IncomingSnapshot incoming) implements Role {

            Following withMatch(long index) {
                return new Following(leader, Math.max(matchIndex, index), round, incoming);
            }

            Following withIncoming(IncomingSnapshot next) {
                return new Following(leader, matchIndex, round, next);
            }
        }

        record PreCandidate(NodeSet votes) implements Role {}

        record Candidate(NodeSet votes) implements Role {}

        /**
         * @param firstIndex the index of our first entry in this term
         * @param peers the progress of every other member, by number
         * @param heard the members that answered since the last quorum check
         * @param round the number of read rounds started
         * @param reads the reads that are not answered yet
         * @param transferTo the node that leadership is handed to, or empty
         */
        record Leading(
                long firstIndex,
                List<Progress> peers,
                NodeSet heard,
                long round,
                List<OpenRead> reads,
                NodeSet transferTo)
                implements Role {

            NodeSet otherMembers() {
                var members = NodeSet.NONE;
                for (Progress peer : peers) {
                    members = members.with(peer.node);
                }
                return members;
            }

            Leading withPeers(List<Progress> next) {
                return new Leading(firstIndex, next, heard, round, reads, transferTo);
            }

            Leading withPeer(Progress next) {
                var changed = new ArrayList<>(peers);
                changed.replaceAll(peer -> peer.node.equals(next.node) ? next : peer);
                return withPeers(List.copyOf(changed));
            }

            Leading withHeard(NodeSet next) {
                return new Leading(firstIndex, peers, next, round, reads, transferTo);
            }

            Leading withReads(long nextRound, List<OpenRead> next) {
                return new Leading(firstIndex, peers, heard, nextRound, next, transferTo);
            }

            Leading withTransferTo(NodeSet next) {
                return new Leading(firstIndex, peers, heard, round, reads, next);
            }

            /** Progress for exactly these members; new ones are probed from the end of the log. */
            Leading withMembers(NodeSet others, long nextIndex) {
                var next = new ArrayList<Progress>();
                for (NodeId node : others) {
                    next.add(peers.stream()
                            .filter(peer -> peer.node.equals(node))
                            .findFirst()
                            .orElseGet(() -> Progress.unknown(node, nextIndex)));
                }
                return withPeers(List.copyOf(next));
            }
        }
    }

    /** @param received the bytes so far; the base is that of no snapshot if none is arriving */
    public record IncomingSnapshot(EntryId base, ByteString received) {
        static final IncomingSnapshot NONE = new IncomingSnapshot(new EntryId(0, 0), ByteString.EMPTY);
    }

    /**
     * What the leader knows of another member.
     *
     * @param matchIndex the member acknowledged all entries up to here
     * @param round the last read round that it acknowledged
     */
    public record Progress(NodeId node, long matchIndex, long round, Mode mode) implements PerNode {

        static Progress unknown(NodeId node, long nextIndex) {
            return new Progress(node, 0, 0, new Mode.Probing(nextIndex, false));
        }

        Progress in(Mode next) {
            return new Progress(node, matchIndex, round, next);
        }
    }

    /** How the leader sends entries to a member. */
    @WireTags({Mode.Probing.class, Mode.Replicating.class, Mode.Installing.class})
    public sealed interface Mode {

        /** The leader looks for the last common entry, one message at a time. */
        record Probing(long nextIndex, boolean sent) implements Mode {}

        /** @param inFlight the last index of each message that is not acknowledged yet */
        record Replicating(long nextIndex, List<Long> inFlight) implements Mode {}

        /** The member lacks entries that only the snapshot has. */
        record Installing(EntryId base, long offset) implements Mode {}
    }

    /** @param index the read sees at least this entry */
    public record OpenRead(long id, long index, long round) {}

    long term() {
        return durable.term;
    }

    PersistentLog log() {
        return durable.log;
    }

    Configuration configuration() {
        return durable.log.configuration().configuration();
    }

    boolean isVoter() {
        return configuration().voters().contains(self);
    }

    /**
     * Whether the node is a voter, or was one before a change that it does not know to be committed. Until the change
     * is committed, the node may be the only one that can be elected (section 4.2.2 of the dissertation).
     */
    boolean mayCampaign() {
        return isVoter() || log().configurationAt(commitIndex).voters().contains(self);
    }

    NodeSet otherVoters() {
        return configuration().voters().without(self);
    }

    /** The leader of this term, if the node knows it. */
    NodeSet leader() {
        return switch (role) {
            case Role.Following following -> NodeSet.of(following.leader);
            case Role.Leading leading -> NodeSet.of(self);
            default -> NodeSet.NONE;
        };
    }

    RaftState in(Role next) {
        return new RaftState(self, durable, commitIndex, proposals, next);
    }

    RaftState with(DurableState next) {
        return new RaftState(self, next, commitIndex, proposals, role);
    }

    RaftState inTerm(long term, NodeSet vote) {
        return with(durable.withVote(term, vote));
    }

    RaftState withProposals(List<OpenProposals> next) {
        return new RaftState(self, durable, commitIndex, next, role);
    }

    RaftState committedTo(long index) {
        return new RaftState(self, durable, index, proposals, role);
    }
}
