package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.setTimer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.election.GossipLargeGroup.Message;
import habemus.election.GossipLargeGroup.Message.Elected;
import habemus.election.GossipLargeGroup.Message.Gossip;
import habemus.election.GossipLargeGroup.Message.Propose;
import habemus.election.GossipState.Phase;
import habemus.election.GossipState.Timer;
import habemus.protocol.Effect;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Topology;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of a hundred nodes; the relays are those that the hash picks, best first. */
class GossipLargeGroupTest {

    private static final Duration ROUND = Duration.ofMillis(20);
    private static final int SIZE = 100;
    private static final GossipLargeGroup RULES = new GossipLargeGroup(5, 2, 2, ROUND, 0);
    private static final List<NodeId> RELAYS =
            HashFilter.pick(Topology.complete(SIZE).neighbourhood(n(1)), 5, 1);
    private static final NodeId BEST = RELAYS.get(0);
    private static final NodeId SECOND = RELAYS.get(1);
    private static final NodeId THIRD = RELAYS.get(2);
    private static final NodeId STRANGER = stranger();

    private static NodeId stranger() {
        return Topology.complete(SIZE).nodes().stream()
                .filter(node -> !RELAYS.contains(node))
                .findFirst()
                .orElseThrow();
    }

    private static ProtocolFixture<GossipState, Message> idle(NodeId node) {
        return node(node.number(), SIZE, RULES);
    }

    private static ProtocolFixture<GossipState, Message> relaying(NodeId node) {
        return idle(node).receives(new Propose(1, RELAYS), STRANGER);
    }

    /** Its rounds are over. */
    private static ProtocolFixture<GossipState, Message> finished(NodeId node) {
        return relaying(node).timesOut(Timer.ROUND).timesOut(Timer.ROUND);
    }

    private static Phase.Relaying relay(NodeId best, int left, NodeId... askers) {
        return new Phase.Relaying(RELAYS, best, left, NodeSet.of(askers));
    }

    @Test
    void everybody_works_out_the_same_relays() {
        for (int number : List.of(1, 50, 100)) {
            assertThat(HashFilter.pick(Topology.complete(SIZE).neighbourhood(n(number)), 5, 1))
                    .isEqualTo(RELAYS);
        }
    }

    @Test
    void of_few_nodes_all_are_relays_and_of_none_that_pass_the_best_is() {
        assertThat(HashFilter.pick(Topology.complete(4).neighbourhood(n(2)), 5, 7))
                .hasSize(4);
        for (int election = 1; election <= 50; election++) {
            assertThat(HashFilter.pick(Topology.complete(1_000).neighbourhood(n(2)), 1, election))
                    .isNotEmpty();
        }
    }

    @Test
    void who_wants_an_election_proposes_it_to_its_relays_and_to_nobody_else() {
        var asking = idle(STRANGER).campaigns();
        assertThat(asking.effects()).containsExactly(sendAll(NodeSet.of(RELAYS), new Propose(1, RELAYS)));
        assertThat(asking.state().phase()).isEqualTo(new Phase.Asking());
    }

    @Test
    void who_was_not_told_asks_again() {
        assertThat(idle(STRANGER).campaigns().campaigns().effects())
                .containsExactly(sendAll(NodeSet.of(RELAYS), new Propose(1, RELAYS)));
    }

    @Test
    void a_relay_joins_once_and_remembers_who_is_to_be_told() {
        assertThat(relaying(THIRD).effects()).containsExactly(setTimer(Timer.ROUND, ROUND));
        var twice = relaying(THIRD).receives(new Propose(1, RELAYS), n(2));
        assertThat(twice.effects()).isEmpty();
        assertThat(twice.state().phase()).isEqualTo(relay(THIRD, 2, STRANGER, n(2)));
    }

    @Test
    void a_relay_that_was_not_asked_joins_when_it_hears_gossip() {
        var joined = idle(THIRD).receives(new Gossip(1, RELAYS, SECOND), BEST);
        assertThat(joined.effects()).containsExactly(setTimer(Timer.ROUND, ROUND));
        assertThat(joined.state().phase()).isEqualTo(relay(SECOND, 2));
    }

    @Test
    void a_relay_believes_gossip_of_somebody_better_only() {
        assertThat(relaying(SECOND)
                        .receives(new Gossip(1, RELAYS, THIRD), THIRD)
                        .state())
                .isEqualTo(relaying(SECOND).state());
        assertThat(relaying(SECOND)
                        .receives(new Gossip(1, RELAYS, BEST), THIRD)
                        .state()
                        .phase())
                .isEqualTo(relay(BEST, 2, STRANGER));
    }

    @Test
    void each_round_it_tells_as_many_others_as_the_fanout_says_by_dice() {
        int others = RELAYS.size() - 1;
        var round = relaying(SECOND).timesOut(Timer.ROUND);
        assertThat(round.effects())
                .containsExactly(setTimer(Timer.ROUND, ROUND), new Effect.Draw<>(others), new Effect.Draw<>(others));
        assertThat(round.state().phase()).isEqualTo(relay(SECOND, 1, STRANGER));
        assertThat(round.draws(0).effects()).containsExactly(send(BEST.number(), new Gossip(1, RELAYS, SECOND)));
        assertThat(round.draws(1).effects()).containsExactly(send(THIRD.number(), new Gossip(1, RELAYS, SECOND)));
    }

    @Test
    void who_knows_nobody_better_in_the_end_leads_and_tells_the_relays_and_who_asked() {
        assertThat(finished(BEST).timesOut(Timer.ROUND).effects())
                .containsExactly(
                        elected(BEST.number(), 1),
                        sendAll(NodeSet.of(RELAYS).with(STRANGER).without(BEST), new Elected(1, BEST)));
    }

    @Test
    void who_knows_somebody_better_waits() {
        var waiting =
                finished(SECOND).receives(new Gossip(1, RELAYS, BEST), THIRD).timesOut(Timer.ROUND);
        assertThat(waiting.effects()).isEmpty();
    }

    @Test
    void a_relay_that_learns_who_leads_tells_who_asked() {
        assertThat(relaying(SECOND).receives(new Elected(1, BEST), BEST).effects())
                .containsExactly(elected(BEST.number(), 1), sendAll(NodeSet.of(STRANGER), new Elected(1, BEST)));
    }

    @Test
    void who_asks_later_is_told_at_once() {
        var following = relaying(SECOND).receives(new Elected(1, BEST), BEST);
        assertThat(following.receives(new Propose(1, RELAYS), n(7)).effects())
                .containsExactly(send(7, new Elected(1, BEST)));
        assertThat(finished(BEST)
                        .timesOut(Timer.ROUND)
                        .receives(new Propose(1, RELAYS), n(7))
                        .effects())
                .containsExactly(send(7, new Elected(1, BEST)));
    }

    @Test
    void of_two_leaders_the_worse_one_gives_way_to_the_better_one() {
        var second = finished(SECOND).timesOut(Timer.ROUND);
        assertThat(second.receives(new Elected(1, THIRD), THIRD).effects()).isEmpty();
        assertThat(second.receives(new Elected(1, BEST), BEST).effects()).containsExactly(elected(BEST.number(), 1));
    }

    @Test
    void who_follows_the_worse_of_two_changes_its_mind_and_not_back() {
        var told = idle(STRANGER).campaigns().receives(new Elected(1, SECOND), SECOND);
        assertThat(told.receives(new Elected(1, BEST), BEST).effects()).containsExactly(elected(BEST.number(), 1));
        assertThat(told.receives(new Elected(1, BEST), BEST)
                        .receives(new Elected(1, SECOND), SECOND)
                        .effects())
                .isEmpty();
    }

    @Test
    void who_has_a_leader_and_wants_an_election_begins_the_next_one() {
        var next =
                idle(STRANGER).campaigns().receives(new Elected(1, BEST), BEST).campaigns();
        assertThat(next.effects()).hasSize(2).first().isEqualTo(lost());
        assertThat(next.state().number()).isEqualTo(2);
        assertThat(next.receives(new Elected(1, SECOND), SECOND).effects()).isEmpty();
    }

    @Test
    void a_fanout_of_none_is_refused() {
        assertThatThrownBy(() -> new GossipLargeGroup(5, 0, 2, ROUND, 0))
                .hasMessage("it takes a relay, a fanout and a round at least");
    }

    @Test
    void who_is_alone_leads() {
        var alone = node(1, 1, RULES)
                .receives(new Propose(1, List.of(n(1))), n(1))
                .timesOut(Timer.ROUND)
                .timesOut(Timer.ROUND)
                .timesOut(Timer.ROUND);
        assertThat(alone.effects()).containsExactly(elected(1, 1));
    }
}
