package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.sendAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.election.YoYo.Message;
import habemus.election.YoYo.Message.Best;
import habemus.election.YoYo.Message.Hello;
import habemus.election.YoYo.Message.Leader;
import habemus.election.YoYo.Message.No;
import habemus.election.YoYo.Message.Prune;
import habemus.election.YoYo.Message.Yes;
import habemus.election.YoYo.Phase;
import habemus.election.YoYo.State;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Ranking;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n5: n1, n2 and n3 are below it, n7, n8 and n9 above it. */
class YoYoTest {

    private static ProtocolFixture<State, Message> asleep(int... neighbours) {
        return node(new Neighbourhood(n(5), nodes(neighbours).toList()), new YoYo(Ranking.BY_NUMBER, false));
    }

    /** All neighbours have sent Hello. */
    private static ProtocolFixture<State, Message> awake(int... neighbours) {
        var n5 = asleep(neighbours).campaigns();
        for (int neighbour : neighbours) {
            n5 = n5.receives(new Hello(), n(neighbour));
        }
        return n5;
    }

    private static Best best(int id) {
        return new Best(n(id));
    }

    private static Phase phase(ProtocolFixture<State, Message> n5) {
        return n5.state().phase();
    }

    private static Phase descending(NodeSet above, NodeSet below, YoYoEdges.ReceivedId... received) {
        return new Phase.Descending(NodeSet.NONE, new YoYoEdges(above, below, NodeSet.NONE, List.of(received)));
    }

    @Test
    void a_node_starts_asleep_without_messages() {
        assertThat(asleep(1, 7).effects()).isEmpty();
        assertThat(asleep(1, 7).state()).isEqualTo(new State(n(5), nodes(1, 7), NodeSet.NONE, 0, new Phase.Asleep()));
    }

    @Test
    void a_candidate_greets_all_neighbours_and_waits_for_their_greetings() {
        var n5 = asleep(1, 7).campaigns();
        assertThat(n5.effects()).containsExactly(sendAll(nodes(1, 7), new Hello()));
        assertThat(phase(n5)).isEqualTo(new Phase.Descending(nodes(1, 7), YoYoEdges.of(nodes(7), nodes(1))));
    }

    @Test
    void a_campaign_during_an_election_changes_nothing() {
        var n5 = asleep(1, 7).campaigns();
        assertThat(n5.campaigns().effects()).isEmpty();
        assertThat(n5.campaigns().state()).isEqualTo(n5.state());
    }

    @Test
    void a_greeting_wakes_a_node_which_greets_all_neighbours() {
        var n5 = asleep(1, 7).receives(new Hello(), n(7));
        assertThat(n5.effects()).containsExactly(sendAll(nodes(1, 7), new Hello()));
        assertThat(phase(n5)).isEqualTo(new Phase.Descending(nodes(1), YoYoEdges.of(nodes(7), nodes(1))));
    }

    @Test
    void a_node_without_neighbours_leads_at_once() {
        assertThat(asleep().campaigns().effects()).containsExactly(elected(5, 1));
        assertThat(node(new Neighbourhood(n(5), List.of(n(5), n(5))), new YoYo(Ranking.BY_NUMBER, false))
                        .campaigns()
                        .effects())
                .containsExactly(elected(5, 1));
    }

    @Test
    void a_source_sends_its_id_down_when_all_neighbours_are_awake() {
        var n5 = asleep(1, 2).campaigns().receives(new Hello(), n(1));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.receives(new Hello(), n(2)).effects()).containsExactly(sendAll(nodes(1, 2), best(5)));
    }

    @Test
    void an_id_may_arrive_before_all_neighbours_are_awake() {
        var n5 = asleep(1, 7).campaigns().receives(new Hello(), n(7)).receives(best(7), n(7));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.receives(new Hello(), n(1)).effects()).containsExactly(sendAll(nodes(1), best(7)));
    }

    @Test
    void a_node_sends_the_best_id_down_when_it_has_one_from_each_node_above() {
        var n5 = awake(1, 2, 7, 8).receives(best(9), n(7));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.receives(best(8), n(8)).effects()).containsExactly(sendAll(nodes(1, 2), best(9)));
    }

    @Test
    void a_sink_sends_yes_to_the_best_and_no_to_the_others_which_flips_their_edges() {
        var n5 = awake(7, 8).receives(best(7), n(7)).receives(best(8), n(8));
        assertThat(n5.effects()).containsExactly(sendAll(nodes(8), new Yes()), sendAll(nodes(7), new No()));
        assertThat(phase(n5)).isEqualTo(descending(nodes(8), nodes(7)));
    }

    @Test
    void of_several_edges_with_the_same_id_all_but_one_are_pruned() {
        var n5 = awake(7, 8, 9).receives(best(9), n(7)).receives(best(8), n(8)).receives(best(9), n(9));
        assertThat(n5.effects())
                .containsExactly(
                        sendAll(nodes(7), new Yes()), sendAll(nodes(8), new No()), sendAll(nodes(9), new Prune()));
        assertThat(phase(n5)).isEqualTo(descending(nodes(7), nodes(8)));
    }

    @Test
    void a_beaten_id_gets_one_no_and_its_other_edges_are_pruned() {
        var n5 = awake(7, 8, 9).receives(best(7), n(7)).receives(best(7), n(8)).receives(best(9), n(9));
        assertThat(n5.effects())
                .containsExactly(
                        sendAll(nodes(9), new Yes()), sendAll(nodes(7), new No()), sendAll(nodes(8), new Prune()));
    }

    @Test
    void a_node_without_nodes_below_and_with_one_id_is_pruned() {
        var n5 = awake(7, 8).receives(best(9), n(7)).receives(best(9), n(8));
        assertThat(n5.effects()).containsExactly(sendAll(nodes(7, 8), new Prune()));
        assertThat(phase(n5)).isEqualTo(new Phase.Pruned());
    }

    @Test
    void a_node_sends_yes_when_all_nodes_below_sent_yes() {
        var n5 = awake(1, 2, 7).receives(best(7), n(7)).receives(new Yes(), n(1));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.receives(new Yes(), n(2)).effects()).containsExactly(sendAll(nodes(7), new Yes()));
        assertThat(phase(n5.receives(new Yes(), n(2)))).isEqualTo(descending(nodes(7), nodes(1, 2)));
    }

    @Test
    void a_node_sends_no_when_a_node_below_sent_no_and_both_edges_flip() {
        var n5 = awake(1, 2, 7).receives(best(7), n(7)).receives(new No(), n(1)).receives(new Yes(), n(2));
        assertThat(n5.effects()).containsExactly(sendAll(nodes(7), new No()));
        assertThat(phase(n5)).isEqualTo(descending(nodes(1), nodes(2, 7)));
    }

    @Test
    void a_node_is_pruned_when_all_nodes_below_are() {
        var n5 = awake(1, 7).receives(best(7), n(7)).receives(new Prune(), n(1));
        assertThat(n5.effects()).containsExactly(sendAll(nodes(7), new Prune()));
        assertThat(phase(n5)).isEqualTo(new Phase.Pruned());
    }

    @Test
    void a_source_that_gets_no_no_starts_the_next_round() {
        var n5 = awake(1, 2, 3)
                .receives(new Yes(), n(1))
                .receives(new Prune(), n(2))
                .receives(new Yes(), n(3));
        assertThat(n5.effects()).containsExactly(sendAll(nodes(1, 3), best(5)));
    }

    @Test
    void a_source_that_gets_a_no_is_no_longer_a_source() {
        var n5 = awake(1, 2).receives(new No(), n(1)).receives(new Yes(), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(phase(n5)).isEqualTo(descending(nodes(1), nodes(2)));
    }

    @Test
    void an_id_of_the_next_round_may_arrive_before_the_last_verdict_and_before_its_own_no() {
        var late = awake(1, 2).receives(new No(), n(1)).receives(best(9), n(1)).receives(new Yes(), n(2));
        var overtaken =
                awake(1, 2).receives(best(9), n(1)).receives(new No(), n(1)).receives(new Yes(), n(2));
        assertThat(late.effects()).containsExactly(sendAll(nodes(2), best(9)));
        assertThat(overtaken.state()).isEqualTo(late.state());
    }

    /** n5 has n9 above it, n1 below it said Yes, and n2 below it says No. */
    private static ProtocolFixture<State, Message> disputed(boolean anyYes) {
        return node(new Neighbourhood(n(5), List.of(n(1), n(2), n(9))), new YoYo(Ranking.BY_NUMBER, anyYes))
                .campaigns()
                .receives(new Hello(), n(1))
                .receives(new Hello(), n(2))
                .receives(new Hello(), n(9))
                .receives(best(9), n(9))
                .receives(new Yes(), n(1))
                .receives(new No(), n(2));
    }

    @Test
    void one_no_from_below_outweighs_every_yes_unless_any_yes_is_enough() {
        assertThat(disputed(false).effects()).contains(sendAll(nodes(9), new No()));
        assertThat(disputed(true).effects()).contains(sendAll(nodes(9), new Yes()));
    }

    @Test
    void a_source_without_edges_leads_and_announces_it_to_all_neighbours() {
        var n5 = awake(1, 2).receives(new Prune(), n(1)).receives(new Prune(), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), sendAll(nodes(1, 2), new Leader(n(5), 1)));
        assertThat(n5.state()).isEqualTo(new State(n(5), nodes(1, 2), NodeSet.NONE, 1, new Phase.Asleep()));
    }

    private static ProtocolFixture<State, Message> pruned() {
        return awake(7, 8).receives(best(9), n(7)).receives(best(9), n(8));
    }

    @Test
    void a_node_reports_the_leader_and_forwards_the_announcement() {
        var n5 = pruned().receives(new Leader(n(9), 1), n(7));
        assertThat(n5.effects()).containsExactly(elected(9, 1), sendAll(nodes(8), new Leader(n(9), 1)));
        assertThat(n5.state()).isEqualTo(new State(n(5), nodes(7, 8), NodeSet.NONE, 1, new Phase.Asleep()));
    }

    @Test
    void a_node_ignores_a_repeated_announcement() {
        var n5 = pruned().receives(new Leader(n(9), 1), n(7));
        assertThat(n5.receives(new Leader(n(9), 1), n(8)).effects()).isEmpty();
        assertThat(n5.receives(new Leader(n(9), 1), n(8)).state()).isEqualTo(n5.state());
    }

    @Test
    void a_node_takes_part_in_the_next_election() {
        var n5 = pruned().receives(new Leader(n(9), 1), n(7))
                .receives(new Leader(n(9), 1), n(8))
                .campaigns();
        assertThat(n5.effects()).containsExactly(sendAll(nodes(7, 8), new Hello()));
        assertThat(n5.state().term()).isEqualTo(1);
    }

    @Test
    void a_greeting_that_overtakes_the_announcement_is_answered_after_it() {
        var n5 = pruned().receives(new Hello(), n(7));
        assertThat(n5.effects()).isEmpty();
        var announcement = new Leader(n(9), 1);
        assertThat(n5.receives(announcement, n(7)).effects())
                .containsExactly(elected(9, 1), sendAll(nodes(8), announcement), sendAll(nodes(7, 8), new Hello()));
        assertThat(phase(n5.receives(announcement, n(7))))
                .isEqualTo(new Phase.Descending(nodes(8), YoYoEdges.of(nodes(7, 8), NodeSet.NONE)));
    }

    @Test
    void edges_point_from_the_better_node_by_rank() {
        var ranking = new Ranking(List.of(new Ranking.Rank(n(1), 7)));
        var n5 = node(new Neighbourhood(n(5), List.of(n(1), n(7))), new YoYo(ranking, false))
                .campaigns();
        assertThat(phase(n5)).isEqualTo(new Phase.Descending(nodes(1, 7), YoYoEdges.of(nodes(1, 7), NodeSet.NONE)));
        var n7 = node(new Neighbourhood(n(7), List.of(n(1), n(5))), new YoYo(ranking, false))
                .campaigns()
                .receives(new Hello(), n(1))
                .receives(new Hello(), n(5))
                .receives(best(1), n(1));
        assertThat(n7.effects()).containsExactly(sendAll(nodes(5), best(1)));
    }

    @Test
    void an_unexpected_id_or_verdict_is_a_bug() {
        assertThatThrownBy(() -> asleep(7).receives(best(7), n(7))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> asleep(1).receives(new Yes(), n(1))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> awake(7).receives(new No(), n(7))).isInstanceOf(ProtocolBug.class);
    }
}
