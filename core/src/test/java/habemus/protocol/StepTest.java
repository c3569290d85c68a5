package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMillis(9);

    private enum Timer {
        RETRY
    }

    private record Wrapped(String inner) {}

    private static Step<Integer, String> step(int state) {
        return new Step<>(state, List.of());
    }

    @Test
    void effects_keep_the_order_of_the_calls() {
        var step = step(1).send(N1, "a")
                .sendAll(NodeSet.of(N1, N2), "b")
                .setTimer(Timer.RETRY, SHORT, LONG)
                .cancelTimer(Timer.RETRY)
                .draw(6)
                .grant(7)
                .elected(N2, 3)
                .lost();
        assertThat(step.state()).isEqualTo(1);
        assertThat(step.effects())
                .containsExactly(
                        new Effect.Send<>(N1, "a"),
                        new Effect.SendAll<>(NodeSet.of(N1, N2), "b"),
                        new Effect.SetTimer<>(Timer.RETRY, SHORT, LONG),
                        new Effect.CancelTimer<>(Timer.RETRY),
                        new Effect.Draw<>(6),
                        new Effect.Grant<>(7),
                        new Effect.Elected<>(N2, 3),
                        new Effect.Lost<>());
    }

    @Test
    void a_timer_with_one_duration_has_equal_bounds() {
        assertThat(step(1).setTimer(Timer.RETRY, SHORT).effects())
                .containsExactly(new Effect.SetTimer<>(Timer.RETRY, SHORT, SHORT));
    }

    @Test
    void sending_to_no_node_is_no_effect() {
        assertThat(step(1).sendAll(NodeSet.NONE, "b")).isEqualTo(step(1));
    }

    @Test
    void extending_a_step_does_not_change_it() {
        var first = step(1).send(N1, "a").send(N1, "b").send(N1, "c");
        var longer = first.send(N1, "d");
        var other = first.send(N2, "e");
        assertThat(first.effects()).hasSize(3);
        assertThat(longer.effects()).hasSize(4).endsWith(new Effect.Send<>(N1, "d"));
        assertThat(other.effects()).hasSize(4).endsWith(new Effect.Send<>(N2, "e"));
    }

    @Test
    void then_continues_from_the_state_with_the_effects_of_both_steps() {
        var both = step(1).send(N1, "a")
                .then(s -> step(s + 1).send(N1, "b").send(N2, "c"))
                .then(s -> step(s * 10))
                .send(N1, "d");
        assertThat(both.state()).isEqualTo(20);
        assertThat(both.effects())
                .containsExactly(
                        new Effect.Send<>(N1, "a"),
                        new Effect.Send<>(N1, "b"),
                        new Effect.Send<>(N2, "c"),
                        new Effect.Send<>(N1, "d"));
    }

    @Test
    void embedding_a_step_wraps_its_messages_and_keeps_the_order() {
        var inner = step(1).send(N1, "a")
                .setTimer(Timer.RETRY, SHORT, LONG)
                .sendAll(NodeSet.of(N2), "b")
                .cancelTimer(Timer.RETRY)
                .draw(6)
                .grant(7)
                .elected(N2, 3)
                .lost();
        var outer = inner.embedIn(List.of(1), Wrapped::new);
        assertThat(outer.state()).isEqualTo(List.of(1));
        assertThat(outer.effects())
                .containsExactly(
                        new Effect.Send<>(N1, new Wrapped("a")),
                        new Effect.SetTimer<>(Timer.RETRY, SHORT, LONG),
                        new Effect.SendAll<>(NodeSet.of(N2), new Wrapped("b")),
                        new Effect.CancelTimer<>(Timer.RETRY),
                        new Effect.Draw<>(6),
                        new Effect.Grant<>(7),
                        new Effect.Elected<>(N2, 3),
                        new Effect.Lost<>());
    }

    @Test
    void equality_does_not_depend_on_how_a_step_was_built() {
        var chained = step(2).send(N1, "a").send(N1, "b").send(N1, "c");
        var joined = step(2).send(N1, "a").then(s -> step(s).send(N1, "b").send(N1, "c"));
        var wrapped = chained.<Integer, String>embedIn(2, m -> m);
        assertThat(joined).isEqualTo(chained).hasSameHashCodeAs(chained);
        assertThat(wrapped).isEqualTo(chained).hasSameHashCodeAs(chained);
        assertThat(new Step<>(2, new ArrayList<>(chained.effects()))).isEqualTo(chained);
    }
}
