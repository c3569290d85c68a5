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

/** The rules, as n1 of three nodes follows them; it waits for one period at first, which takes two beats. */
class EventuallyPerfectTest {

    private static final Duration PERIOD = Duration.ofMillis(200);

    private static ProtocolFixture<State, Heartbeat> first(int most) {
        return node(1, 3, new EventuallyPerfect(PERIOD, PERIOD, most));
    }

    /** It suspects n3, and nobody else. */
    private static ProtocolFixture<State, Heartbeat> suspicious(int most) {
        return first(most).timesOut(TICK).receives(new Heartbeat(), n(2)).timesOut(TICK);
    }

    private static ProtocolFixture<State, Heartbeat> mistaken(int most) {
        return suspicious(most).receives(new Heartbeat(), n(3));
    }

    @Test
    void says_every_period_that_it_lives() {
        assertThat(first(0).effects()).containsExactly(sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
        assertThat(first(0).timesOut(TICK).effects())
                .containsExactly(sendAll(nodes(2, 3), new Heartbeat()), setTimer(TICK, PERIOD));
    }

    @Test
    void suspects_whoever_was_silent_for_its_timeout() {
        assertThat(suspicious(0).effects()).startsWith(suspect(3));
        assertThat(suspicious(0).state().phase()).isEqualTo(new Suspecting(nodes(3)));
    }

    @Test
    void suspects_the_same_one_only_once() {
        assertThat(suspicious(0).receives(new Heartbeat(), n(2)).timesOut(TICK).effects())
                .doesNotContain(suspect(3));
    }

    @Test
    void trusts_whoever_is_heard_again_and_is_more_patient_with_it() {
        assertThat(mistaken(0).effects()).containsExactly(restore(3));
        assertThat(mistaken(0).state().phase()).isEqualTo(new Trusting());
        assertThat(mistaken(0).state().peers()).containsExactly(new Peer(n(2), 1, 2), new Peer(n(3), 0, 3));
    }

    @Test
    void waits_longer_for_whom_it_was_wrong_about() {
        var patient = mistaken(0).receives(new Heartbeat(), n(2)).timesOut(TICK).receives(new Heartbeat(), n(2));
        assertThat(patient.timesOut(TICK).state().phase()).isEqualTo(new Trusting());
        assertThat(patient.timesOut(TICK)
                        .receives(new Heartbeat(), n(2))
                        .timesOut(TICK)
                        .effects())
                .startsWith(suspect(3));
    }

    @Test
    void is_no_more_patient_with_whom_it_trusted() {
        assertThat(first(0).timesOut(TICK)
                        .receives(new Heartbeat(), n(3))
                        .state()
                        .peers())
                .contains(new Peer(n(3), 0, 2));
    }

    @Test
    void is_no_more_patient_than_it_may_be() {
        assertThat(mistaken(1).state().peers()).contains(new Peer(n(3), 0, 2));
        assertThat(mistaken(2).state().peers()).contains(new Peer(n(3), 0, 3));
    }

    @Test
    void refuses_a_negative_bound() {
        assertThatThrownBy(() -> new EventuallyPerfect(PERIOD, PERIOD, -1)).hasMessageContaining("0 for any number");
    }
}
