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

/** The rules, in a group of a hundred nodes. The hash picks the relays; they are listed best first. */
class GossipLargeGroupTest {

    private static final Duration ROUND = Duration.ofMillis(20);
    private static final int SIZE = 100;
    private static final GossipLargeGroup RULES = new GossipLargeGroup(5, 2, 2, ROUND, 0);
    private static final List<NodeId> RELAYS =
            HashFilter.pick(Topology.complete(SIZE).neighbourhood(n(1)), 5, 1);
    private static final NodeId BEST = RELAYS.get(0);
    private static final NodeId SECOND = RELAYS.get(1);
    private static final NodeId THIRD = RELAYS.get(2);
    private static final NodeId NO_RELAY = noRelay();

    private static NodeId noRelay() {
        return Topology.complete(SIZE).nodes().stream()
                .filter(node -> !RELAYS.contains(node))
                .findFirst()
                .orElseThrow();
    }

    private static ProtocolFixture<GossipState, Message> idle(NodeId node) {
        return node(node.number(), SIZE, RULES);
    }

    private static ProtocolFixture<GossipState, Message> relaying(NodeId node) {
        return idle(node).receives(new Propose(1, RELAYS), NO_RELAY);
    }

    /** A relay after its last round. */
    private static ProtocolFixture<GossipState, Message> finished(NodeId node) {
        return relaying(node).timesOut(Timer.ROUND).timesOut(Timer.ROUND);
    }

    private static Phase.Relaying relay(NodeId best, int roundsLeft, NodeId... askers) {
        return new Phase.Relaying(RELAYS, best, roundsLeft, NodeSet.of(askers));
    }

    @Test
    void all_nodes_compute_the_same_relays() {
        for (int number : List.of(1, 50, 100)) {
            assertThat(HashFilter.pick(Topology.complete(SIZE).neighbourhood(n(number)), 5, 1))
                    .isEqualTo(RELAYS);
        }
    }

    @Test
    void in_a_small_group_all_nodes_are_relays_and_there_is_always_one() {
        assertThat(HashFilter.pick(Topology.complete(4).neighbourhood(n(2)), 5, 7))
                .hasSize(4);
        for (int election = 1; election <= 50; election++) {
            assertThat(HashFilter.pick(Topology.complete(1_000).neighbourhood(n(2)), 1, election))
                    .isNotEmpty();
        }
    }

    @Test
    void an_initiator_sends_propose_to_the_relays_only() {
        var asking = idle(NO_RELAY).campaigns();
        assertThat(asking.effects()).containsExactly(sendAll(NodeSet.of(RELAYS), new Propose(1, RELAYS)));
        assertThat(asking.state().phase()).isEqualTo(new Phase.Asking());
    }

    @Test
    void an_initiator_without_a_result_sends_propose_again() {
        assertThat(idle(NO_RELAY).campaigns().campaigns().effects())
                .containsExactly(sendAll(NodeSet.of(RELAYS), new Propose(1, RELAYS)));
    }

    @Test
    void a_relay_joins_once_and_remembers_all_initiators() {
        assertThat(relaying(THIRD).effects()).containsExactly(setTimer(Timer.ROUND, ROUND));
        var twice = relaying(THIRD).receives(new Propose(1, RELAYS), n(2));
        assertThat(twice.effects()).isEmpty();
        assertThat(twice.state().phase()).isEqualTo(relay(THIRD, 2, NO_RELAY, n(2)));
    }

    @Test
    void gossip_makes_a_relay_join() {
        var joined = idle(THIRD).receives(new Gossip(1, RELAYS, SECOND), BEST);
        assertThat(joined.effects()).containsExactly(setTimer(Timer.ROUND, ROUND));
        assertThat(joined.state().phase()).isEqualTo(relay(SECOND, 2));
    }

    @Test
    void a_relay_accepts_gossip_about_a_better_relay_only() {
        assertThat(relaying(SECOND)
                        .receives(new Gossip(1, RELAYS, THIRD), THIRD)
                        .state())
                .isEqualTo(relaying(SECOND).state());
        assertThat(relaying(SECOND)
                        .receives(new Gossip(1, RELAYS, BEST), THIRD)
                        .state()
                        .phase())
                .isEqualTo(relay(BEST, 2, NO_RELAY));
    }

    @Test
    void in_each_round_a_relay_gossips_with_fanout_random_relays() {
        int others = RELAYS.size() - 1;
        var round = relaying(SECOND).timesOut(Timer.ROUND);
        assertThat(round.effects())
                .containsExactly(setTimer(Timer.ROUND, ROUND), new Effect.Draw<>(others), new Effect.Draw<>(others));
        assertThat(round.state().phase()).isEqualTo(relay(SECOND, 1, NO_RELAY));
        assertThat(round.draws(0).effects()).containsExactly(send(BEST.number(), new Gossip(1, RELAYS, SECOND)));
        assertThat(round.draws(1).effects()).containsExactly(send(THIRD.number(), new Gossip(1, RELAYS, SECOND)));
    }

    @Test
    void a_relay_that_knows_no_better_one_leads_and_announces_it_to_relays_and_initiators() {
        assertThat(finished(BEST).timesOut(Timer.ROUND).effects())
                .containsExactly(
                        elected(BEST.number(), 1),
                        sendAll(NodeSet.of(RELAYS).with(NO_RELAY).without(BEST), new Elected(1, BEST)));
    }

    @Test
    void a_relay_that_knows_a_better_one_waits() {
        var waiting =
                finished(SECOND).receives(new Gossip(1, RELAYS, BEST), THIRD).timesOut(Timer.ROUND);
        assertThat(waiting.effects()).isEmpty();
    }

    @Test
    void a_relay_forwards_the_result_to_its_initiators() {
        assertThat(relaying(SECOND).receives(new Elected(1, BEST), BEST).effects())
                .containsExactly(elected(BEST.number(), 1), sendAll(NodeSet.of(NO_RELAY), new Elected(1, BEST)));
    }

    @Test
    void a_later_initiator_gets_the_result_at_once() {
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
    void of_two_leaders_the_worse_one_follows_the_better() {
        var second = finished(SECOND).timesOut(Timer.ROUND);
        assertThat(second.receives(new Elected(1, THIRD), THIRD).effects()).isEmpty();
        assertThat(second.receives(new Elected(1, BEST), BEST).effects()).containsExactly(elected(BEST.number(), 1));
    }

    @Test
    void a_follower_of_the_worse_leader_switches_to_the_better_one_only() {
        var following = idle(NO_RELAY).campaigns().receives(new Elected(1, SECOND), SECOND);
        assertThat(following.receives(new Elected(1, BEST), BEST).effects()).containsExactly(elected(BEST.number(), 1));
        assertThat(following
                        .receives(new Elected(1, BEST), BEST)
                        .receives(new Elected(1, SECOND), SECOND)
                        .effects())
                .isEmpty();
    }

    @Test
    void a_follower_that_campaigns_starts_the_next_election() {
        var next =
                idle(NO_RELAY).campaigns().receives(new Elected(1, BEST), BEST).campaigns();
        assertThat(next.effects()).hasSize(2).first().isEqualTo(lost());
        assertThat(next.state().number()).isEqualTo(2);
        assertThat(next.receives(new Elected(1, SECOND), SECOND).effects()).isEmpty();
    }

    @Test
    void a_fanout_of_zero_is_rejected() {
        assertThatThrownBy(() -> new GossipLargeGroup(5, 0, 2, ROUND, 0))
                .hasMessage("relays, fanout and rounds must be at least 1, were 5, 0 and 2");
    }

    @Test
    void a_node_without_peers_leads() {
        var alone = node(1, 1, RULES)
                .receives(new Propose(1, List.of(n(1))), n(1))
                .timesOut(Timer.ROUND)
                .timesOut(Timer.ROUND)
                .timesOut(Timer.ROUND);
        assertThat(alone.effects()).containsExactly(elected(1, 1));
    }
}
