package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.joining;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.protocol.NodeSet.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.MaxAlive.Message;
import habemus.election.MaxAlive.Phase;
import habemus.election.MaxAlive.Phase.Following;
import habemus.election.MaxAlive.Phase.Leading;
import habemus.election.MaxAlive.State;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.protocol.Ranking.Rank;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n3 of five nodes. */
class MaxAliveTest {

    private static final MaxAlive MAX_ALIVE = new MaxAlive(Ranking.BY_NUMBER);

    private static ProtocolFixture<State, Message> n3() {
        return node(3, 5, MAX_ALIVE);
    }

    private static State n3(NodeSet suspected, long changes, Phase phase) {
        return new State(n(3), nodes(1, 2, 4, 5), suspected, changes, phase);
    }

    @Test
    void a_node_starts_with_the_best_node_as_its_leader() {
        assertThat(n3().effects()).containsExactly(elected(5, 1));
        assertThat(n3().state()).isEqualTo(n3(NONE, 1, new Following(n(5))));
    }

    @Test
    void the_best_node_leads_at_its_start() {
        var n5 = node(5, 5, MAX_ALIVE);
        assertThat(n5.effects()).containsExactly(elected(5, 1));
        assertThat(n5.state()).isEqualTo(new State(n(5), nodes(1, 2, 3, 4), NONE, 1, new Leading()));
    }

    @Test
    void nodes_compare_by_rank_and_then_by_number() {
        var ranking = new Ranking(List.of(new Rank(n(1), 9), new Rank(n(2), 9)));
        assertThat(node(3, 5, new MaxAlive(ranking)).effects()).containsExactly(elected(2, 1));
    }

    @Test
    void a_campaign_changes_nothing() {
        assertThat(n3().campaigns().effects()).isEmpty();
        assertThat(n3().campaigns().state()).isEqualTo(n3().state());
    }

    @Test
    void the_next_best_node_leads_if_the_leader_is_suspected() {
        assertThat(n3().suspects(5).effects()).containsExactly(elected(4, 2));
        assertThat(n3().suspects(5).state()).isEqualTo(n3(nodes(5), 2, new Following(n(4))));
    }

    @Test
    void a_node_leads_if_it_suspects_all_better_nodes() {
        assertThat(n3().suspects(5, 4).effects()).containsExactly(elected(3, 3));
        assertThat(n3().suspects(5, 4).state()).isEqualTo(n3(nodes(4, 5), 3, new Leading()));
    }

    @Test
    void a_node_remembers_suspicions_of_other_nodes() {
        assertThat(n3().suspects(4).effects()).isEmpty();
        assertThat(n3().suspects(4, 5).effects()).containsExactly(elected(3, 2));
    }

    @Test
    void a_leader_follows_a_restored_better_node() {
        var n3 = n3().suspects(5, 4).restores(4);
        assertThat(n3.effects()).containsExactly(elected(4, 4));
        assertThat(n3.state()).isEqualTo(n3(nodes(5), 4, new Following(n(4))));
    }

    @Test
    void a_restored_worse_node_changes_nothing() {
        assertThat(n3().suspects(4).restores(4).effects()).isEmpty();
        assertThat(n3().suspects(4).restores(4).state()).isEqualTo(n3(NONE, 1, new Following(n(5))));
    }

    @Test
    void a_new_member_leads_if_it_is_better() {
        assertThat(n3().learnsThatJoined(6, 1).effects()).containsExactly(elected(6, 2));
        assertThat(node(3, 3, MAX_ALIVE)
                        .learnsThatLeft(1, 1)
                        .learnsThatJoined(2, 2)
                        .effects())
                .isEmpty();
    }

    @Test
    void the_next_best_node_leads_when_the_leader_has_left() {
        assertThat(n3().learnsThatLeft(5, 1).effects()).containsExactly(elected(4, 2));
    }

    @Test
    void a_new_member_knows_its_leader_at_once() {
        assertThat(joining(2, 5, 1, MAX_ALIVE).effects()).containsExactly(elected(5, 1));
    }
}
