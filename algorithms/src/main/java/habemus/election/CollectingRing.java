package habemus.election;

import habemus.election.CollectingRing.Message;
import habemus.election.CollectingRing.State;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.FailureAware;
import habemus.protocol.MembershipAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.protocol.Stamp;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * A list circulates, and every node adds itself. When the list returns, its best node leads, and the result circulates.
 *
 * <p>The ring is the order of the node numbers without the suspected nodes. If the successor of a node changes, the
 * message that it has sent may be lost: it sends the result again, or a new list. A restarted node sends Restarted to
 * all peers, because one of them is its predecessor. A node also sends a new list if it is not in the ring of a result,
 * or suspects the leader.
 *
 * <pre>
 *   ·        ── start, restart, join ────────────────────▶ Newcomer
 *   Newcomer ── campaign, Election, Coordinator ─────────▶ Electing    Coordinator: of a ring without it
 *   Newcomer ── Coordinator ─────────────────────────────▶ Led
 *   Electing ── Election, Coordinator ───────────────────▶ Led         Election: its own list returns
 *   Led      ── campaign, Election, Coordinator, suspect ▶ Electing    suspect: the leader
 *   Led      ── left ────────────────────────────────────▶ Electing    the leader
 * </pre>
 *
 * <p>The predecessor of a node that joins sends it the result, and the new node sends a new list. A node that has left
 * is skipped, as a suspected one.
 *
 * <p>Costs 2n messages if one node starts; 3n-1 if all start, or 2n² without {@code suppress}. Survives crashes,
 * restarts with durable state, delay, duplication and reordering. Assumes a perfect failure detector.
 *
 * @param suppress whether nodes drop the older of two lists in flight
 * @see "Tanenbaum and van Steen, Distributed Systems, section on election algorithms: a ring algorithm"
 */
public record CollectingRing(Ranking ranking, boolean suppress)
        implements Election<State, Message>,
                FailureAware<State, Message>,
                MembershipAware<State, Message>,
                Durable<State, Message, Stamp> {

    @WireTags({Message.Restarted.class, Message.Coordinator.class, Message.Election.class})
    public sealed interface Message {
        record Election(Stamp round, NodeSet list) implements Message {}

        record Coordinator(Stamp round, NodeId leader, NodeSet ring) implements Message {}

        record Restarted() implements Message {}
    }

    @WireTags({Phase.Electing.class, Phase.Led.class, Phase.Newcomer.class})
    public sealed interface Phase {
        record Newcomer() implements Phase {}

        record Electing() implements Phase {}

        record Led(Message.Coordinator result) implements Phase {}
    }

    /** @param round of the latest list that this node knows: its initiator, and a number that grows with each list */
    public record State(Neighbourhood neighbourhood, NodeSet suspected, Stamp round, Phase phase) {
        private NodeId next() {
            return neighbourhood.nextExcept(suspected);
        }

        private State in(Stamp nextRound, Phase next) {
            return new State(neighbourhood, suspected, nextRound, next);
        }

        private boolean isLed(Stamp other) {
            return round.equals(other) && phase instanceof Phase.Led;
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood, NodeSet.NONE, new Stamp(0, neighbourhood.self()), new Phase.Newcomer()));
    }

    @Override
    public Stamp durableState(State s) {
        return s.round;
    }

    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, Stamp round) {
        return start(neighbourhood)
                .then(s -> to(s.in(round, s.phase)).sendAll(neighbourhood.peers(), new Message.Restarted()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Electing ? to(s) : sendNewList(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Election election -> onElection(s, election);
            case Message.Coordinator result -> onCoordinator(s, result);
            case Message.Restarted() -> s.next().equals(from) ? resend(s) : to(s);
        };
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        var updated = new State(s.neighbourhood, s.suspected.with(peer), s.round, s.phase);
        boolean leads = s.phase instanceof Phase.Led(var result) && result.leader.equals(peer);
        return leads ? sendNewList(updated) : s.next().equals(peer) ? resend(updated) : to(updated);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        var updated = new State(s.neighbourhood, s.suspected.without(peer), s.round, s.phase);
        return updated.next().equals(peer) ? resend(updated) : to(updated);
    }

    @Override
    public Step<State, Message> joined(State s, NodeId peer, long view) {
        return restore(new State(s.neighbourhood.with(peer), s.suspected, s.round, s.phase), peer);
    }

    /** A node that has left stays suspected for ever: lists that name it may be in flight. */
    @Override
    public Step<State, Message> left(State s, NodeId peer, long view) {
        return suspect(s, peer);
    }

    private Step<State, Message> sendNewList(State s) {
        var round = new Stamp(s.round.time() + 1, s.neighbourhood.self());
        return passList(s, new Message.Election(round, NodeSet.of(s.neighbourhood.self())));
    }

    private Step<State, Message> passList(State s, Message.Election election) {
        return to(s.in(election.round, new Phase.Electing())).send(s.next(), election);
    }

    private Step<State, Message> resend(State s) {
        return s.phase instanceof Phase.Led(var result)
                ? to(s).send(s.next(), result)
                : s.phase instanceof Phase.Electing ? sendNewList(s) : to(s);
    }

    private Step<State, Message> onElection(State s, Message.Election election) {
        var self = s.neighbourhood.self();
        boolean isComplete = election.list.contains(self);
        boolean isOwn =
                s.phase instanceof Phase.Electing && election.round.node().equals(self);
        var extended = new Message.Election(election.round, election.list.with(self));
        if (election.round.isBefore(s.round)) {
            return passOld(s, election.round, isComplete ? result(s, election) : extended);
        }
        return s.isLed(election.round)
                ? to(s)
                : !isComplete
                        ? passList(s, extended)
                        : isOwn ? onCoordinator(s, result(s, election)) : sendNewList(s.in(election.round, s.phase));
    }

    private Message.Coordinator result(State s, Message.Election election) {
        var ring = election.list.without(s.suspected);
        return new Message.Coordinator(election.round, ranking.best(ring), ring);
    }

    private Step<State, Message> onCoordinator(State s, Message.Coordinator result) {
        if (result.round.isBefore(s.round)) {
            return result.round.node().equals(s.neighbourhood.self()) ? to(s) : passOld(s, result.round, result);
        }
        if (!result.ring.contains(s.neighbourhood.self()) || s.suspected.contains(result.leader)) {
            return sendNewList(s.in(result.round, s.phase));
        }
        var led = to(s.in(result.round, new Phase.Led(result)));
        return s.isLed(result.round)
                ? led
                : led.elected(result.leader, result.round.time()).send(s.next(), result);
    }

    /** Handles a message of an older list than the latest. A node that has just restarted sends a new list instead. */
    private Step<State, Message> passOld(State s, Stamp round, Message message) {
        boolean isDropped = suppress || s.suspected.contains(round.node());
        return s.phase instanceof Phase.Newcomer ? sendNewList(s) : isDropped ? to(s) : to(s).send(s.next(), message);
    }
}
