package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProtocolTest {

    private static final NodeId N2 = new NodeId(2);

    private enum Timer {
        RETRY
    }

    /** The next state records the called method and its arguments. */
    private static class Bare implements Protocol<String, Long> {
        @Override
        public Step<String, Long> start(Neighbourhood neighbourhood) {
            return to("started");
        }

        @Override
        public Step<String, Long> receive(String state, NodeId from, Long message) {
            return to("receive " + state + " " + from + " " + message);
        }
    }

    private static final class Full extends Bare
            implements Mutex<String, Long>,
                    Election<String, Long>,
                    Timed<String, Long, Timer>,
                    FailureAware<String, Long>,
                    Randomized<String, Long> {
        @Override
        public Step<String, Long> acquire(String state) {
            return to("acquire " + state);
        }

        @Override
        public Step<String, Long> release(String state) {
            return to("release " + state);
        }

        @Override
        public Step<String, Long> campaign(String state) {
            return to("campaign " + state);
        }

        @Override
        public Step<String, Long> timeout(String state, Timer timer) {
            return to("timeout " + state + " " + timer);
        }

        @Override
        public Step<String, Long> suspect(String state, NodeId peer) {
            return to("suspect " + state + " " + peer);
        }

        @Override
        public Step<String, Long> restore(String state, NodeId peer) {
            return to("restore " + state + " " + peer);
        }

        @Override
        public Step<String, Long> drawn(String state, int value) {
            return to("drawn " + state + " " + value);
        }
    }

    static List<Arguments> events() {
        return List.of(
                Arguments.of(new Event.Acquire<Long>(), "acquire s"),
                Arguments.of(new Event.Release<Long>(), "release s"),
                Arguments.of(new Event.Campaign<Long>(), "campaign s"),
                Arguments.of(new Event.Timeout<Long>(Timer.RETRY), "timeout s RETRY"),
                Arguments.of(new Event.Drawn<Long>(5), "drawn s 5"),
                Arguments.of(new Event.Suspect<Long>(N2), "suspect s n2"),
                Arguments.of(new Event.Restore<Long>(N2), "restore s n2"));
    }

    @ParameterizedTest
    @MethodSource("events")
    void step_dispatches_each_event_to_its_method(Event<Long> event, String expected) {
        var full = new Full();
        assertThat(full.step("s", event)).isEqualTo(full.to(expected));
    }

    @ParameterizedTest
    @MethodSource("events")
    void an_event_of_an_interface_that_the_algorithm_does_not_implement_is_a_bug(Event<Long> event, String expected) {
        assertThatThrownBy(() -> new Bare().step("idle", event))
                .as(expected)
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining(event.toString())
                .hasMessageEndingWith("cannot happen in idle");
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void every_algorithm_receives_messages(Protocol<String, Long> algorithm) {
        assertThat(algorithm.step("s", new Event.Received<>(N2, 7L))).isEqualTo(algorithm.to("receive s n2 7"));
    }

    static List<Protocol<String, Long>> algorithms() {
        return List.of(new Bare(), new Full());
    }
}
