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

/** The rules, as n5 follows them in a ring of four where n2 comes before it and n7 after it. */
class ItaiRodehTest {

    private static final int SIDES = 6;

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new ItaiRodeh(4, SIDES));
    }

    private static ProtocolFixture<State, Message> standing(int number) {
        return resting().campaigns().draws(number - 1);
    }

    private static ProtocolFixture<State, Message> leading() {
        return standing(3).receives(new Candidate(3, 4, true), n(2));
    }

    private static State n5(long term, Phase phase) {
        return new State(n(5), n(7), term, phase);
    }

    @Test
    void rolls_a_die() {
        var n5 = resting().campaigns();
        assertThat(n5.effects()).containsExactly(new Effect.Draw<>(SIDES));
        assertThat(n5.state()).isEqualTo(n5(0, new Drawing()));
    }

    @Test
    void sends_the_number_that_it_rolled() {
        assertThat(standing(3).effects()).containsExactly(send(7, new Candidate(3, 1, true)));
        assertThat(standing(3).state()).isEqualTo(n5(0, new Active(3)));
        assertThat(standing(3).campaigns().effects()).isEmpty();
    }

    @Test
    void lets_a_higher_number_pass_and_gives_up() {
        var n5 = standing(3).receives(new Candidate(4, 2, false), n(2));
        assertThat(n5.effects()).containsExactly(send(7, new Candidate(4, 3, false)));
        assertThat(n5.state()).isEqualTo(n5(0, new Passive()));
    }

    @Test
    void swallows_a_lower_number() {
        var n5 = standing(3).receives(new Candidate(2, 2, true), n(2));
        assertThat(n5.effects()).isEmpty();
        assertThat(n5.state()).isEqualTo(n5(0, new Active(3)));
    }

    @Test
    void marks_an_equal_number_and_lets_it_pass() {
        var n5 = standing(3).receives(new Candidate(3, 2, true), n(2));
        assertThat(n5.effects()).containsExactly(send(7, new Candidate(3, 3, false)));
        assertThat(n5.state()).isEqualTo(n5(0, new Active(3)));
    }

    @Test
    void rolls_again_if_its_number_comes_home_marked() {
        var n5 = standing(3).receives(new Candidate(3, 4, false), n(2));
        assertThat(n5.effects()).containsExactly(new Effect.Draw<>(SIDES));
        assertThat(n5.state()).isEqualTo(n5(0, new Drawing()));
    }

    @Test
    void leads_if_its_number_comes_home_unmarked() {
        assertThat(leading().effects()).containsExactly(elected(5, 1), send(7, new Leader(1, 1)));
        assertThat(leading().state()).isEqualTo(n5(1, new Leading()));
        assertThat(leading().receives(new Leader(1, 4), n(2)).effects()).isEmpty();
    }

    @Test
    void stays_out_if_a_number_reaches_it_before_it_has_started() {
        var n5 = resting().receives(new Candidate(1, 1, true), n(2));
        assertThat(n5.effects()).containsExactly(send(7, new Candidate(1, 2, true)));
        assertThat(n5.state()).isEqualTo(n5(0, new Passive()));
        assertThat(n5.campaigns().effects()).isEmpty();
    }

    @Test
    void rests_when_it_hears_that_somebody_leads_and_names_nobody() {
        var n5 = resting().receives(new Candidate(1, 1, true), n(2)).receives(new Leader(1, 2), n(2));
        assertThat(n5.effects()).containsExactly(send(7, new Leader(1, 3)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
    }

    @Test
    void steps_down_when_there_is_another_election() {
        var called = leading().campaigns();
        assertThat(called.effects()).containsExactly(lost(), new Effect.Draw<>(SIDES));
        assertThat(called.state()).isEqualTo(n5(1, new Drawing()));
        var passed = leading().receives(new Candidate(1, 1, true), n(2));
        assertThat(passed.effects()).containsExactly(send(7, new Candidate(1, 2, true)), lost());
        assertThat(passed.state()).isEqualTo(n5(1, new Passive()));
    }

    @Test
    void swallows_a_number_that_has_gone_round_and_nobody_waits_for() {
        assertThat(resting().receives(new Candidate(1, 4, true), n(2)).effects())
                .isEmpty();
    }

    @Test
    void is_its_own_neighbour_if_it_is_alone() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new ItaiRodeh(1, 1))
                .campaigns()
                .draws(0);
        assertThat(n1.effects()).containsExactly(send(1, new Candidate(1, 1, true)));
        assertThat(n1.receives(new Candidate(1, 1, true), n(1)).effects())
                .containsExactly(elected(1, 1), send(1, new Leader(1, 1)));
    }

    @Test
    void does_not_start_if_nobody_says_how_large_the_ring_is() {
        assertThatThrownBy(() -> node(Topology.ring(3).neighbourhood(n(1)), new ItaiRodeh(0, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("size");
    }
}
