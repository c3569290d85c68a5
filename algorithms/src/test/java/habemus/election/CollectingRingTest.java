package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.joining;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.restarted;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.stamp;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.CollectingRing.Message;
import habemus.election.CollectingRing.Message.Coordinator;
import habemus.election.CollectingRing.Message.Election;
import habemus.election.CollectingRing.Message.Restarted;
import habemus.election.CollectingRing.Phase;
import habemus.election.CollectingRing.Phase.Electing;
import habemus.election.CollectingRing.Phase.Led;
import habemus.election.CollectingRing.Phase.Newcomer;
import habemus.election.CollectingRing.State;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.protocol.Ranking.Rank;
import habemus.protocol.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n3 of five nodes. */
class CollectingRingTest {

    private static final CollectingRing RING = new CollectingRing(Ranking.BY_NUMBER, true);
    private static final CollectingRing UNSUPPRESSED = new CollectingRing(Ranking.BY_NUMBER, false);
    private static final NodeSet ALL = nodes(1, 2, 3, 4, 5);

    /** The result of the list of n5. */
    private static final Coordinator RESULT = new Coordinator(stamp(1, 5), n(5), ALL);

    private static ProtocolFixture<State, Message> newcomer() {
        return node(3, 5, RING);
    }

    private static ProtocolFixture<State, Message> electing() {
        return newcomer().campaigns();
    }

    private static ProtocolFixture<State, Message> led() {
        return newcomer().receives(RESULT, n(2));
    }

    private static void assertIs(State s, Stamp round, Phase phase) {
        assertThat(s.round()).isEqualTo(round);
        assertThat(s.phase()).isEqualTo(phase);
    }

    @Test
    void a_node_starts_as_a_newcomer_without_messages() {
        assertThat(newcomer().effects()).isEmpty();
        assertIs(newcomer().state(), stamp(0, 3), new Newcomer());
    }

    @Test
    void a_candidate_sends_a_list_with_itself_to_its_successor() {
        assertThat(electing().effects()).containsExactly(send(4, new Election(stamp(1, 3), nodes(3))));
        assertIs(electing().state(), stamp(1, 3), new Electing());
    }

    @Test
    void the_ring_skips_suspected_nodes_and_continues_at_the_lowest_number() {
        assertThat(newcomer().suspects(4).campaigns().effects())
                .containsExactly(send(5, new Election(stamp(1, 3), nodes(3))));
        assertThat(newcomer().suspects(4, 5).campaigns().effects())
                .containsExactly(send(1, new Election(stamp(1, 3), nodes(3))));
        assertThat(newcomer().suspects(1, 2, 4, 5).campaigns().effects())
                .containsExactly(send(3, new Election(stamp(1, 3), nodes(3))));
    }

    @Test
    void a_campaign_during_an_election_changes_nothing() {
        assertThat(electing().campaigns().effects()).isEmpty();
        assertThat(electing().campaigns().state()).isEqualTo(electing().state());
    }

    @Test
    void a_node_adds_itself_to_a_list_and_forwards_it() {
        for (var before : List.of(newcomer(), electing(), led())) {
            var n3 = before.receives(new Election(stamp(2, 1), nodes(1, 2)), n(2));
            assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(2, 1), nodes(1, 2, 3))));
            assertIs(n3.state(), stamp(2, 1), new Electing());
        }
    }

    @Test
    void a_node_drops_a_list_that_is_older_than_the_latest() {
        for (var before : List.of(electing(), led())) {
            var n3 = before.receives(new Election(stamp(1, 2), nodes(2)), n(2));
            assertThat(n3.effects()).isEmpty();
            assertThat(n3.state()).isEqualTo(before.state());
        }
    }

    @Test
    void the_best_node_of_a_list_that_returns_leads() {
        var n3 = electing().receives(new Election(stamp(1, 3), ALL), n(2));
        var result = new Coordinator(stamp(1, 3), n(5), ALL);
        assertThat(n3.effects()).containsExactly(elected(5, 1), send(4, result));
        assertIs(n3.state(), stamp(1, 3), new Led(result));
    }

    @Test
    void the_best_of_the_list_by_rank_leads_and_the_lowest_can_be_the_best() {
        var ranking = new Ranking(List.of(new Rank(n(1), 9), new Rank(n(2), -1)));
        var list = new Election(stamp(1, 3), ALL);
        assertThat(node(3, 5, new CollectingRing(ranking, true))
                        .campaigns()
                        .receives(list, n(2))
                        .effects())
                .contains(elected(1, 1));
        assertThat(node(3, 5, new CollectingRing(ranking.withBest(Ranking.Best.LOWEST), true))
                        .campaigns()
                        .receives(list, n(2))
                        .effects())
                .contains(elected(2, 1));
    }

    @Test
    void a_result_omits_suspected_nodes() {
        var n3 = electing().suspects(5).receives(new Election(stamp(1, 3), ALL), n(2));
        assertThat(n3.effects())
                .containsExactly(elected(4, 1), send(4, new Coordinator(stamp(1, 3), n(4), nodes(1, 2, 3, 4))));
    }

    @Test
    void a_node_sends_a_new_list_if_that_of_a_crashed_initiator_arrives_again() {
        var n3 = newcomer()
                .receives(new Election(stamp(1, 2), nodes(2)), n(2))
                .receives(new Election(stamp(1, 2), ALL), n(1));
        assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(2, 3), nodes(3))));
        assertIs(n3.state(), stamp(2, 3), new Electing());
    }

    @Test
    void a_node_follows_the_leader_of_a_result_and_forwards_it() {
        for (var before : List.of(newcomer(), electing())) {
            var n3 = before.receives(RESULT, n(2));
            assertThat(n3.effects()).containsExactly(elected(5, 1), send(4, RESULT));
            assertIs(n3.state(), stamp(1, 5), new Led(RESULT));
        }
    }

    @Test
    void a_node_drops_a_known_result_and_lists_of_its_round() {
        for (Message known : List.of(RESULT, new Election(stamp(1, 5), ALL), new Election(stamp(1, 5), nodes(5)))) {
            assertThat(led().receives(known, n(2)).effects()).isEmpty();
            assertThat(led().receives(known, n(2)).state()).isEqualTo(led().state());
        }
    }

    @Test
    void a_node_ignores_a_result_older_than_the_latest_list() {
        var n3 = newcomer().receives(new Election(stamp(2, 1), nodes(1)), n(2)).receives(RESULT, n(2));
        assertThat(n3.effects()).isEmpty();
        assertIs(n3.state(), stamp(2, 1), new Electing());
    }

    @Test
    void a_node_that_is_not_in_the_ring_of_a_result_sends_a_new_list() {
        var n3 = newcomer().receives(new Coordinator(stamp(4, 1), n(5), nodes(1, 2, 4, 5)), n(2));
        assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(5, 3), nodes(3))));
        assertIs(n3.state(), stamp(5, 3), new Electing());
    }

    @Test
    void a_node_that_suspects_the_leader_of_a_result_sends_a_new_list() {
        var n3 = newcomer().suspects(5).receives(RESULT, n(2));
        assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(2, 3), nodes(3))));
        assertIs(n3.state(), stamp(2, 3), new Electing());
    }

    @Test
    void a_node_that_suspects_its_leader_sends_a_new_list() {
        assertThat(led().suspects(5).effects()).containsExactly(send(4, new Election(stamp(2, 3), nodes(3))));
        assertThat(led().suspects(1).effects()).isEmpty();
    }

    @Test
    void a_node_in_an_election_that_suspects_its_successor_sends_a_new_list() {
        assertThat(electing().suspects(4).effects()).containsExactly(send(5, new Election(stamp(2, 3), nodes(3))));
        assertThat(electing().suspects(2).effects()).isEmpty();
    }

    @Test
    void a_node_sends_the_result_again_if_its_successor_changes() {
        assertThat(led().suspects(4).effects()).containsExactly(send(5, RESULT));
        assertThat(led().suspects(4).restores(4).effects()).containsExactly(send(4, RESULT));
        assertThat(led().suspects(1).restores(1).effects()).isEmpty();
    }

    @Test
    void a_node_sends_the_result_again_if_its_successor_has_restarted() {
        assertThat(led().receives(new Restarted(), n(4)).effects()).containsExactly(send(4, RESULT));
        assertThat(led().receives(new Restarted(), n(1)).effects()).isEmpty();
        assertThat(newcomer().receives(new Restarted(), n(4)).effects()).isEmpty();
    }

    @Test
    void a_restarted_node_announces_its_restart_and_keeps_its_round() {
        var n3 = restarted(3, 5, RING, stamp(7, 2));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(1, 2, 4, 5), new Restarted()));
        assertIs(n3.state(), stamp(7, 2), new Newcomer());
        assertThat(RING.durableState(n3.state())).isEqualTo(stamp(7, 2));
    }

    @Test
    void a_restarted_node_sends_a_new_list_if_it_receives_an_older_message() {
        for (Message old : List.of(RESULT, new Election(stamp(1, 1), nodes(1)))) {
            var n3 = restarted(3, 5, RING, stamp(7, 2)).receives(old, n(2));
            assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(8, 3), nodes(3))));
        }
    }

    @Test
    void without_suppression_a_node_forwards_older_lists_and_results() {
        var n3 = node(3, 5, UNSUPPRESSED).campaigns();
        assertThat(n3.receives(new Election(stamp(1, 2), nodes(2)), n(2)).effects())
                .containsExactly(send(4, new Election(stamp(1, 2), nodes(2, 3))));
        var later = n3.receives(new Election(stamp(1, 5), nodes(1, 2, 5)), n(2));
        var result = new Coordinator(stamp(1, 3), n(5), ALL);
        assertThat(later.receives(new Election(stamp(1, 3), ALL), n(2)).effects())
                .containsExactly(send(4, result));
        assertThat(later.receives(result, n(2)).effects()).isEmpty();
        assertThat(later.receives(new Coordinator(stamp(1, 2), n(5), ALL), n(2)).effects())
                .containsExactly(send(4, new Coordinator(stamp(1, 2), n(5), ALL)));
        assertThat(later.suspects(2)
                        .receives(new Coordinator(stamp(1, 2), n(5), ALL), n(1))
                        .effects())
                .isEmpty();
    }

    @Test
    void the_predecessor_sends_the_result_to_a_new_member_which_sends_a_new_list() {
        var n5 = node(5, 5, RING).receives(RESULT, n(4)).learnsThatJoined(6, 1);
        assertThat(n5.effects()).containsExactly(send(6, RESULT));
        var n6 = joining(6, 6, 1, RING);
        assertThat(n6.effects()).isEmpty();
        assertThat(n6.receives(RESULT, n(5)).effects()).containsExactly(send(1, new Election(stamp(2, 6), nodes(6))));
    }

    @Test
    void a_node_sends_a_new_list_when_the_leader_has_left() {
        assertThat(led().learnsThatLeft(5, 1).effects()).containsExactly(send(4, new Election(stamp(2, 3), nodes(3))));
    }

    @Test
    void a_node_that_has_left_cannot_become_the_leader() {
        var n3 = newcomer().learnsThatLeft(5, 1).receives(RESULT, n(2));
        assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(2, 3), nodes(3))));
    }
}
