package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.Franklin.Direction;
import habemus.election.Franklin.Message;
import habemus.election.Franklin.Message.Candidate;
import habemus.election.Franklin.Message.Elected;
import habemus.election.Franklin.Phase;
import habemus.election.Franklin.Phase.Active;
import habemus.election.Franklin.Phase.Passive;
import habemus.election.Franklin.Phase.Resting;
import habemus.election.Franklin.State;
import habemus.protocol.Neighbourhood;
import habemus.protocol.Ranking;
import habemus.protocol.Ranking.Rank;
import habemus.world.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, as n5 follows them in a ring where n2 comes before it and n7 after it. */
class FranklinTest {

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new Franklin(Ranking.BY_NUMBER));
    }

    private static ProtocolFixture<State, Message> passive() {
        return resting().campaigns().receives(onward(2, 1), n(2)).receives(back(7, 1), n(7));
    }

    private static Candidate onward(int id, int round) {
        return new Candidate(n(id), 1, round, Direction.FORWARD);
    }

    private static Candidate back(int id, int round) {
        return new Candidate(n(id), 1, round, Direction.BACKWARD);
    }

    private static State n5(long term, Phase phase) {
        return new State(n(5), n(7), n(2), term, phase);
    }

    @Test
    void starts_at_rest_and_says_nothing() {
        assertThat(resting().effects()).isEmpty();
        assertThat(resting().state()).isEqualTo(n5(0, new Resting()));
    }

    @Test
    void tells_both_neighbours_its_id() {
        var n5 = resting().campaigns();
        assertThat(n5.effects()).containsExactly(send(7, onward(5, 1)), send(2, back(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(1, List.of())));
    }

    @Test
    void campaigns_once_however_often_it_is_asked_to() {
        assertThat(resting().campaigns().campaigns().effects()).isEmpty();
        assertThat(passive().campaigns().effects()).isEmpty();
    }

    @Test
    void takes_part_when_the_first_id_reaches_it_and_remembers_that() {
        var n5 = resting().receives(onward(2, 1), n(2));
        assertThat(n5.effects()).containsExactly(send(7, onward(5, 1)), send(2, back(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(1, List.of(onward(2, 1)))));
    }

    @Test
    void goes_on_to_the_next_round_if_it_is_better_than_both() {
        var n5 = resting().campaigns().receives(onward(2, 1), n(2)).receives(back(3, 1), n(7));
        assertThat(n5.effects()).containsExactly(send(7, onward(5, 2)), send(2, back(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(2, List.of())));
    }

    @Test
    void is_passive_if_one_is_better() {
        assertThat(passive().effects()).isEmpty();
        assertThat(passive().state()).isEqualTo(n5(1, new Passive()));
    }

    @Test
    void keeps_an_id_of_the_next_round_until_it_has_heard_both_of_this() {
        var early = resting().campaigns().receives(onward(2, 1), n(2)).receives(onward(4, 2), n(2));
        assertThat(early.effects()).isEmpty();
        var n5 = early.receives(back(3, 1), n(7));
        assertThat(n5.effects()).containsExactly(send(7, onward(5, 2)), send(2, back(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(2, List.of(onward(4, 2)))));
    }

    @Test
    void passes_on_an_id_of_the_next_round_if_it_is_out_itself() {
        var n5 = resting()
                .campaigns()
                .receives(onward(2, 1), n(2))
                .receives(onward(4, 2), n(2))
                .receives(back(7, 1), n(7));
        assertThat(n5.effects()).containsExactly(send(7, onward(4, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Passive()));
    }

    @Test
    void passes_ids_on_the_way_they_go_when_it_is_passive() {
        assertThat(passive().receives(onward(4, 2), n(2)).effects()).containsExactly(send(7, onward(4, 2)));
        assertThat(passive().receives(back(8, 2), n(7)).effects()).containsExactly(send(2, back(8, 2)));
    }

    @Test
    void leads_when_its_own_id_comes_home_and_spreads_the_news() {
        var n5 = resting().campaigns().receives(onward(5, 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), send(7, new Elected(n(5), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
        assertThat(n5.receives(back(5, 1), n(7)).effects()).isEmpty();
        assertThat(n5.receives(new Elected(n(5), 1), n(2)).effects()).isEmpty();
    }

    @Test
    void names_the_leader_passes_the_news_on_and_rests() {
        var n5 = passive().receives(new Elected(n(7), 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(7, 1), send(7, new Elected(n(7), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
    }

    @Test
    void takes_part_in_the_next_election_although_it_has_not_heard_how_this_one_ended() {
        var next = new Candidate(n(7), 2, 1, Direction.BACKWARD);
        var n5 = passive().receives(next, n(7));
        assertThat(n5.effects())
                .containsExactly(
                        send(7, new Candidate(n(5), 2, 1, Direction.FORWARD)),
                        send(2, new Candidate(n(5), 2, 1, Direction.BACKWARD)));
        assertThat(n5.state()).isEqualTo(n5(2, new Active(1, List.of(next))));
        assertThat(n5.receives(new Elected(n(7), 1), n(2)).effects()).isEmpty();
        assertThat(n5.receives(onward(4, 2), n(2)).effects()).isEmpty();
    }

    @Test
    void compares_ranks_before_ids() {
        var ranking = new Ranking(List.of(new Rank(n(2), 1)));
        var n5 = node(new Neighbourhood(n(5), List.of(n(3), n(2))), new Franklin(ranking))
                .campaigns()
                .receives(onward(2, 1), n(2))
                .receives(back(3, 1), n(3));
        assertThat(n5.state().phase()).isEqualTo(new Passive());
    }

    @Test
    void is_its_own_neighbour_if_it_is_alone() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new Franklin(Ranking.BY_NUMBER))
                .campaigns();
        assertThat(n1.effects()).containsExactly(send(1, onward(1, 1)), send(1, back(1, 1)));
        assertThat(n1.receives(onward(1, 1), n(1)).effects())
                .containsExactly(elected(1, 1), send(1, new Elected(n(1), 1)));
    }
}
