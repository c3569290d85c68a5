package habemus.detector;

import static habemus.Given.n;
import static habemus.Given.node;
import static habemus.Given.nodes;
import static habemus.Given.restore;
import static habemus.Given.sendAll;
import static habemus.Given.suspect;
import static habemus.Given.wake;
import static habemus.protocol.Detecting.Pulse.BEAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.Given;
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

    private static Given<State, Heartbeat> first() {
        return node(1, 3, PERFECT);
    }

    /** It has not heard from n3 for two beats. */
    private static Given<State, Heartbeat> doubtful() {
        return first().hears(BEAT).hears(BEAT).gets(new Heartbeat(), n(2));
    }

    @Test
    void says_at_once_that_it_lives() {
        assertThat(first().effects()).containsExactly(sendAll(nodes(2, 3), new Heartbeat()), wake(BEAT, PERIOD));
        assertThat(first().state().phase()).isEqualTo(new Trusting());
    }

    @Test
    void says_so_again_every_period() {
        assertThat(first().hears(BEAT).effects())
                .containsExactly(sendAll(nodes(2, 3), new Heartbeat()), wake(BEAT, PERIOD));
    }

    @Test
    void suspects_whoever_was_silent_for_the_timeout() {
        var node = doubtful().hears(BEAT);
        assertThat(node.effects())
                .containsExactly(suspect(3), sendAll(nodes(2, 3), new Heartbeat()), wake(BEAT, PERIOD));
        assertThat(node.state().phase()).isEqualTo(new Suspecting(nodes(3)));
    }

    @Test
    void suspects_nobody_whom_it_has_heard_in_time() {
        assertThat(doubtful().gets(new Heartbeat(), n(3)).hears(BEAT).state().phase())
                .isEqualTo(new Trusting());
    }

    @Test
    void suspects_the_same_one_only_once() {
        assertThat(doubtful()
                        .hears(BEAT)
                        .gets(new Heartbeat(), n(2))
                        .hears(BEAT)
                        .effects())
                .doesNotContain(suspect(3));
    }

    @Test
    void trusts_whoever_is_heard_again() {
        var back = doubtful().hears(BEAT).gets(new Heartbeat(), n(3));
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
        assertThat(node.hears(BEAT).hears(BEAT).hears(BEAT).state().phase()).isEqualTo(new Trusting());
    }

    @Test
    void is_alone_without_suspecting_anybody() {
        assertThat(node(1, 1, PERFECT).hears(BEAT).effects()).containsExactly(wake(BEAT, PERIOD));
    }

    @Test
    void refuses_a_timeout_that_is_shorter_than_the_period() {
        assertThatThrownBy(() -> new Perfect(PERIOD, Duration.ofMillis(199))).hasMessageContaining("no shorter");
        assertThatThrownBy(() -> new Perfect(Duration.ZERO, PERIOD)).hasMessageContaining("at least a millisecond");
    }
}
