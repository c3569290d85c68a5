package habemus.election;

import habemus.election.AnonymousRing.Message;
import habemus.election.AnonymousRing.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * Nodes without ids: a vote circulates in a unidirectional ring, and elects the candidate that receives it.
 *
 * <p>With one candidate the vote is its own. With two candidates each receives the vote of the other, and both lead. No
 * deterministic algorithm does better. On a ring of equal nodes that start at once and take steps in turn, all nodes
 * are in the same state after every round. If one leads, all lead.
 *
 * <p>A node reports its own id to its own application only. No message carries an id, and the algorithm compares none.
 *
 * <pre>
 *   ·         ── start ─────────▶ Follower
 *   Follower  ── campaign ──────▶ Candidate
 *   Candidate ── VoteForMe ─────▶ Elected
 *   Candidate ── WeHaveALeader ─▶ Follower     another candidate was faster
 *   Elected   ── WeHaveALeader ─▶ InOffice
 * </pre>
 *
 * <p>Costs 2n messages for any number of candidates that start at once. Survives delays, pauses and reordering, no
 * crash; elects as many leaders as it has candidates. Assumes that every message arrives exactly once.
 *
 * @see <a href="https://doi.org/10.1145/800141.804655">Angluin, STOC 1980 (the impossibility proof)</a>
 */
public final class AnonymousRing implements Election<State, Message> {

    @WireTags({Message.VoteForMe.class, Message.WeHaveALeader.class})
    public sealed interface Message {
        record VoteForMe() implements Message {}

        record WeHaveALeader() implements Message {}
    }

    @WireTags({Phase.Candidate.class, Phase.Elected.class, Phase.Follower.class, Phase.InOffice.class})
    public sealed interface Phase {
        record Follower() implements Phase {}

        record Candidate() implements Phase {}

        record Elected() implements Phase {}

        record InOffice() implements Phase {}
    }

    private static final Phase FOLLOWER = new Phase.Follower();
    private static final Phase CANDIDATE = new Phase.Candidate();
    private static final Phase ELECTED = new Phase.Elected();
    private static final Phase IN_OFFICE = new Phase.InOffice();

    /** @param self only for the node's own application */
    public record State(NodeId self, NodeId next, Phase phase) {
        private State in(Phase to) {
            return new State(self, next, to);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), FOLLOWER));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Follower ? to(s.in(CANDIDATE)).send(s.next, new Message.VoteForMe()) : to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.VoteForMe vote -> onVote(s, vote);
            case Message.WeHaveALeader announcement -> onLeader(s, announcement);
        };
    }

    /** A leader also answers later candidates, which would wait for ever otherwise. */
    private Step<State, Message> onVote(State s, Message.VoteForMe vote) {
        return switch (s.phase) {
            case Phase.Follower() -> to(s).send(s.next, vote);
            case Phase.Candidate() -> announce(s.in(ELECTED));
            case Phase.Elected() -> announce(s);
            case Phase.InOffice() -> announce(s);
        };
    }

    private Step<State, Message> announce(State s) {
        return to(s).send(s.next, new Message.WeHaveALeader());
    }

    private Step<State, Message> onLeader(State s, Message.WeHaveALeader announcement) {
        return switch (s.phase) {
            case Phase.Follower() -> to(s).send(s.next, announcement);
            case Phase.Candidate() -> to(s.in(FOLLOWER)).send(s.next, announcement);
            case Phase.Elected() -> to(s.in(IN_OFFICE)).elected(s.self, 1);
            case Phase.InOffice() -> to(s);
        };
    }
}
