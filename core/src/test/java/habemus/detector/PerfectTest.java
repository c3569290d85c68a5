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

/** The rules, as n1 of three nodes follows them; it waits for two periods, which takes three beats. */
class PerfectTest {

    private static final Duration PERIOD = Duration.ofMillis(200);
    private static final Perfect PERFECT = new Perfect(PERIOD, Duration.ofMillis(400));

    private static ProtocolFixture<State, Heartbeat> first() {
        return node(1, 3, PERFECT);
    }

    /** It has not heard from n3 for two beats. */
    private static ProtocolFixture<State, Heartbeat> doubtful() {
        return first().timesOut(TICK).timesOut(TICK).receives(new Heartbeat(), n(2));
    }

    @Test
    void says_at_once_that_it_lives() {
        assertThat(first().effects()).containsExactly(sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
        assertThat(first().state().phase()).isEqualTo(new Trusting());
    }

    @Test
    void says_so_again_every_period() {
        assertThat(first().timesOut(TICK).effects())
                .containsExactly(sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
    }

    @Test
    void suspects_whoever_was_silent_for_the_timeout() {
        var node = doubtful().timesOut(TICK);
        assertThat(node.effects())
                .containsExactly(suspect(3), sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
        assertThat(node.state().phase()).isEqualTo(new Suspecting(nodes(3)));
    }

    @Test
    void suspects_nobody_whom_it_has_heard_in_time() {
        assertThat(doubtful()
                        .receives(new Heartbeat(), n(3))
                        .timesOut(TICK)
                        .state()
                        .phase())
                .isEqualTo(new Trusting());
    }

    @Test
    void suspects_the_same_one_only_once() {
        assertThat(doubtful()
                        .timesOut(TICK)
                        .receives(new Heartbeat(), n(2))
                        .timesOut(TICK)
                        .effects())
                .doesNotContain(suspect(3));
    }

    @Test
    void trusts_whoever_is_heard_again() {
        var back = doubtful().timesOut(TICK).receives(new Heartbeat(), n(3));
        assertThat(back.effects()).containsExactly(restore(3));
        assertThat(back.state().phase()).isEqualTo(new Trusting());
    }

    @Test
    void makes_no_words_of_a_heartbeat_of_somebody_it_trusts() {
        assertThat(doubtful().effects()).isEmpty();
    }

    @Test
    void waits_for_the_whole_timeout_if_it_is_no_number_of_periods() {
        var node = node(1, 2, new Perfect(PERIOD, Duration.ofMillis(401)));
        assertThat(node.timesOut(TICK).timesOut(TICK).timesOut(TICK).state().phase())
                .isEqualTo(new Trusting());
    }

    @Test
    void is_alone_without_suspecting_anybody() {
        assertThat(node(1, 1, PERFECT).timesOut(TICK).effects()).containsExactly(setTimer(TICK, PERIOD));
    }

    @Test
    void refuses_a_timeout_that_is_shorter_than_the_period() {
        assertThatThrownBy(() -> new Perfect(PERIOD, Duration.ofMillis(199))).hasMessageContaining("no shorter");
        assertThatThrownBy(() -> new Perfect(Duration.ZERO, PERIOD)).hasMessageContaining("at least a millisecond");
    }
}
