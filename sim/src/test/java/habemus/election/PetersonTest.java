package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.Peterson.Message;
import habemus.election.Peterson.Message.Candidate;
import habemus.election.Peterson.Message.Elected;
import habemus.election.Peterson.Phase;
import habemus.election.Peterson.Phase.Compared;
import habemus.election.Peterson.Phase.Passive;
import habemus.election.Peterson.Phase.Resting;
import habemus.election.Peterson.Phase.Sent;
import habemus.election.Peterson.State;
import habemus.protocol.Neighbourhood;
import habemus.protocol.Ranking;
import habemus.protocol.Ranking.Rank;
import habemus.world.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n5 in a ring: the previous node is n2, the next node is n7. */
class PetersonTest {

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new Peterson(Ranking.BY_NUMBER));
    }

    private static ProtocolFixture<State, Message> withTemporaryId9() {
        return resting().campaigns().receives(candidate(9), n(2)).receives(candidate(9), n(2));
    }

    private static ProtocolFixture<State, Message> passive() {
        return resting().campaigns().receives(candidate(2), n(2)).receives(candidate(2), n(2));
    }

    private static Candidate candidate(int id) {
        return new Candidate(n(id));
    }

    private static State n5(long term, Phase phase) {
        return new State(n(5), n(7), term, phase);
    }

    @Test
    void a_candidate_sends_its_id() {
        var n5 = resting().campaigns();
        assertThat(n5.effects()).containsExactly(send(7, candidate(5)));
        assertThat(n5.state()).isEqualTo(n5(0, new Sent(n(5))));
        assertThat(n5.campaigns().effects()).isEmpty();
    }

    @Test
    void a_node_sends_the_better_of_its_own_and_the_previous_id() {
        var worse = resting().campaigns().receives(candidate(2), n(2));
        assertThat(worse.effects()).containsExactly(send(7, candidate(5)));
        assertThat(worse.state()).isEqualTo(n5(0, new Compared(n(5), n(2))));
        var better = resting().campaigns().receives(candidate(9), n(2));
        assertThat(better.effects()).containsExactly(send(7, candidate(9)));
    }

    @Test
    void a_resting_node_takes_part_at_the_first_id() {
        var n5 = resting().receives(candidate(9), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(5)), send(7, candidate(9)));
        assertThat(n5.state()).isEqualTo(n5(0, new Compared(n(5), n(9))));
    }

    @Test
    void a_node_continues_with_the_previous_id_if_it_is_better_than_both_of_its_neighbours() {
        assertThat(withTemporaryId9().effects()).containsExactly(send(7, candidate(9)));
        assertThat(withTemporaryId9().state()).isEqualTo(n5(0, new Sent(n(9))));
    }

    @Test
    void a_node_becomes_passive_if_the_previous_id_is_worse_than_one_of_its_neighbours() {
        assertThat(passive().effects()).isEmpty();
        assertThat(passive().state()).isEqualTo(n5(0, new Passive()));
        var between = resting().campaigns().receives(candidate(8), n(2)).receives(candidate(9), n(2));
        assertThat(between.state()).isEqualTo(n5(0, new Passive()));
    }

    @Test
    void a_passive_node_forwards_ids() {
        assertThat(passive().receives(candidate(3), n(2)).effects()).containsExactly(send(7, candidate(3)));
        assertThat(passive().campaigns().effects()).isEmpty();
    }

    @Test
    void a_node_announces_the_id_that_returns_as_the_leader() {
        var n5 = withTemporaryId9().receives(candidate(9), n(2));
        assertThat(n5.effects()).containsExactly(elected(9, 1), send(7, new Elected(n(9), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
        assertThat(n5.receives(new Elected(n(9), 1), n(2)).effects()).isEmpty();
    }

    @Test
    void a_passive_node_leads_if_it_is_announced() {
        var n5 = passive().receives(new Elected(n(5), 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), send(7, new Elected(n(5), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
    }

    @Test
    void the_next_election_has_a_later_term() {
        var n5 = passive().receives(new Elected(n(9), 3), n(2)).campaigns().receives(candidate(5), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 4), send(7, new Elected(n(5), 4)));
    }

    @Test
    void compares_ranks_before_ids() {
        var ranking = new Ranking(List.of(new Rank(n(2), 1)));
        var n5 = node(new Neighbourhood(n(5), List.of(n(7), n(2))), new Peterson(ranking))
                .campaigns()
                .receives(candidate(2), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(2)));
        assertThat(n5.receives(candidate(2), n(2)).state()).isEqualTo(n5(0, new Sent(n(2))));
    }

    @Test
    void a_ring_of_one_node_elects_it() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new Peterson(Ranking.BY_NUMBER))
                .campaigns()
                .receives(candidate(1), n(1));
        assertThat(n1.effects()).containsExactly(elected(1, 1), send(1, new Elected(n(1), 1)));
    }
}
