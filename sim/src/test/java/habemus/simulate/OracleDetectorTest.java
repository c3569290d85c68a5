package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OracleDetectorTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);
    private static final World WORLD = World.of(Topology.complete(3));

    private final OracleDetector oracleDetector = new OracleDetector(WORLD);

    @Test
    void learns_of_crashes_after_its_delay_or_never() {
        var slow = new OracleDetector(WORLD.withDetector(new DetectorModel.Oracle(Duration.ofMillis(7))));
        assertThat(slow.isEnabled()).isTrue();
        assertThat(slow.delay()).isEqualTo(7_000);
        assertThat(new OracleDetector(WORLD.withDetector(new DetectorModel.Oracle(Duration.ZERO))).isEnabled())
                .isTrue();
        assertThat(new OracleDetector(WORLD.withDetector(new DetectorModel.None())).isEnabled())
                .isFalse();
        assertThatThrownBy(() -> new DetectorModel.Oracle(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void suspects_whom_it_observed_to_be_down_and_tells_it_once() {
        oracleDetector.observe(N1, N2, true);
        assertThat(oracleDetector.revise(N1, N2)).isTrue();
        assertThat(oracleDetector.suspects(N1, N2)).isTrue();
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
        oracleDetector.observe(N1, N2, false);
        assertThat(oracleDetector.revise(N1, N2)).isTrue();
        assertThat(oracleDetector.suspects(N1, N2)).isFalse();
    }

    @Test
    void each_node_has_its_own_mind_about_each_peer() {
        oracleDetector.observe(N1, N2, true);
        oracleDetector.revise(N1, N2);
        assertThat(oracleDetector.revise(N3, N2)).isFalse();
        assertThat(oracleDetector.revise(N1, N3)).isFalse();
        assertThat(oracleDetector.suspects(N3, N2)).isFalse();
        assertThat(oracleDetector.suspects(N2, N1)).isFalse();
    }

    @Test
    void a_mistake_is_a_suspicion_until_it_ends() {
        oracleDetector.addWrongSuspicion(new Fault.WrongSuspicion(N1, N2));
        assertThat(oracleDetector.wrongSuspicions()).isEqualTo(List.of(new Fault.WrongSuspicion(N1, N2)));
        assertThat(oracleDetector.revise(N1, N2)).isTrue();
        assertThat(oracleDetector.suspects(N1, N2)).isTrue();
        assertThat(oracleDetector.revise(N2, N1)).isFalse();
        oracleDetector.removeWrongSuspicion(N1, N2);
        assertThat(oracleDetector.revise(N1, N2)).isTrue();
        assertThat(oracleDetector.suspects(N1, N2)).isFalse();
        assertThat(oracleDetector.wrongSuspicions()).isEmpty();
    }

    @Test
    void a_mistake_that_came_true_does_not_end_with_the_mistake() {
        oracleDetector.addWrongSuspicion(new Fault.WrongSuspicion(N1, N2));
        oracleDetector.revise(N1, N2);
        oracleDetector.observe(N1, N2, true);
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
        oracleDetector.removeWrongSuspicion(N1, N2);
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
        assertThat(oracleDetector.suspects(N1, N2)).isTrue();
    }

    @Test
    void who_crashes_forgets_whom_it_suspected() {
        oracleDetector.observe(N1, N2, true);
        oracleDetector.revise(N1, N2);
        oracleDetector.forget(N1);
        assertThat(oracleDetector.suspects(N1, N2)).isFalse();
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
    }

    @Test
    void ending_what_was_no_mistake_does_nothing() {
        oracleDetector.removeWrongSuspicion(N1, N2);
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
    }
}
