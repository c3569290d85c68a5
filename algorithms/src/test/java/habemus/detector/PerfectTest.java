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
import habemus.detector.Perfect.Heartbeat;
import habemus.detector.Perfect.Phase.Suspecting;
import habemus.detector.Perfect.Phase.Trusting;
import habemus.detector.Perfect.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules, at n1 of three nodes. The timeout is two periods, which takes three ticks. */
class PerfectTest {

    private static final Duration PERIOD = Duration.ofMillis(200);
    private static final Perfect PERFECT = new Perfect(PERIOD, Duration.ofMillis(400));

    private static ProtocolFixture<State, Heartbeat> first() {
        return node(1, 3, PERFECT);
    }

    /** The node has received no heartbeat of n3 for two ticks. */
    private static ProtocolFixture<State, Heartbeat> silentForTwoTicks() {
        return first().timesOut(TICK).timesOut(TICK).receives(new Heartbeat(), n(2));
    }

    @Test
    void a_node_sends_heartbeats_at_its_start() {
        assertThat(first().effects()).containsExactly(sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
        assertThat(first().state().phase()).isEqualTo(new Trusting());
    }

    @Test
    void a_node_sends_heartbeats_every_period() {
        assertThat(first().timesOut(TICK).effects())
                .containsExactly(sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
    }

    @Test
    void a_peer_without_heartbeats_for_the_timeout_is_suspected() {
        var node = silentForTwoTicks().timesOut(TICK);
        assertThat(node.effects())
                .containsExactly(suspect(3), sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
        assertThat(node.state().phase()).isEqualTo(new Suspecting(nodes(3)));
    }

    @Test
    void a_peer_with_a_heartbeat_in_time_is_not_suspected() {
        assertThat(silentForTwoTicks()
                        .receives(new Heartbeat(), n(3))
                        .timesOut(TICK)
                        .state()
                        .phase())
                .isEqualTo(new Trusting());
    }

    @Test
    void a_suspicion_is_reported_once() {
        assertThat(silentForTwoTicks()
                        .timesOut(TICK)
                        .receives(new Heartbeat(), n(2))
                        .timesOut(TICK)
                        .effects())
                .doesNotContain(suspect(3));
    }

    @Test
    void a_heartbeat_restores_a_suspected_peer() {
        var back = silentForTwoTicks().timesOut(TICK).receives(new Heartbeat(), n(3));
        assertThat(back.effects()).containsExactly(restore(3));
        assertThat(back.state().phase()).isEqualTo(new Trusting());
    }

    @Test
    void a_heartbeat_of_a_trusted_peer_has_no_effect() {
        assertThat(silentForTwoTicks().effects()).isEmpty();
    }

    @Test
    void the_timeout_is_rounded_up_to_periods() {
        var node = node(1, 2, new Perfect(PERIOD, Duration.ofMillis(401)));
        assertThat(node.timesOut(TICK).timesOut(TICK).timesOut(TICK).state().phase())
                .isEqualTo(new Trusting());
    }

    @Test
    void a_node_without_peers_suspects_no_node() {
        assertThat(node(1, 1, PERFECT).timesOut(TICK).effects()).containsExactly(setTimer(TICK, PERIOD));
    }

    @Test
    void a_timeout_shorter_than_the_period_is_rejected() {
        assertThatThrownBy(() -> new Perfect(PERIOD, Duration.ofMillis(199)))
                .hasMessage("the timeout must be at least the period between two heartbeats, 200 ms, was 199 ms");
        assertThatThrownBy(() -> new Perfect(Duration.ZERO, PERIOD)).hasMessageContaining("at least 1 ms");
    }
}
