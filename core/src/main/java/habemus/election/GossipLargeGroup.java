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
 * A hash picks a few relays of a large group; they gossip about the best of them, and it leads.
 *
 * <p>Whoever wants an election works out its relays and proposes it to them. A relay tells a few others, chosen by
 * dice, of the best one that it knows, round by round. Who then knows of nobody better than itself takes office and
 * tells the relays, and each relay tells whoever proposed to it. Others who want to know propose too, and are told.
 *
 * <p>In a group so small that all are relays it looks like this; in a larger one others go from Asking to Following.
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
 * <p>Costs about k(2i + br + 1) messages for k relays and i initiators, however many nodes there are. That somebody
 * leads survives what is late or doubled, no loss and no crash; that only one does is likely. Assumes nothing of time.
 *
 * @param relays how many a hash picks on average
 * @param salt makes other relays of the same group
 * @see <a href="https://doi.org/10.1007/3-540-40026-5_6">Gupta, van Renesse and Birman, DISC 2000</a>
 */
public record GossipLargeGroup(int relays, int fanout, int rounds, Duration round, int salt)
        implements Election<GossipState, Message>,
                Timed<GossipState, Message, Timer>,
                Randomized<GossipState, Message> {

    public GossipLargeGroup {
        if (relays < 1 || fanout < 1 || rounds < 1) {
            throw new IllegalArgumentException("it takes a relay, a fanout and a round at least");
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
        if (!(s.phase() instanceof Phase.Relaying(var chosen, var best, var left, var askers))) {
            return to(s); // somebody else was faster
        }
        if (left == 0) {
            return best.equals(s.self()) ? lead(s, chosen, askers) : to(s); // else that one will
        }
        var next = to(s.in(new Phase.Relaying(chosen, best, left - 1, askers))).setTimer(Timer.ROUND, round);
        for (int i = 0; i < fanout && chosen.size() > 1; i++) {
            next = next.draw(chosen.size() - 1);
        }
        return next;
    }

    @Override
    public Step<GossipState, Message> drawn(GossipState s, int outcome) {
        if (!(s.phase() instanceof Phase.Relaying(var chosen, var best, var left, var askers))) {
            return to(s);
        }
        int self = chosen.indexOf(s.self());
        var other = chosen.get(outcome < self ? outcome : outcome + 1);
        return to(s).send(other, new Message.Gossip(s.number(), chosen, best));
    }

    /** Whoever hears of a newer election than its own, or of its own for the first time, becomes one of its relays. */
    private Step<GossipState, Message> join(GossipState s, long number, List<NodeId> chosen) {
        boolean isNew = number > s.number() || number == s.number() && s.phase() instanceof Phase.Asking;
        var relaying = new Phase.Relaying(chosen, s.self(), rounds, NodeSet.NONE);
        return isNew && chosen.contains(s.self())
                ? dropLeader(new GossipState(s.neighbourhood(), number, relaying), s)
                        .setTimer(Timer.ROUND, round)
                : to(s);
    }

    /** Who had a leader has none while it is busy with the next election. */
    private Step<GossipState, Message> dropLeader(GossipState next, GossipState s) {
        return s.hasLeader() ? to(next).lost() : to(next);
    }

    private Step<GossipState, Message> answer(GossipState s, NodeId asker) {
        return switch (s.phase()) {
            case Phase.Relaying(var chosen, var best, var left, var askers) ->
                to(s.in(new Phase.Relaying(chosen, best, left, askers.with(asker))));
            case Phase.Following(var leader) -> to(s).send(asker, new Message.Elected(s.number(), leader));
            case Phase.Leading() -> to(s).send(asker, new Message.Elected(s.number(), s.self()));
            default -> to(s);
        };
    }

    private Step<GossipState, Message> onGossip(GossipState s, NodeId told) {
        return s.phase() instanceof Phase.Relaying(var chosen, var best, var left, var askers)
                        && HashFilter.isBetter(told, best, hashSeed(s.number()))
                ? to(s.in(new Phase.Relaying(chosen, told, left, askers)))
                : to(s);
    }

    private Step<GossipState, Message> lead(GossipState s, List<NodeId> chosen, NodeSet askers) {
        return to(s.in(new Phase.Leading()))
                .elected(s.self(), s.number())
                .sendAll(askers.with(NodeSet.of(chosen)).without(s.self()), new Message.Elected(s.number(), s.self()));
    }

    /** Of two that were elected at a time the better one is believed, by the other one too. */
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
