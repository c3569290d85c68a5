package habemus.election;

import static habemus.ProtocolFixture.elected;
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

/** The rules, as n3 of five nodes follows them. */
class MaxAliveTest {

    private static final MaxAlive MAX_ALIVE = new MaxAlive(Ranking.BY_NUMBER);

    private static ProtocolFixture<State, Message> n3() {
        return node(3, 5, MAX_ALIVE);
    }

    private static State n3(NodeSet suspected, long changes, Phase phase) {
        return new State(n(3), nodes(1, 2, 4, 5), suspected, changes, phase);
    }

    @Test
    void names_the_best_of_all_when_it_starts() {
        assertThat(n3().effects()).containsExactly(elected(5, 1));
        assertThat(n3().state()).isEqualTo(n3(NONE, 1, new Following(n(5))));
    }

    @Test
    void names_itself_if_nobody_is_better() {
        var n5 = node(5, 5, MAX_ALIVE);
        assertThat(n5.effects()).containsExactly(elected(5, 1));
        assertThat(n5.state()).isEqualTo(new State(n(5), nodes(1, 2, 3, 4), NONE, 1, new Leading()));
    }

    @Test
    void is_better_than_others_by_rank_and_among_equals_by_number() {
        var ranking = new Ranking(List.of(new Rank(n(1), 9), new Rank(n(2), 9)));
        assertThat(node(3, 5, new MaxAlive(ranking)).effects()).containsExactly(elected(2, 1));
    }

    @Test
    void says_nothing_new_if_it_is_told_to_campaign() {
        assertThat(n3().campaigns().effects()).isEmpty();
        assertThat(n3().campaigns().state()).isEqualTo(n3().state());
    }

    @Test
    void names_the_next_best_if_the_leader_is_suspected() {
        assertThat(n3().suspects(5).effects()).containsExactly(elected(4, 2));
        assertThat(n3().suspects(5).state()).isEqualTo(n3(nodes(5), 2, new Following(n(4))));
    }

    @Test
    void leads_if_all_better_nodes_are_suspected() {
        assertThat(n3().suspects(5, 4).effects()).containsExactly(elected(3, 3));
        assertThat(n3().suspects(5, 4).state()).isEqualTo(n3(nodes(4, 5), 3, new Leading()));
    }

    @Test
    void remembers_whom_to_suspect_of_those_that_do_not_lead() {
        assertThat(n3().suspects(4).effects()).isEmpty();
        assertThat(n3().suspects(4, 5).effects()).containsExactly(elected(3, 2));
    }

    @Test
    void gives_way_to_a_better_node_that_is_back() {
        var n3 = n3().suspects(5, 4).restores(4);
        assertThat(n3.effects()).containsExactly(elected(4, 4));
        assertThat(n3.state()).isEqualTo(n3(nodes(5), 4, new Following(n(4))));
    }

    @Test
    void takes_no_notice_of_a_return_that_changes_nothing() {
        assertThat(n3().suspects(4).restores(4).effects()).isEmpty();
        assertThat(n3().suspects(4).restores(4).state()).isEqualTo(n3(NONE, 1, new Following(n(5))));
    }
}
