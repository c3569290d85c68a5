package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.election.ChangRoberts.Message;
import habemus.election.ChangRoberts.Message.Candidate;
import habemus.election.ChangRoberts.Message.Elected;
import habemus.election.ChangRoberts.Phase;
import habemus.election.ChangRoberts.Phase.Participating;
import habemus.election.ChangRoberts.Phase.Resting;
import habemus.election.ChangRoberts.State;
import habemus.protocol.Neighbourhood;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Ranking;
import habemus.world.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, as n5 follows them in a ring where n2 comes before it and n7 after it. */
class ChangRobertsTest {

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new ChangRoberts(Ranking.BY_NUMBER));
    }

    private static ProtocolFixture<State, Message> participating() {
        return resting().campaigns();
    }

    private static ProtocolFixture<State, Message> elects() {
        return participating().receives(candidate(5), n(2));
    }

    private static Candidate candidate(int id) {
        return new Candidate(n(id));
    }

    private static Elected news(int leader, long term) {
        return new Elected(n(leader), term);
    }

    private static State n5(Phase phase, long term) {
        return new State(n(5), n(7), phase, term);
    }

    @Test
    void starts_at_rest_and_says_nothing() {
        assertThat(resting().effects()).isEmpty();
        assertThat(resting().state()).isEqualTo(n5(new Resting(), 0));
    }

    @Test
    void sends_its_id_to_the_next_node_and_takes_part() {
        var n5 = resting().campaigns();
        assertThat(n5.effects()).containsExactly(send(7, candidate(5)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void sends_its_id_once_however_often_it_is_asked_to() {
        var n5 = participating().campaigns();
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void lets_a_higher_id_pass_and_takes_part_from_then_on() {
        var n5 = resting().receives(candidate(9), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(9)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void lets_a_higher_id_pass_while_it_takes_part() {
        var n5 = participating().receives(candidate(9), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(9)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void sends_its_own_id_in_place_of_a_lower_one_if_it_has_not_taken_part() {
        var n5 = resting().receives(candidate(2), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(5)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void swallows_a_lower_id_if_it_takes_part() {
        var n5 = participating().receives(candidate(2), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void swallows_a_lower_id_if_a_higher_one_has_passed() {
        var n5 = resting().receives(candidate(9), n(2)).receives(candidate(2), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void leads_when_its_own_id_comes_home_and_spreads_the_news() {
        var n5 = participating().receives(candidate(5), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), send(7, news(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 1));
    }

    @Test
    void ends_the_election_when_its_own_news_comes_home() {
        var n5 = elects().receives(news(5, 1), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 1));
    }

    @Test
    void names_the_leader_passes_the_news_on_and_rests() {
        var n5 = participating().receives(news(9, 3), n(2));
        assertThat(n5.effects()).containsExactly(elected(9, 3), send(7, news(9, 3)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 3));
    }

    @Test
    void names_the_leader_of_an_election_that_it_has_not_seen() {
        var n5 = resting().receives(news(9, 3), n(2));
        assertThat(n5.effects()).containsExactly(elected(9, 3), send(7, news(9, 3)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 3));
    }

    @Test
    void compares_ranks_before_ids() {
        var ranking = new Ranking(List.of(new Ranking.Rank(n(2), 1)));
        var n5 = node(new Neighbourhood(n(5), List.of(n(7), n(2))), new ChangRoberts(ranking))
                .receives(candidate(2), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(2)));
    }

    @Test
    void takes_part_again_after_an_election() {
        var n5 = participating().receives(news(9, 3), n(2)).campaigns();
        assertThat(n5.effects()).containsExactly(send(7, candidate(5)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 3));
    }

    @Test
    void takes_part_again_after_it_was_elected_while_its_news_is_still_under_way() {
        var n5 = elects().receives(candidate(2), n(2)).receives(news(5, 1), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 1));
    }

    @Test
    void leads_the_next_time_in_a_later_term() {
        var n5 = elects().receives(news(5, 1), n(2)).campaigns().receives(candidate(5), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 2), send(7, news(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 2));
    }

    @Test
    void leads_in_a_term_later_than_that_of_the_leader_before() {
        var n5 = resting().receives(news(9, 3), n(2)).campaigns().receives(candidate(5), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 4), send(7, news(5, 4)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 4));
    }

    @Test
    void is_its_own_neighbour_if_it_is_alone() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new ChangRoberts(Ranking.BY_NUMBER))
                .campaigns();
        assertThat(n1.effects()).containsExactly(send(1, candidate(1)));
        assertThat(n1.receives(candidate(1), n(1)).effects()).containsExactly(elected(1, 1), send(1, news(1, 1)));
    }

    @Test
    void cannot_be_asked_to_enter() {
        assertThatThrownBy(() -> resting().acquires()).isInstanceOf(ProtocolBug.class);
    }
}
