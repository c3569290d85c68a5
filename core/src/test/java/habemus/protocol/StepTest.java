package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration LATE = Duration.ofMillis(9);

    private enum Bell {
        RINGS
    }

    private record Wrapped(String inner) {}

    private static Step<Integer, String> step(int state) {
        return new Step<>(state, List.of());
    }

    @Test
    void its_effects_are_in_the_order_they_were_asked_for() {
        var step = step(1).send(N1, "a")
                .sendAll(NodeSet.of(N1, N2), "b")
                .setTimer(Bell.RINGS, SOON, LATE)
                .cancelTimer(Bell.RINGS)
                .draw(6)
                .grant(7)
                .elected(N2, 3)
                .lost();
        assertThat(step.state()).isEqualTo(1);
        assertThat(step.effects())
                .containsExactly(
                        new Effect.Send<>(N1, "a"),
                        new Effect.SendAll<>(NodeSet.of(N1, N2), "b"),
                        new Effect.SetTimer<>(Bell.RINGS, SOON, LATE),
                        new Effect.CancelTimer<>(Bell.RINGS),
                        new Effect.Draw<>(6),
                        new Effect.Grant<>(7),
                        new Effect.Elected<>(N2, 3),
                        new Effect.Lost<>());
    }

    @Test
    void a_moment_is_a_wait_of_at_least_and_at_most_the_same_time() {
        assertThat(step(1).setTimer(Bell.RINGS, SOON).effects())
                .containsExactly(new Effect.SetTimer<>(Bell.RINGS, SOON, SOON));
    }

    @Test
    void sending_to_nobody_is_no_effect() {
        assertThat(step(1).sendAll(NodeSet.NONE, "b")).isEqualTo(step(1));
    }

    @Test
    void a_step_does_not_change_when_another_begins_with_it() {
        var first = step(1).send(N1, "a").send(N1, "b").send(N1, "c");
        var longer = first.send(N1, "d");
        var other = first.send(N2, "e");
        assertThat(first.effects()).hasSize(3);
        assertThat(longer.effects()).hasSize(4).endsWith(new Effect.Send<>(N1, "d"));
        assertThat(other.effects()).hasSize(4).endsWith(new Effect.Send<>(N2, "e"));
    }

    @Test
    void then_goes_on_from_the_state_with_the_effects_of_both_in_order() {
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
    void within_a_larger_machine_its_messages_are_wrapped_and_the_rest_stays_in_order() {
        var inner = step(1).send(N1, "a")
                .setTimer(Bell.RINGS, SOON, LATE)
                .sendAll(NodeSet.of(N2), "b")
                .cancelTimer(Bell.RINGS)
                .draw(6)
                .grant(7)
                .elected(N2, 3)
                .lost();
        var outer = inner.embedIn(List.of(1), Wrapped::new);
        assertThat(outer.state()).isEqualTo(List.of(1));
        assertThat(outer.effects())
                .containsExactly(
                        new Effect.Send<>(N1, new Wrapped("a")),
                        new Effect.SetTimer<>(Bell.RINGS, SOON, LATE),
                        new Effect.SendAll<>(NodeSet.of(N2), new Wrapped("b")),
                        new Effect.CancelTimer<>(Bell.RINGS),
                        new Effect.Draw<>(6),
                        new Effect.Grant<>(7),
                        new Effect.Elected<>(N2, 3),
                        new Effect.Lost<>());
    }

    @Test
    void steps_with_equal_states_and_effects_are_equal_however_they_were_built() {
        var chained = step(2).send(N1, "a").send(N1, "b").send(N1, "c");
        var joined = step(2).send(N1, "a").then(s -> step(s).send(N1, "b").send(N1, "c"));
        var wrapped = chained.<Integer, String>embedIn(2, m -> m);
        assertThat(joined).isEqualTo(chained).hasSameHashCodeAs(chained);
        assertThat(wrapped).isEqualTo(chained).hasSameHashCodeAs(chained);
        assertThat(new Step<>(2, new ArrayList<>(chained.effects()))).isEqualTo(chained);
    }
}
