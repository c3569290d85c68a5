package habemus.election;

import habemus.election.AnonymousRing.Message;
import habemus.election.AnonymousRing.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * Nodes without names: a vote goes round a one-way ring, and the candidate that gets it is elected. It hopes that the
 * vote is its own.
 *
 * <p>With one candidate it is. With two each gets the other's, and both take office. No other rules help, as long as
 * they leave nothing to chance: on a ring of equal nodes that all start at once and are served in turn, all are in the
 * same state at the end of every turn, so that if one leads, all do.
 *
 * <p>A node's own id is told to its own application only; no message carries one, and none is compared.
 *
 * <pre>
 *   ·         ── start ─────────▶ Follower
 *   Follower  ── campaign ──────▶ Candidate
 *   Candidate ── VoteForMe ─────▶ Elected
 *   Candidate ── WeHaveALeader ─▶ Follower     another was faster
 *   Elected   ── WeHaveALeader ─▶ InOffice
 * </pre>
 *
 * <p>Costs 2n messages for any number of candidates that start at once. Survives slowness, pauses and reordering, no
 * crash; elects as many leaders as it has candidates. Assumes that every message arrives exactly once.
 *
 * @see <a href="https://doi.org/10.1145/800141.804655">Angluin, STOC 1980, who proved that nobody can do better</a>
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

    /** @param self for the node's own application, and for nobody else */
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
            case Message.WeHaveALeader news -> onLeader(s, news);
        };
    }

    /** Who has won already tells whoever tries later, or it would wait for ever. */
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

    private Step<State, Message> onLeader(State s, Message.WeHaveALeader news) {
        return switch (s.phase) {
            case Phase.Follower() -> to(s).send(s.next, news);
            case Phase.Candidate() -> to(s.in(FOLLOWER)).send(s.next, news);
            case Phase.Elected() -> to(s.in(IN_OFFICE)).elected(s.self, 1);
            case Phase.InOffice() -> to(s);
        };
    }
}
