package habemus.detector;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.restore;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.setTimer;
import static habemus.ProtocolFixture.suspect;
import static habemus.protocol.FailureDetector.Tick.TICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.detector.PhiAccrual.Heartbeat;
import habemus.detector.PhiAccrual.Phase.Suspecting;
import habemus.detector.PhiAccrual.Phase.Trusting;
import habemus.detector.PhiAccrual.State;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, as n1 of two nodes follows them; a quarter of its period is 50 ms. */
class PhiAccrualTest {

    private static final Duration QUARTER = Duration.ofMillis(50);
    private static final PhiAccrual PHI = new PhiAccrual(QUARTER.multipliedBy(4), 8, 3);

    private static ProtocolFixture<State, Heartbeat> after(ProtocolFixture<State, Heartbeat> node, int quarters) {
        return quarters == 0 ? node : after(node.timesOut(TICK), quarters - 1);
    }

    private static ProtocolFixture<State, Heartbeat> after(int quarters) {
        return after(node(1, 2, PHI), quarters);
    }

    /** It has heard heartbeats with these gaps between them. */
    private static ProtocolFixture<State, Heartbeat> gaps(int... quarters) {
        var node = node(1, 2, PHI);
        for (int gap : quarters) {
            node = after(node, gap).receives(new Heartbeat(), n(2));
        }
        return node;
    }

    /** How many quarters of silence it takes to be suspected. */
    private static int patience(ProtocolFixture<State, Heartbeat> node) {
        int quarters = 0;
        while (after(node, quarters).state().phase() instanceof Trusting) {
            quarters++;
        }
        return quarters;
    }

    @Test
    void says_every_four_quarters_that_it_lives() {
        assertThat(after(0).effects()).containsExactly(sendAll(nodes(2), new Heartbeat()), setTimer(TICK, QUARTER));
        assertThat(after(3).effects()).containsExactly(setTimer(TICK, QUARTER));
        assertThat(after(4).effects()).containsExactly(sendAll(nodes(2), new Heartbeat()), setTimer(TICK, QUARTER));
    }

    /** The mean is 4, the spread counts as 1, and 5.22 spreads from the mean a normal tail is 10⁻⁸. */
    @Test
    void suspects_whoever_is_silent_for_longer_than_its_gaps_explain() {
        assertThat(patience(gaps(4, 4, 4))).isEqualTo(10);
        assertThat(after(10).effects()).startsWith(suspect(2));
        assertThat(after(10).state().phase()).isEqualTo(new Suspecting(nodes(2)));
    }

    @Test
    void is_more_patient_the_more_the_gaps_differ() {
        assertThat(patience(gaps(1, 7, 4))).isEqualTo(17);
    }

    @Test
    void is_more_patient_the_longer_the_gaps_are() {
        assertThat(patience(gaps(8, 8, 8))).isEqualTo(14);
    }

    @Test
    void forgets_gaps_that_are_too_old() {
        assertThat(gaps(1, 7, 4, 4, 4).state().peers().getFirst().gaps()).containsExactly(4, 4, 4);
    }

    @Test
    void takes_the_period_for_the_first_gap() {
        assertThat(after(0).state().peers().getFirst().gaps()).isEqualTo(List.of(4));
    }

    @Test
    void counts_heartbeats_that_come_together_as_one() {
        assertThat(gaps(4, 0, 0).state()).isEqualTo(gaps(4).state());
    }

    @Test
    void trusts_whoever_is_heard_again_and_counts_the_silence_up_to_the_suspicion() {
        var back = after(50).receives(new Heartbeat(), n(2));
        assertThat(back.effects()).containsExactly(restore(2));
        assertThat(back.state().phase()).isEqualTo(new Trusting());
        assertThat(back.state().peers().getFirst().gaps()).containsExactly(4, 10);
    }

    @Test
    void suspects_the_same_one_only_once() {
        assertThat(after(11).effects()).containsExactly(setTimer(TICK, QUARTER));
    }

    @Test
    void refuses_a_threshold_or_a_window_without_sense() {
        assertThatThrownBy(() -> new PhiAccrual(QUARTER, 0, 1)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> new PhiAccrual(QUARTER, 1, 0)).hasMessageContaining("at least one gap");
    }
}
