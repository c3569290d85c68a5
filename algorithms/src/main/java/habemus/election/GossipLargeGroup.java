package habemus.election;

import habemus.election.GossipLargeGroup.Message;
import habemus.election.GossipState.Phase;
import habemus.election.GossipState.Timer;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Randomized;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;

/**
 * A hash picks a few relays in a large group. The relays gossip about the best of them, and the best relay leads.
 *
 * <p>An initiator computes the relays and sends them a Propose. In each round a relay sends the best relay that it
 * knows to a few random relays. A relay that knows no better one after all rounds leads, and sends Elected to the
 * relays. Each relay forwards Elected to the nodes that sent it a Propose. Nodes that want to know the leader send a
 * Propose too.
 *
 * <p>The diagram shows a small group, in which all nodes are relays. In a larger group the other nodes go from Asking
 * to Following.
 *
 * <pre>
 *   ·                        ── start ───────────▶ Idle
 *   Idle, Following, Leading ── campaign ────────▶ Asking
 *   Asking                   ── Propose ─────────▶ Relaying
 *   Idle, Following, Leading ── Propose, Gossip ─▶ Relaying
 *   Relaying                 ── ROUND ───────────▶ Leading
 *   Relaying, Leading        ── Elected ─────────▶ Following
 * </pre>
 *
 * <p>Costs about k(2i + br + 1) messages for k relays, i initiators, fanout b and r rounds, for any number of nodes.
 * Termination survives delay and duplication, no loss and no crash; uniqueness holds with high probability. Assumes
 * nothing about time.
 *
 * @param relays the expected number of relays
 * @param fanout the number of relays that a relay gossips with in a round
 * @param rounds the number of rounds
 * @param round the duration of a round
 * @param salt selects other relays of the same group
 * @see <a href="https://doi.org/10.1007/3-540-40026-5_6">Gupta, van Renesse and Birman, DISC 2000</a>
 */
public record GossipLargeGroup(int relays, int fanout, int rounds, Duration round, int salt)
        implements Election<GossipState, Message>,
                Timed<GossipState, Message, Timer>,
                Randomized<GossipState, Message> {

    public GossipLargeGroup {
        if (relays < 1 || fanout < 1 || rounds < 1) {
            throw new IllegalArgumentException(
                    "relays, fanout and rounds must be at least 1, were " + relays + ", " + fanout + " and " + rounds);
        }
    }

    @WireTags({Message.Elected.class, Message.Gossip.class, Message.Propose.class})
    public sealed interface Message {
        record Propose(long number, List<NodeId> relays) implements Message {}

        record Gossip(long number, List<NodeId> relays, NodeId best) implements Message {}

        record Elected(long number, NodeId leader) implements Message {}
    }

    @Override
    public Step<GossipState, Message> start(Neighbourhood neighbourhood) {
        return to(new GossipState(neighbourhood, 0, new Phase.Idle()));
    }

    @Override
    public Step<GossipState, Message> campaign(GossipState s) {
        if (s.phase() instanceof Phase.Relaying) {
            return to(s);
        }
        long number = s.phase() instanceof Phase.Asking ? s.number() : s.number() + 1;
        var chosen = HashFilter.pick(s.neighbourhood(), relays, hashSeed(number));
        return dropLeader(new GossipState(s.neighbourhood(), number, new Phase.Asking()), s)
                .sendAll(NodeSet.of(chosen), new Message.Propose(number, chosen));
    }

    @Override
    public Step<GossipState, Message> receive(GossipState s, NodeId from, Message message) {
        return switch (message) {
            case Message.Propose(var number, var chosen) ->
                join(s, number, chosen).then(now -> answer(now, from));
            case Message.Gossip(var number, var chosen, var best) ->
                join(s, number, chosen).then(now -> number == now.number() ? onGossip(now, best) : to(now));
            case Message.Elected(var number, var leader) -> number < s.number() ? to(s) : onElected(s, number, leader);
        };
    }

    @Override
    public Step<GossipState, Message> timeout(GossipState s, Timer timer) {
        if (!(s.phase() instanceof Phase.Relaying(var chosen, var best, var roundsLeft, var askers))) {
            return to(s); // another relay leads already
        }
        if (roundsLeft == 0) {
            return best.equals(s.self()) ? lead(s, chosen, askers) : to(s); // the better relay leads
        }
        var next = to(s.in(new Phase.Relaying(chosen, best, roundsLeft - 1, askers)))
                .setTimer(Timer.ROUND, round);
        for (int i = 0; i < fanout && chosen.size() > 1; i++) {
            next = next.draw(chosen.size() - 1);
        }
        return next;
    }

    @Override
    public Step<GossipState, Message> drawn(GossipState s, int value) {
        if (!(s.phase() instanceof Phase.Relaying(var chosen, var best, var roundsLeft, var askers))) {
            return to(s);
        }
        int self = chosen.indexOf(s.self());
        var other = chosen.get(value < self ? value : value + 1);
        return to(s).send(other, new Message.Gossip(s.number(), chosen, best));
    }

    /** A relay joins an election that is newer than its own, or its own election when the first message arrives. */
    private Step<GossipState, Message> join(GossipState s, long number, List<NodeId> chosen) {
        boolean isNew = number > s.number() || number == s.number() && s.phase() instanceof Phase.Asking;
        var relaying = new Phase.Relaying(chosen, s.self(), rounds, NodeSet.NONE);
        return isNew && chosen.contains(s.self())
                ? dropLeader(new GossipState(s.neighbourhood(), number, relaying), s)
                        .setTimer(Timer.ROUND, round)
                : to(s);
    }

    /** A node that takes part in a new election no longer has a leader. */
    private Step<GossipState, Message> dropLeader(GossipState next, GossipState s) {
        return s.hasLeader() ? to(next).lost() : to(next);
    }

    private Step<GossipState, Message> answer(GossipState s, NodeId asker) {
        return switch (s.phase()) {
            case Phase.Relaying(var chosen, var best, var roundsLeft, var askers) ->
                to(s.in(new Phase.Relaying(chosen, best, roundsLeft, askers.with(asker))));
            case Phase.Following(var leader) -> to(s).send(asker, new Message.Elected(s.number(), leader));
            case Phase.Leading() -> to(s).send(asker, new Message.Elected(s.number(), s.self()));
            default -> to(s);
        };
    }

    private Step<GossipState, Message> onGossip(GossipState s, NodeId candidate) {
        return s.phase() instanceof Phase.Relaying(var chosen, var best, var roundsLeft, var askers)
                        && HashFilter.isBetter(candidate, best, hashSeed(s.number()))
                ? to(s.in(new Phase.Relaying(chosen, candidate, roundsLeft, askers)))
                : to(s);
    }

    private Step<GossipState, Message> lead(GossipState s, List<NodeId> chosen, NodeSet askers) {
        return to(s.in(new Phase.Leading()))
                .elected(s.self(), s.number())
                .sendAll(askers.with(NodeSet.of(chosen)).without(s.self()), new Message.Elected(s.number(), s.self()));
    }

    /** If an election has two leaders, all nodes follow the better one, including the other leader. */
    private Step<GossipState, Message> onElected(GossipState s, long number, NodeId leader) {
        var following = to(new GossipState(s.neighbourhood(), number, new Phase.Following(leader)))
                .elected(leader, number);
        return switch (s.phase()) {
            case Phase p when number > s.number() -> following;
            case Phase.Following(var other) -> HashFilter.isBetter(leader, other, hashSeed(number)) ? following : to(s);
            case Phase.Leading() -> HashFilter.isBetter(leader, s.self(), hashSeed(number)) ? following : to(s);
            case Phase.Relaying r ->
                following.sendAll(r.askers().without(s.self()), new Message.Elected(number, leader));
            default -> following;
        };
    }

    private long hashSeed(long number) {
        return number ^ (long) salt << Integer.SIZE;
    }
}
