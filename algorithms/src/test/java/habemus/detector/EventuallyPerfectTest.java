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
import habemus.detector.EventuallyPerfect.Heartbeat;
import habemus.detector.EventuallyPerfect.Peer;
import habemus.detector.EventuallyPerfect.Phase.Suspecting;
import habemus.detector.EventuallyPerfect.Phase.Trusting;
import habemus.detector.EventuallyPerfect.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules, at n1 of three nodes. The initial timeout is one period, which takes two ticks. */
class EventuallyPerfectTest {

    private static final Duration PERIOD = Duration.ofMillis(200);

    private static ProtocolFixture<State, Heartbeat> first(int maxPeriods) {
        return node(1, 3, new EventuallyPerfect(PERIOD, PERIOD, maxPeriods));
    }

    /** The node suspects only n3. */
    private static ProtocolFixture<State, Heartbeat> suspecting(int maxPeriods) {
        return first(maxPeriods).timesOut(TICK).receives(new Heartbeat(), n(2)).timesOut(TICK);
    }

    private static ProtocolFixture<State, Heartbeat> mistaken(int maxPeriods) {
        return suspecting(maxPeriods).receives(new Heartbeat(), n(3));
    }

    @Test
    void a_node_sends_heartbeats_every_period() {
        assertThat(first(0).effects()).containsExactly(sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
        assertThat(first(0).timesOut(TICK).effects())
                .containsExactly(sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
    }

    @Test
    void a_peer_without_heartbeats_for_its_timeout_is_suspected() {
        assertThat(suspecting(0).effects()).startsWith(suspect(3));
        assertThat(suspecting(0).state().phase()).isEqualTo(new Suspecting(nodes(3)));
    }

    @Test
    void a_suspicion_is_reported_once() {
        assertThat(suspecting(0).receives(new Heartbeat(), n(2)).timesOut(TICK).effects())
                .doesNotContain(suspect(3));
    }

    @Test
    void a_heartbeat_restores_a_suspected_peer_and_extends_its_timeout() {
        assertThat(mistaken(0).effects()).containsExactly(restore(3));
        assertThat(mistaken(0).state().phase()).isEqualTo(new Trusting());
        assertThat(mistaken(0).state().peers()).containsExactly(new Peer(n(2), 1, 2), new Peer(n(3), 0, 3));
    }

    @Test
    void the_extended_timeout_delays_the_next_suspicion() {
        var patient = mistaken(0).receives(new Heartbeat(), n(2)).timesOut(TICK).receives(new Heartbeat(), n(2));
        assertThat(patient.timesOut(TICK).state().phase()).isEqualTo(new Trusting());
        assertThat(patient.timesOut(TICK)
                        .receives(new Heartbeat(), n(2))
                        .timesOut(TICK)
                        .effects())
                .startsWith(suspect(3));
    }

    @Test
    void a_heartbeat_of_a_trusted_peer_does_not_extend_its_timeout() {
        assertThat(first(0).timesOut(TICK)
                        .receives(new Heartbeat(), n(3))
                        .state()
                        .peers())
                .contains(new Peer(n(3), 0, 2));
    }

    @Test
    void the_timeout_does_not_exceed_its_maximum() {
        assertThat(mistaken(1).state().peers()).contains(new Peer(n(3), 0, 2));
        assertThat(mistaken(2).state().peers()).contains(new Peer(n(3), 0, 3));
    }

    @Test
    void a_negative_maximum_is_rejected() {
        assertThatThrownBy(() -> new EventuallyPerfect(PERIOD, PERIOD, -1)).hasMessageContaining("0 for no maximum");
    }
}
