package habemus.election;

import static habemus.ProtocolFixture.elected;
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

/** The rules, as n3 of five nodes follows them. */
class CollectingRingTest {

    private static final CollectingRing RING = new CollectingRing(Ranking.BY_NUMBER, false, true);
    private static final CollectingRing UNSUPPRESSED = new CollectingRing(Ranking.BY_NUMBER, false, false);
    private static final NodeSet ALL = nodes(1, 2, 3, 4, 5);

    /** What n5 has found out. */
    private static final Coordinator NEWS = new Coordinator(stamp(1, 5), n(5), ALL);

    private static ProtocolFixture<State, Message> newcomer() {
        return node(3, 5, RING);
    }

    private static ProtocolFixture<State, Message> electing() {
        return newcomer().campaigns();
    }

    private static ProtocolFixture<State, Message> led() {
        return newcomer().receives(NEWS, n(2));
    }

    private static void assertIs(State s, Stamp round, Phase phase) {
        assertThat(s.round()).isEqualTo(round);
        assertThat(s.phase()).isEqualTo(phase);
    }

    @Test
    void starts_as_a_newcomer_and_says_nothing() {
        assertThat(newcomer().effects()).isEmpty();
        assertIs(newcomer().state(), stamp(0, 3), new Newcomer());
    }

    @Test
    void sends_a_list_of_itself_to_its_successor() {
        assertThat(electing().effects()).containsExactly(send(4, new Election(stamp(1, 3), nodes(3))));
        assertIs(electing().state(), stamp(1, 3), new Electing());
    }

    @Test
    void skips_those_that_are_suspected_and_closes_the_ring_after_the_last() {
        assertThat(newcomer().suspects(4).campaigns().effects())
                .containsExactly(send(5, new Election(stamp(1, 3), nodes(3))));
        assertThat(newcomer().suspects(4, 5).campaigns().effects())
                .containsExactly(send(1, new Election(stamp(1, 3), nodes(3))));
        assertThat(newcomer().suspects(1, 2, 4, 5).campaigns().effects())
                .containsExactly(send(3, new Election(stamp(1, 3), nodes(3))));
    }

    @Test
    void sends_one_list_at_a_time() {
        assertThat(electing().campaigns().effects()).isEmpty();
        assertThat(electing().campaigns().state()).isEqualTo(electing().state());
    }

    @Test
    void adds_itself_to_a_list_and_passes_it_on() {
        for (var before : List.of(newcomer(), electing(), led())) {
            var n3 = before.receives(new Election(stamp(2, 1), nodes(1, 2)), n(2));
            assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(2, 1), nodes(1, 2, 3))));
            assertIs(n3.state(), stamp(2, 1), new Electing());
        }
    }

    @Test
    void removes_a_list_if_a_later_one_has_passed() {
        for (var before : List.of(electing(), led())) {
            var n3 = before.receives(new Election(stamp(1, 2), nodes(2)), n(2));
            assertThat(n3.effects()).isEmpty();
            assertThat(n3.state()).isEqualTo(before.state());
        }
    }

    @Test
    void finds_the_best_on_its_own_list_when_it_comes_home() {
        var n3 = electing().receives(new Election(stamp(1, 3), ALL), n(2));
        var news = new Coordinator(stamp(1, 3), n(5), ALL);
        assertThat(n3.effects()).containsExactly(elected(5, 1), send(4, news));
        assertIs(n3.state(), stamp(1, 3), new Led(news));
    }

    @Test
    void finds_the_best_by_rank_and_the_worst_if_it_is_told_to() {
        var ranking = new Ranking(List.of(new Rank(n(1), 9), new Rank(n(2), -1)));
        var list = new Election(stamp(1, 3), ALL);
        assertThat(node(3, 5, new CollectingRing(ranking, false, true))
                        .campaigns()
                        .receives(list, n(2))
                        .effects())
                .contains(elected(1, 1));
        assertThat(node(3, 5, new CollectingRing(ranking, true, true))
                        .campaigns()
                        .receives(list, n(2))
                        .effects())
                .contains(elected(2, 1));
    }

    @Test
    void leaves_out_who_has_crashed_since_it_added_itself() {
        var n3 = electing().suspects(5).receives(new Election(stamp(1, 3), ALL), n(2));
        assertThat(n3.effects())
                .containsExactly(elected(4, 1), send(4, new Coordinator(stamp(1, 3), n(4), nodes(1, 2, 3, 4))));
    }

    @Test
    void sends_a_new_list_if_another_ones_comes_twice_because_that_one_has_crashed() {
        var n3 = newcomer()
                .receives(new Election(stamp(1, 2), nodes(2)), n(2))
                .receives(new Election(stamp(1, 2), ALL), n(1));
        assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(2, 3), nodes(3))));
        assertIs(n3.state(), stamp(2, 3), new Electing());
    }

    @Test
    void follows_whom_the_news_names_and_passes_it_on() {
        for (var before : List.of(newcomer(), electing())) {
            var n3 = before.receives(NEWS, n(2));
            assertThat(n3.effects()).containsExactly(elected(5, 1), send(4, NEWS));
            assertIs(n3.state(), stamp(1, 5), new Led(NEWS));
        }
    }

    @Test
    void lets_news_and_lists_that_it_knows_end() {
        for (Message known : List.of(NEWS, new Election(stamp(1, 5), ALL), new Election(stamp(1, 5), nodes(5)))) {
            assertThat(led().receives(known, n(2)).effects()).isEmpty();
            assertThat(led().receives(known, n(2)).state()).isEqualTo(led().state());
        }
    }

    @Test
    void takes_no_notice_of_news_older_than_the_list_that_has_passed() {
        var n3 = newcomer().receives(new Election(stamp(2, 1), nodes(1)), n(2)).receives(NEWS, n(2));
        assertThat(n3.effects()).isEmpty();
        assertIs(n3.state(), stamp(2, 1), new Electing());
    }

    @Test
    void sends_a_new_list_if_it_is_not_in_the_ring() {
        var n3 = newcomer().receives(new Coordinator(stamp(4, 1), n(5), nodes(1, 2, 4, 5)), n(2));
        assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(5, 3), nodes(3))));
        assertIs(n3.state(), stamp(5, 3), new Electing());
    }

    @Test
    void sends_a_new_list_if_it_suspects_whom_the_news_names() {
        var n3 = newcomer().suspects(5).receives(NEWS, n(2));
        assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(2, 3), nodes(3))));
        assertIs(n3.state(), stamp(2, 3), new Electing());
    }

    @Test
    void sends_a_new_list_if_its_leader_crashes() {
        assertThat(led().suspects(5).effects()).containsExactly(send(4, new Election(stamp(2, 3), nodes(3))));
        assertThat(led().suspects(1).effects()).isEmpty();
    }

    @Test
    void sends_a_new_list_if_its_successor_may_have_crashed_with_the_last() {
        assertThat(electing().suspects(4).effects()).containsExactly(send(5, new Election(stamp(2, 3), nodes(3))));
        assertThat(electing().suspects(2).effects()).isEmpty();
    }

    @Test
    void passes_the_news_on_again_if_its_successor_changes() {
        assertThat(led().suspects(4).effects()).containsExactly(send(5, NEWS));
        assertThat(led().suspects(4).restores(4).effects()).containsExactly(send(4, NEWS));
        assertThat(led().suspects(1).restores(1).effects()).isEmpty();
    }

    @Test
    void passes_the_news_on_again_if_its_successor_says_that_it_is_back() {
        assertThat(led().receives(new Restarted(), n(4)).effects()).containsExactly(send(4, NEWS));
        assertThat(led().receives(new Restarted(), n(1)).effects()).isEmpty();
        assertThat(newcomer().receives(new Restarted(), n(4)).effects()).isEmpty();
    }

    @Test
    void says_that_it_is_back_and_remembers_how_many_lists_there_were() {
        var n3 = restarted(3, 5, RING, stamp(7, 2));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(1, 2, 4, 5), new Restarted()));
        assertIs(n3.state(), stamp(7, 2), new Newcomer());
        assertThat(RING.durableState(n3.state())).isEqualTo(stamp(7, 2));
    }

    @Test
    void sends_a_new_list_if_it_is_back_and_all_that_it_hears_is_older() {
        for (Message old : List.of(NEWS, new Election(stamp(1, 1), nodes(1)))) {
            var n3 = restarted(3, 5, RING, stamp(7, 2)).receives(old, n(2));
            assertThat(n3.effects()).containsExactly(send(4, new Election(stamp(8, 3), nodes(3))));
        }
    }

    @Test
    void passes_older_lists_and_their_news_on_if_none_is_to_be_removed() {
        var n3 = node(3, 5, UNSUPPRESSED).campaigns();
        assertThat(n3.receives(new Election(stamp(1, 2), nodes(2)), n(2)).effects())
                .containsExactly(send(4, new Election(stamp(1, 2), nodes(2, 3))));
        var later = n3.receives(new Election(stamp(1, 5), nodes(1, 2, 5)), n(2));
        var news = new Coordinator(stamp(1, 3), n(5), ALL);
        assertThat(later.receives(new Election(stamp(1, 3), ALL), n(2)).effects())
                .containsExactly(send(4, news));
        assertThat(later.receives(news, n(2)).effects()).isEmpty();
        assertThat(later.receives(new Coordinator(stamp(1, 2), n(5), ALL), n(2)).effects())
                .containsExactly(send(4, new Coordinator(stamp(1, 2), n(5), ALL)));
        assertThat(later.suspects(2)
                        .receives(new Coordinator(stamp(1, 2), n(5), ALL), n(1))
                        .effects())
                .isEmpty();
    }
}
