package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EffectExecutorTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);

    private final List<String> carriedOut = new ArrayList<>();
    private final EffectExecutor<String> executor = new EffectExecutor<>(new EffectExecutor.Environment<>() {
        @Override
        public void send(int to, String message) {
            carriedOut.add(message + " to " + to);
        }

        @Override
        public void setTimer(Effect.SetTimer<String> setTimer) {
            carriedOut.add("set " + setTimer.timer());
        }

        @Override
        public void cancelTimer(Enum<?> timer) {
            carriedOut.add("cancel " + timer);
        }

        @Override
        public int draw(int bound) {
            return bound - 1;
        }

        @Override
        public void notifyApplication(Effect<String> effect) {
            carriedOut.add(effect.toString());
        }
    });

    @Test
    void effects_are_carried_out_in_order_and_a_broadcast_goes_to_the_lowest_number_first() {
        executor.execute(
                N1,
                List.of(
                        new Effect.SendAll<>(NodeSet.of(N3, N2), "a"),
                        new Effect.Grant<>(7),
                        new Effect.Send<>(N3, "b")));
        assertThat(carriedOut).containsExactly("a to 2", "a to 3", "Grant[fence=7]", "b to 3");
        assertThat(executor.nextLocalEvent(N1, "")).isNull();
    }

    @Test
    void drawn_values_come_back_before_messages_to_oneself() {
        executor.execute(
                N1,
                List.of(
                        new Effect.Send<>(N1, "self"),
                        new Effect.SendAll<>(NodeSet.of(N1, N2), "all"),
                        new Effect.Draw<>(6)));
        assertThat(carriedOut).containsExactly("all to 2");
        assertThat(executor.nextLocalEvent(N1, "")).isEqualTo(new Event.Drawn<>(5));
        assertThat(executor.nextLocalEvent(N1, "")).isEqualTo(new Event.Received<>(N1, "self"));
        assertThat(executor.nextLocalEvent(N1, "")).isEqualTo(new Event.Received<>(N1, "all"));
        assertThat(executor.nextLocalEvent(N1, "")).isNull();
    }

    @Test
    void a_node_that_never_stops_sending_to_itself_has_a_bug() {
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        executor.execute(N1, List.of(new Effect.Send<>(N1, "again")));
                        executor.nextLocalEvent(N1, "state");
                    }
                })
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining("an endless chain of messages to itself");
    }
}
