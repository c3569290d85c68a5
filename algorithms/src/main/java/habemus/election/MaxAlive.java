package habemus.election;

import habemus.election.MaxAlive.Message;
import habemus.election.MaxAlive.State;
import habemus.protocol.Election;
import habemus.protocol.FailureAware;
import habemus.protocol.MembershipAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * The leader is the best node that the failure detector believes alive.
 *
 * <p>The algorithm sends no messages: the detector does all the work. If the detectors of all nodes agree, all nodes
 * have the same leader from the start, without a campaign.
 *
 * <pre>
 *   ·         ── start, join ─────▶ Leading, Following    Leading: it is the best
 *   Following ── suspect, left ───▶ Leading               the last better node
 *   Leading   ── restore, joined ─▶ Following
 * </pre>
 *
 * <p>Costs no messages. Survives all faults of messages. After crashes, restarts and wrong suspicions the nodes agree
 * in the end, but while their detectors disagree there may be two leaders, or none. Assumes that in the end the
 * detector suspects all crashed nodes and no live node.
 *
 * @see <a href="https://doi.org/10.1145/234533.234549">Chandra, Hadzilacos, Toueg, JACM 43(4), 1996</a>
 */
public record MaxAlive(Ranking ranking)
        implements Election<State, Message>, FailureAware<State, Message>, MembershipAware<State, Message> {

    /** There are none. */
    public enum Message {}

    @WireTags({Phase.Following.class, Phase.Leading.class})
    public sealed interface Phase {
        record Following(NodeId leader) implements Phase {}

        record Leading() implements Phase {}
    }

    /** @param changes the number of leaders that this node has reported; no term, because nodes count differently */
    public record State(NodeId self, NodeSet peers, NodeSet suspected, long changes, Phase phase) {
        private State suspecting(NodeSet next) {
            return new State(self, peers, next, changes, phase);
        }

        private State withPeers(NodeSet next) {
            return new State(self, next, suspected, changes, phase);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return announce(new State(neighbourhood.self(), neighbourhood.peers(), NodeSet.NONE, 0, new Phase.Leading()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(s); // every node always has a leader
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        throw new ProtocolBug("a message", s);
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        return updateLeader(s.suspecting(s.suspected.with(peer)));
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return updateLeader(s.suspecting(s.suspected.without(peer)));
    }

    @Override
    public Step<State, Message> joined(State s, NodeId peer, long view) {
        return updateLeader(s.withPeers(s.peers.with(peer)));
    }

    @Override
    public Step<State, Message> left(State s, NodeId peer, long view) {
        return updateLeader(s.withPeers(s.peers.without(peer)));
    }

    private Step<State, Message> updateLeader(State s) {
        return phase(s).equals(s.phase) ? to(s) : announce(s);
    }

    private Step<State, Message> announce(State s) {
        var next = new State(s.self, s.peers, s.suspected, s.changes + 1, phase(s));
        return to(next).elected(best(s), next.changes);
    }

    private Phase phase(State s) {
        return best(s).equals(s.self) ? new Phase.Leading() : new Phase.Following(best(s));
    }

    private NodeId best(State s) {
        return ranking.best(s.peers.without(s.suspected).with(s.self));
    }
}
