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

/** The rules, at n1 of two nodes. A tick, a quarter of the period, takes 50 ms. */
class PhiAccrualTest {

    private static final Duration TICK_DURATION = Duration.ofMillis(50);
    private static final PhiAccrual PHI = new PhiAccrual(TICK_DURATION.multipliedBy(4), 8, 3);

    private static ProtocolFixture<State, Heartbeat> after(ProtocolFixture<State, Heartbeat> node, int ticks) {
        return ticks == 0 ? node : after(node.timesOut(TICK), ticks - 1);
    }

    private static ProtocolFixture<State, Heartbeat> after(int ticks) {
        return after(node(1, 2, PHI), ticks);
    }

    /** The node has received heartbeats with these gaps. */
    private static ProtocolFixture<State, Heartbeat> gaps(int... ticks) {
        var node = node(1, 2, PHI);
        for (int gap : ticks) {
            node = after(node, gap).receives(new Heartbeat(), n(2));
        }
        return node;
    }

    /** The number of ticks without a heartbeat until the suspicion. */
    private static int ticksUntilSuspicion(ProtocolFixture<State, Heartbeat> node) {
        int ticks = 0;
        while (after(node, ticks).state().phase() instanceof Trusting) {
            ticks++;
        }
        return ticks;
    }

    @Test
    void a_node_sends_heartbeats_every_four_ticks() {
        assertThat(after(0).effects())
                .containsExactly(sendAll(nodes(2), new Heartbeat()), setTimer(TICK, TICK_DURATION));
        assertThat(after(3).effects()).containsExactly(setTimer(TICK, TICK_DURATION));
        assertThat(after(4).effects())
                .containsExactly(sendAll(nodes(2), new Heartbeat()), setTimer(TICK, TICK_DURATION));
    }

    /** The mean is 4 and the deviation is 1. A normal distribution has a tail of 10⁻⁸ at 5.22 deviations. */
    @Test
    void a_peer_is_suspected_when_its_silence_is_improbable() {
        assertThat(ticksUntilSuspicion(gaps(4, 4, 4))).isEqualTo(10);
        assertThat(after(10).effects()).startsWith(suspect(2));
        assertThat(after(10).state().phase()).isEqualTo(new Suspecting(nodes(2)));
    }

    @Test
    void a_larger_deviation_of_the_gaps_delays_the_suspicion() {
        assertThat(ticksUntilSuspicion(gaps(1, 7, 4))).isEqualTo(17);
    }

    @Test
    void longer_gaps_delay_the_suspicion() {
        assertThat(ticksUntilSuspicion(gaps(8, 8, 8))).isEqualTo(14);
    }

    @Test
    void gaps_beyond_the_window_are_forgotten() {
        assertThat(gaps(1, 7, 4, 4, 4).state().peers().getFirst().gaps()).containsExactly(4, 4, 4);
    }

    @Test
    void the_period_is_the_first_gap() {
        assertThat(after(0).state().peers().getFirst().gaps()).isEqualTo(List.of(4));
    }

    @Test
    void heartbeats_in_the_same_tick_count_as_one() {
        assertThat(gaps(4, 0, 0).state()).isEqualTo(gaps(4).state());
    }

    @Test
    void a_heartbeat_restores_a_suspected_peer_and_counts_the_gap_up_to_the_suspicion() {
        var back = after(50).receives(new Heartbeat(), n(2));
        assertThat(back.effects()).containsExactly(restore(2));
        assertThat(back.state().phase()).isEqualTo(new Trusting());
        assertThat(back.state().peers().getFirst().gaps()).containsExactly(4, 10);
    }

    @Test
    void a_suspicion_is_reported_once() {
        assertThat(after(11).effects()).containsExactly(setTimer(TICK, TICK_DURATION));
    }

    @Test
    void a_threshold_or_window_below_1_is_rejected() {
        assertThatThrownBy(() -> new PhiAccrual(TICK_DURATION, 0, 1)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> new PhiAccrual(TICK_DURATION, 1, 0)).hasMessageContaining("at least 1, were 1 and 0");
    }
}
