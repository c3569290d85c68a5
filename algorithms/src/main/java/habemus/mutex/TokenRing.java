package habemus.mutex;

import habemus.mutex.TokenRing.Message;
import habemus.mutex.TokenRing.State;
import habemus.protocol.FailureAware;
import habemus.protocol.MembershipAware;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * A token circulates in the order of the node numbers; the node that has it may enter.
 *
 * <p>With {@code regenerate}, a node that suspects a crash sends an Election with a new generation round the live
 * nodes. If the Election reaches the node with the token, it ends there, and the token gets the new generation. If it
 * returns to its initiator, the token is lost, and the initiator creates a new one. Nodes drop tokens of older
 * generations.
 *
 * <pre>
 *   ·       ── start ────▶ Idle, Resting     Resting: with the token, without peers
 *   Idle    ── acquire ──▶ Waiting
 *   Waiting ── Token ────▶ Holding
 *   Waiting ── Election ─▶ Holding     its own: the token is lost, and the node creates a new one
 *   Holding ── release ──▶ Idle, Resting
 *   Idle    ── Election ─▶ Resting     all peers are suspected
 *   Idle    ── Token ────▶ Resting     all peers have left
 *   Resting ── acquire ──▶ Holding
 *   Resting ── restore ──▶ Idle
 *   ·       ── join ─────▶ Idle
 *   Waiting ── leave ────▶ Idle
 *   Holding ── leave ────▶ Idle
 *   Resting ── joined ───▶ Idle
 * </pre>
 *
 * <p>A node that leaves passes the token on, also one that arrives later. A node that joins is skipped until its
 * predecessor knows it. With {@code regenerate} the members cannot change.
 *
 * <p>Costs one message an entry if all nodes want to enter, and any number if few do. Survives reordering. If the token
 * is lost, no node enters any more, but exclusion holds. With {@code regenerate} it survives crashes, if the failure
 * detector is perfect. Assumes that the token is not duplicated.
 *
 * @param regenerate whether nodes skip crashed nodes and replace a lost token
 * @see "Le Lann, Distributed Systems: Towards a Formal Approach, IFIP Congress 1977"
 */
public record TokenRing(boolean regenerate)
        implements Mutex<State, Message>, FailureAware<State, Message>, MembershipAware<State, Message> {

    @WireTags({Message.Election.class, Message.Token.class})
    public sealed interface Message {
        /** @param entries the number of entries of all nodes with a token of this generation */
        record Token(long generation, long entries) implements Message {}

        record Election(long generation, NodeId initiator) implements Message {}
    }

    @WireTags({Phase.Idle.class, Phase.Keeping.class, Phase.Waiting.class})
    public sealed interface Phase {
        /** The node has the token. */
        @WireTags({Phase.Holding.class, Phase.Resting.class})
        sealed interface Keeping extends Phase {}

        record Idle() implements Phase {}

        record Waiting() implements Phase {}

        record Holding(long entries) implements Keeping {}

        record Resting(long entries) implements Keeping {}
    }

    /** @param generation the latest generation that this node knows */
    public record State(NodeId self, NodeSet peers, NodeSet suspected, long generation, Phase phase) {
        private State in(Phase next) {
            return new State(self, peers, suspected, generation, next);
        }

        private State withPeers(NodeSet next) {
            return new State(self, next, suspected, generation, phase);
        }

        private State withGeneration(long next) {
            return new State(self, peers, suspected, next, phase);
        }

        private NodeId next() {
            var ring = peers.without(suspected).with(self).toList();
            return ring.get((ring.indexOf(self) + 1) % ring.size());
        }

        /** Larger than the latest generation, and different from that of any other node. */
        private long newGeneration() {
            return (generation / (peers.size() + 1) + 1) * (peers.size() + 1) + self.number() - 1;
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        var idle = idle(neighbourhood);
        return neighbourhood.self().number() == 1 ? passToken(idle, 0) : to(idle);
    }

    @Override
    public Step<State, Message> acquire(State s) {
        return switch (s.phase) {
            case Phase.Idle() -> to(s.in(new Phase.Waiting()));
            case Phase.Resting(var entries) -> enter(s, entries);
            case Phase busy -> throw new ProtocolBug("acquire", s);
        };
    }

    @Override
    public Step<State, Message> release(State s) {
        if (!(s.phase instanceof Phase.Holding(var entries))) {
            throw new ProtocolBug("release", s);
        }
        return passToken(s, entries);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Token(var generation, var entries) ->
                generation < s.generation ? to(s) : useToken(s.withGeneration(generation), entries);
            case Message.Election election -> passElection(s, election);
        };
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        if (!regenerate) {
            return to(s);
        }
        var updated = new State(s.self, s.peers, s.suspected.with(peer), s.generation, s.phase);
        if (s.phase instanceof Phase.Keeping) {
            return to(updated);
        }
        var candidate = new Message.Election(s.newGeneration(), s.self);
        return to(updated.withGeneration(candidate.generation)).send(updated.next(), candidate);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        var updated = new State(s.self, s.peers, s.suspected.without(peer), s.generation, s.phase);
        return s.phase instanceof Phase.Resting(var entries) ? passToken(updated, entries) : to(updated);
    }

    /** Generations are numbered by the number of nodes: they would not differ if that changes. */
    @Override
    public boolean mayJoin(NodeId node) {
        return !regenerate;
    }

    @Override
    public boolean mayLeave(NodeId node) {
        return !regenerate;
    }

    @Override
    public Step<State, Message> join(Neighbourhood neighbourhood, long view) {
        return to(idle(neighbourhood));
    }

    @Override
    public Step<State, Message> joined(State s, NodeId peer, long view) {
        var updated = s.withPeers(s.peers.with(peer));
        return s.phase instanceof Phase.Resting(var entries) ? passToken(updated, entries) : to(updated);
    }

    @Override
    public Step<State, Message> leave(State s) {
        return switch (s.phase) {
            case Phase.Holding(var entries) -> passToken(s, entries);
            case Phase.Resting(var entries) -> passToken(s, entries);
            case Phase.Idle() -> to(s);
            case Phase.Waiting() -> to(s.in(new Phase.Idle()));
        };
    }

    @Override
    public Step<State, Message> left(State s, NodeId peer, long view) {
        return to(s.withPeers(s.peers.without(peer)));
    }

    /** Passes on the token, which a predecessor sent before it knew. */
    @Override
    public Step<State, Message> forward(State s, NodeId from, Message message) {
        return receive(s, from, message);
    }

    private static State idle(Neighbourhood neighbourhood) {
        return new State(neighbourhood.self(), neighbourhood.peers(), NodeSet.NONE, 0, new Phase.Idle());
    }

    private Step<State, Message> passElection(State s, Message.Election election) {
        if (election.generation < s.generation || s.suspected.contains(election.initiator)) {
            return to(s);
        }
        var updated = s.withGeneration(election.generation);
        if (election.initiator.equals(s.self)) {
            return useToken(updated, 0);
        }
        return s.phase instanceof Phase.Keeping ? to(updated) : to(updated).send(s.next(), election);
    }

    private Step<State, Message> useToken(State s, long entries) {
        return switch (s.phase) {
            case Phase.Idle() -> passToken(s, entries);
            case Phase.Waiting() -> enter(s, entries);
            case Phase.Keeping second -> throw new ProtocolBug("a second token", s);
        };
    }

    private Step<State, Message> enter(State s, long entries) {
        return to(s.in(new Phase.Holding(entries + 1))).grant((s.generation << 32) + entries + 1);
    }

    private Step<State, Message> passToken(State s, long entries) {
        return s.next().equals(s.self)
                ? to(s.in(new Phase.Resting(entries)))
                : to(s.in(new Phase.Idle())).send(s.next(), new Message.Token(s.generation, entries));
    }
}
