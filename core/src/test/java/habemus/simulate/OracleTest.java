package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.world.Detector;
import habemus.world.Fault;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OracleTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);
    private static final World WORLD = World.of(Topology.complete(3));

    private final Oracle oracle = new Oracle(WORLD);

    @Test
    void learns_of_crashes_after_its_delay_or_never() {
        var slow = new Oracle(WORLD.watchedBy(new Detector.Oracle(Duration.ofMillis(7))));
        assertThat(slow.notices()).isTrue();
        assertThat(slow.delay()).isEqualTo(7_000);
        assertThat(new Oracle(WORLD.watchedBy(new Detector.Oracle(Duration.ZERO))).notices())
                .isTrue();
        assertThat(new Oracle(WORLD.watchedBy(new Detector.None())).notices()).isFalse();
        assertThatThrownBy(() -> new Detector.Oracle(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void suspects_whom_it_observed_to_be_down_and_tells_it_once() {
        oracle.observe(N1, N2, true);
        assertThat(oracle.revise(N1, N2)).isTrue();
        assertThat(oracle.suspects(N1, N2)).isTrue();
        assertThat(oracle.revise(N1, N2)).isFalse();
        oracle.observe(N1, N2, false);
        assertThat(oracle.revise(N1, N2)).isTrue();
        assertThat(oracle.suspects(N1, N2)).isFalse();
    }

    @Test
    void each_node_has_its_own_mind_about_each_peer() {
        oracle.observe(N1, N2, true);
        oracle.revise(N1, N2);
        assertThat(oracle.revise(N3, N2)).isFalse();
        assertThat(oracle.revise(N1, N3)).isFalse();
        assertThat(oracle.suspects(N3, N2)).isFalse();
        assertThat(oracle.suspects(N2, N1)).isFalse();
    }

    @Test
    void a_mistake_is_a_suspicion_until_it_ends() {
        oracle.begin(new Fault.Mistake(N1, N2));
        assertThat(oracle.mistakes()).isEqualTo(List.of(new Fault.Mistake(N1, N2)));
        assertThat(oracle.revise(N1, N2)).isTrue();
        assertThat(oracle.suspects(N1, N2)).isTrue();
        assertThat(oracle.revise(N2, N1)).isFalse();
        oracle.end(N1, N2);
        assertThat(oracle.revise(N1, N2)).isTrue();
        assertThat(oracle.suspects(N1, N2)).isFalse();
        assertThat(oracle.mistakes()).isEmpty();
    }

    @Test
    void a_mistake_that_came_true_does_not_end_with_the_mistake() {
        oracle.begin(new Fault.Mistake(N1, N2));
        oracle.revise(N1, N2);
        oracle.observe(N1, N2, true);
        assertThat(oracle.revise(N1, N2)).isFalse();
        oracle.end(N1, N2);
        assertThat(oracle.revise(N1, N2)).isFalse();
        assertThat(oracle.suspects(N1, N2)).isTrue();
    }

    @Test
    void who_crashes_forgets_whom_it_suspected() {
        oracle.observe(N1, N2, true);
        oracle.revise(N1, N2);
        oracle.forget(N1);
        assertThat(oracle.suspects(N1, N2)).isFalse();
        assertThat(oracle.revise(N1, N2)).isFalse();
    }

    @Test
    void ending_what_was_no_mistake_does_nothing() {
        oracle.end(N1, N2);
        assertThat(oracle.revise(N1, N2)).isFalse();
    }
}
