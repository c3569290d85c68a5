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

/** The rules, at n5 in a ring: the previous node is n2, the next node is n7. */
class ChangRobertsTest {

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new ChangRoberts(Ranking.BY_NUMBER));
    }

    private static ProtocolFixture<State, Message> participating() {
        return resting().campaigns();
    }

    private static ProtocolFixture<State, Message> leader() {
        return participating().receives(candidate(5), n(2));
    }

    private static Candidate candidate(int id) {
        return new Candidate(n(id));
    }

    private static Elected announcement(int leader, long term) {
        return new Elected(n(leader), term);
    }

    private static State n5(Phase phase, long term) {
        return new State(n(5), n(7), phase, term);
    }

    @Test
    void a_node_starts_resting_without_messages() {
        assertThat(resting().effects()).isEmpty();
        assertThat(resting().state()).isEqualTo(n5(new Resting(), 0));
    }

    @Test
    void a_candidate_sends_its_id_to_the_next_node() {
        var n5 = resting().campaigns();
        assertThat(n5.effects()).containsExactly(send(7, candidate(5)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void a_campaign_during_an_election_changes_nothing() {
        var n5 = participating().campaigns();
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void a_resting_node_forwards_a_higher_id_and_participates() {
        var n5 = resting().receives(candidate(9), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(9)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void a_participant_forwards_a_higher_id() {
        var n5 = participating().receives(candidate(9), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(9)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void a_resting_node_sends_its_own_id_instead_of_a_lower_one() {
        var n5 = resting().receives(candidate(2), n(2));
        assertThat(n5.effects()).containsExactly(send(7, candidate(5)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void a_participant_drops_a_lower_id() {
        var n5 = participating().receives(candidate(2), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void a_node_that_forwarded_a_higher_id_drops_a_lower_one() {
        var n5 = resting().receives(candidate(9), n(2)).receives(candidate(2), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 0));
    }

    @Test
    void a_node_leads_when_its_own_id_returns() {
        var n5 = participating().receives(candidate(5), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), send(7, announcement(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 1));
    }

    @Test
    void the_leader_drops_its_announcement_when_it_returns() {
        var n5 = leader().receives(announcement(5, 1), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 1));
    }

    @Test
    void a_participant_reports_the_leader_forwards_the_announcement_and_rests() {
        var n5 = participating().receives(announcement(9, 3), n(2));
        assertThat(n5.effects()).containsExactly(elected(9, 3), send(7, announcement(9, 3)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 3));
    }

    @Test
    void a_resting_node_reports_the_leader() {
        var n5 = resting().receives(announcement(9, 3), n(2));
        assertThat(n5.effects()).containsExactly(elected(9, 3), send(7, announcement(9, 3)));
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
    void a_node_takes_part_in_the_next_election() {
        var n5 = participating().receives(announcement(9, 3), n(2)).campaigns();
        assertThat(n5.effects()).containsExactly(send(7, candidate(5)));
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 3));
    }

    @Test
    void a_leader_takes_part_in_the_next_election_before_its_announcement_returns() {
        var n5 = leader().receives(candidate(2), n(2)).receives(announcement(5, 1), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(new Participating(), 1));
    }

    @Test
    void the_next_election_has_a_later_term() {
        var n5 = leader().receives(announcement(5, 1), n(2)).campaigns().receives(candidate(5), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 2), send(7, announcement(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 2));
    }

    @Test
    void a_leader_has_a_later_term_than_its_predecessor() {
        var n5 = resting().receives(announcement(9, 3), n(2)).campaigns().receives(candidate(5), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 4), send(7, announcement(5, 4)));
        assertThat(n5.state()).isEqualTo(n5(new Resting(), 4));
    }

    @Test
    void a_ring_of_one_node_elects_it() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new ChangRoberts(Ranking.BY_NUMBER))
                .campaigns();
        assertThat(n1.effects()).containsExactly(send(1, candidate(1)));
        assertThat(n1.receives(candidate(1), n(1)).effects())
                .containsExactly(elected(1, 1), send(1, announcement(1, 1)));
    }

    @Test
    void an_acquire_is_a_bug() {
        assertThatThrownBy(() -> resting().acquires()).isInstanceOf(ProtocolBug.class);
    }
}
