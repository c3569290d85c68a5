package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.Franklin.Direction;
import habemus.election.Franklin.Message;
import habemus.election.Franklin.Message.Answer;
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

/** The rules, at n5 in a ring: the previous node is n2, the next node is n7. */
class FranklinTest {

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new Franklin(Ranking.BY_NUMBER, false));
    }

    private static ProtocolFixture<State, Message> passive() {
        return resting().campaigns().receives(forward(2, 1), n(2)).receives(backward(7, 1), n(7));
    }

    private static Candidate forward(int id, int round) {
        return new Candidate(n(id), 1, round, Direction.FORWARD);
    }

    private static Candidate backward(int id, int round) {
        return new Candidate(n(id), 1, round, Direction.BACKWARD);
    }

    private static State n5(long term, Phase phase) {
        return new State(n(5), n(7), n(2), term, phase);
    }

    @Test
    void a_node_starts_resting_without_messages() {
        assertThat(resting().effects()).isEmpty();
        assertThat(resting().state()).isEqualTo(n5(0, new Resting()));
    }

    @Test
    void a_candidate_sends_its_id_in_both_directions() {
        var n5 = resting().campaigns();
        assertThat(n5.effects()).containsExactly(send(7, forward(5, 1)), send(2, backward(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(1, active(1, List.of())));
    }

    @Test
    void a_campaign_during_an_election_changes_nothing() {
        assertThat(resting().campaigns().campaigns().effects()).isEmpty();
        assertThat(passive().campaigns().effects()).isEmpty();
    }

    @Test
    void a_resting_node_takes_part_at_the_first_id_and_stores_it() {
        var n5 = resting().receives(forward(2, 1), n(2));
        assertThat(n5.effects()).containsExactly(send(7, forward(5, 1)), send(2, backward(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(1, active(1, List.of(forward(2, 1)))));
    }

    @Test
    void a_node_better_than_both_neighbours_starts_the_next_round() {
        var n5 = resting().campaigns().receives(forward(2, 1), n(2)).receives(backward(3, 1), n(7));
        assertThat(n5.effects()).containsExactly(send(7, forward(5, 2)), send(2, backward(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, active(2, List.of())));
    }

    @Test
    void a_node_with_a_better_neighbour_becomes_passive() {
        assertThat(passive().effects()).isEmpty();
        assertThat(passive().state()).isEqualTo(n5(1, new Passive()));
    }

    @Test
    void an_id_of_the_next_round_waits_for_both_ids_of_this_round() {
        var early = resting().campaigns().receives(forward(2, 1), n(2)).receives(forward(4, 2), n(2));
        assertThat(early.effects()).isEmpty();
        var n5 = early.receives(backward(3, 1), n(7));
        assertThat(n5.effects()).containsExactly(send(7, forward(5, 2)), send(2, backward(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, active(2, List.of(forward(4, 2)))));
    }

    @Test
    void a_node_that_becomes_passive_forwards_the_stored_id_of_the_next_round() {
        var n5 = resting()
                .campaigns()
                .receives(forward(2, 1), n(2))
                .receives(forward(4, 2), n(2))
                .receives(backward(7, 1), n(7));
        assertThat(n5.effects()).containsExactly(send(7, forward(4, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Passive()));
    }

    @Test
    void a_passive_node_forwards_ids_in_their_direction() {
        assertThat(passive().receives(forward(4, 2), n(2)).effects()).containsExactly(send(7, forward(4, 2)));
        assertThat(passive().receives(backward(8, 2), n(7)).effects()).containsExactly(send(2, backward(8, 2)));
    }

    @Test
    void a_node_leads_when_its_own_id_returns() {
        var n5 = resting().campaigns().receives(forward(5, 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), send(7, new Elected(n(5), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
        assertThat(n5.receives(backward(5, 1), n(7)).effects()).isEmpty();
        assertThat(n5.receives(new Elected(n(5), 1), n(2)).effects()).isEmpty();
    }

    @Test
    void a_node_reports_the_leader_forwards_the_announcement_and_rests() {
        var n5 = passive().receives(new Elected(n(7), 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(7, 1), send(7, new Elected(n(7), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
    }

    @Test
    void a_passive_node_takes_part_in_the_next_election_before_the_result_of_this_one() {
        var next = new Candidate(n(7), 2, 1, Direction.BACKWARD);
        var n5 = passive().receives(next, n(7));
        assertThat(n5.effects())
                .containsExactly(
                        send(7, new Candidate(n(5), 2, 1, Direction.FORWARD)),
                        send(2, new Candidate(n(5), 2, 1, Direction.BACKWARD)));
        assertThat(n5.state()).isEqualTo(n5(2, active(1, List.of(next))));
        assertThat(n5.receives(new Elected(n(7), 1), n(2)).effects()).isEmpty();
        assertThat(n5.receives(forward(4, 2), n(2)).effects()).isEmpty();
    }

    @Test
    void compares_ranks_before_ids() {
        var ranking = new Ranking(List.of(new Rank(n(2), 1)));
        var n5 = node(new Neighbourhood(n(5), List.of(n(3), n(2))), new Franklin(ranking, false))
                .campaigns()
                .receives(forward(2, 1), n(2))
                .receives(backward(3, 1), n(3));
        assertThat(n5.state().phase()).isEqualTo(new Passive());
    }

    @Test
    void a_ring_of_one_node_elects_it() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new Franklin(Ranking.BY_NUMBER, false))
                .campaigns();
        assertThat(n1.effects()).containsExactly(send(1, forward(1, 1)), send(1, backward(1, 1)));
        assertThat(n1.receives(forward(1, 1), n(1)).effects())
                .containsExactly(elected(1, 1), send(1, new Elected(n(1), 1)));
    }

    private static Active active(int round, List<Candidate> received) {
        return new Active(round, received, List.of());
    }

    private static ProtocolFixture<State, Message> answering() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new Franklin(Ranking.BY_NUMBER, true))
                .campaigns();
    }

    private static Answer answer(int id, boolean isNegative, Direction direction) {
        return new Answer(n(id), isNegative, 1, direction);
    }

    @Test
    void with_answers_a_worse_node_answers_p_and_a_better_one_answers_minus_p() {
        assertThat(answering().receives(forward(7, 1), n(2)).effects())
                .containsExactly(send(2, answer(7, false, Direction.BACKWARD)));
        assertThat(answering().receives(forward(3, 1), n(2)).effects())
                .containsExactly(send(2, answer(3, true, Direction.BACKWARD)));
    }

    @Test
    void with_answers_a_node_decides_only_after_both_ids_and_both_answers() {
        var n5 = answering()
                .receives(forward(2, 1), n(2))
                .receives(backward(3, 1), n(7))
                .receives(answer(5, false, Direction.FORWARD), n(2));
        assertThat(((Active) n5.state().phase()).round()).isEqualTo(1);
        assertThat(((Active) n5.receives(answer(5, false, Direction.BACKWARD), n(7))
                                .state()
                                .phase())
                        .round())
                .isEqualTo(2);
    }

    @Test
    void minus_p_makes_a_node_passive() {
        var n5 = answering()
                .receives(forward(2, 1), n(2))
                .receives(backward(7, 1), n(7))
                .receives(answer(5, false, Direction.FORWARD), n(2))
                .receives(answer(5, true, Direction.BACKWARD), n(7));
        assertThat(n5.state().phase()).isEqualTo(new Passive());
    }

    @Test
    void a_passive_node_forwards_the_answer_to_another_node_in_its_direction() {
        var n5 = answering()
                .receives(forward(9, 1), n(2))
                .receives(backward(7, 1), n(7))
                .receives(answer(5, true, Direction.FORWARD), n(2))
                .receives(answer(5, true, Direction.BACKWARD), n(7));
        assertThat(n5.receives(answer(9, false, Direction.BACKWARD), n(7)).effects())
                .containsExactly(send(2, answer(9, false, Direction.BACKWARD)));
    }

    @Test
    void the_label_of_a_negative_answer_is_minus_p() {
        assertThat(answer(4, true, Direction.FORWARD).label()).isEqualTo("Answer −n4");
        assertThat(answer(4, false, Direction.FORWARD).label()).isEqualTo("Answer n4");
    }
}
