package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.election.ItaiRodeh.Message;
import habemus.election.ItaiRodeh.Message.Candidate;
import habemus.election.ItaiRodeh.Message.Leader;
import habemus.election.ItaiRodeh.Phase;
import habemus.election.ItaiRodeh.Phase.Active;
import habemus.election.ItaiRodeh.Phase.Drawing;
import habemus.election.ItaiRodeh.Phase.Leading;
import habemus.election.ItaiRodeh.Phase.Passive;
import habemus.election.ItaiRodeh.Phase.Resting;
import habemus.election.ItaiRodeh.State;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.world.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n5 in a ring of four: the previous node is n2, the next node is n7. */
class ItaiRodehTest {

    private static final int SIDES = 6;

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new ItaiRodeh(4, SIDES));
    }

    private static ProtocolFixture<State, Message> active(int number) {
        return resting().campaigns().draws(number - 1);
    }

    private static ProtocolFixture<State, Message> leading() {
        return active(3).receives(new Candidate(3, 4, true), n(2));
    }

    private static State n5(long term, Phase phase) {
        return new State(n(5), n(7), term, phase);
    }

    @Test
    void a_candidate_draws_a_number() {
        var n5 = resting().campaigns();
        assertThat(n5.effects()).containsExactly(new Effect.Draw<>(SIDES));
        assertThat(n5.state()).isEqualTo(n5(0, new Drawing()));
    }

    @Test
    void a_candidate_sends_its_number() {
        assertThat(active(3).effects()).containsExactly(send(7, new Candidate(3, 1, true)));
        assertThat(active(3).state()).isEqualTo(n5(0, new Active(3)));
        assertThat(active(3).campaigns().effects()).isEmpty();
    }

    @Test
    void an_active_node_forwards_a_higher_number_and_becomes_passive() {
        var n5 = active(3).receives(new Candidate(4, 2, false), n(2));
        assertThat(n5.effects()).containsExactly(send(7, new Candidate(4, 3, false)));
        assertThat(n5.state()).isEqualTo(n5(0, new Passive()));
    }

    @Test
    void an_active_node_drops_a_lower_number() {
        var n5 = active(3).receives(new Candidate(2, 2, true), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(0, new Active(3)));
    }

    @Test
    void an_active_node_marks_an_equal_number_as_not_unique_and_forwards_it() {
        var n5 = active(3).receives(new Candidate(3, 2, true), n(2));
        assertThat(n5.effects()).containsExactly(send(7, new Candidate(3, 3, false)));
        assertThat(n5.state()).isEqualTo(n5(0, new Active(3)));
    }

    @Test
    void a_node_draws_again_if_its_number_returns_as_not_unique() {
        var n5 = active(3).receives(new Candidate(3, 4, false), n(2));
        assertThat(n5.effects()).containsExactly(new Effect.Draw<>(SIDES));
        assertThat(n5.state()).isEqualTo(n5(0, new Drawing()));
    }

    @Test
    void a_node_leads_if_its_number_returns_as_unique() {
        assertThat(leading().effects()).containsExactly(elected(5, 1), send(7, new Leader(1, 1)));
        assertThat(leading().state()).isEqualTo(n5(1, new Leading()));
        assertThat(leading().receives(new Leader(1, 4), n(2)).effects()).isEmpty();
    }

    @Test
    void a_resting_node_that_receives_a_number_becomes_passive() {
        var n5 = resting().receives(new Candidate(1, 1, true), n(2));
        assertThat(n5.effects()).containsExactly(send(7, new Candidate(1, 2, true)));
        assertThat(n5.state()).isEqualTo(n5(0, new Passive()));
        assertThat(n5.campaigns().effects()).isEmpty();
    }

    @Test
    void a_passive_node_rests_at_the_announcement_and_reports_no_leader() {
        var n5 = resting().receives(new Candidate(1, 1, true), n(2)).receives(new Leader(1, 2), n(2));
        assertThat(n5.effects()).containsExactly(send(7, new Leader(1, 3)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
    }

    @Test
    void a_leader_steps_down_at_the_next_election() {
        var drawing = leading().campaigns();
        assertThat(drawing.effects()).containsExactly(lost(), new Effect.Draw<>(SIDES));
        assertThat(drawing.state()).isEqualTo(n5(1, new Drawing()));
        var passive = leading().receives(new Candidate(1, 1, true), n(2));
        assertThat(passive.effects()).containsExactly(send(7, new Candidate(1, 2, true)), lost());
        assertThat(passive.state()).isEqualTo(n5(1, new Passive()));
    }

    @Test
    void a_number_that_returns_to_a_resting_node_is_dropped() {
        assertThat(resting().receives(new Candidate(1, 4, true), n(2)).effects())
                .isEmpty();
    }

    @Test
    void a_ring_of_one_node_elects_it() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new ItaiRodeh(1, 1))
                .campaigns()
                .draws(0);
        assertThat(n1.effects()).containsExactly(send(1, new Candidate(1, 1, true)));
        assertThat(n1.receives(new Candidate(1, 1, true), n(1)).effects())
                .containsExactly(elected(1, 1), send(1, new Leader(1, 1)));
    }

    @Test
    void an_unknown_size_of_the_ring_is_rejected() {
        assertThatThrownBy(() -> node(Topology.ring(3).neighbourhood(n(1)), new ItaiRodeh(0, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("size");
    }
}
