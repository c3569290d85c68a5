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
    void the_oracle_has_the_delay_of_the_world_or_is_disabled() {
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
    void a_peer_reported_down_changes_to_suspected_once() {
        oracleDetector.onNotice(N1, N2, true);
        assertThat(oracleDetector.revise(N1, N2)).isTrue();
        assertThat(oracleDetector.suspects(N1, N2)).isTrue();
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
        oracleDetector.onNotice(N1, N2, false);
        assertThat(oracleDetector.revise(N1, N2)).isTrue();
        assertThat(oracleDetector.suspects(N1, N2)).isFalse();
    }

    @Test
    void suspicions_of_different_nodes_and_peers_are_independent() {
        oracleDetector.onNotice(N1, N2, true);
        oracleDetector.revise(N1, N2);
        assertThat(oracleDetector.revise(N3, N2)).isFalse();
        assertThat(oracleDetector.revise(N1, N3)).isFalse();
        assertThat(oracleDetector.suspects(N3, N2)).isFalse();
        assertThat(oracleDetector.suspects(N2, N1)).isFalse();
    }

    @Test
    void a_wrong_suspicion_lasts_until_it_is_removed() {
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
    void a_wrong_suspicion_of_a_peer_that_crashed_stays_a_suspicion() {
        oracleDetector.addWrongSuspicion(new Fault.WrongSuspicion(N1, N2));
        oracleDetector.revise(N1, N2);
        oracleDetector.onNotice(N1, N2, true);
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
        oracleDetector.removeWrongSuspicion(N1, N2);
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
        assertThat(oracleDetector.suspects(N1, N2)).isTrue();
    }

    @Test
    void a_crashed_node_forgets_its_suspicions() {
        oracleDetector.onNotice(N1, N2, true);
        oracleDetector.revise(N1, N2);
        oracleDetector.forget(N1);
        assertThat(oracleDetector.suspects(N1, N2)).isFalse();
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
    }

    @Test
    void removing_a_suspicion_that_does_not_exist_has_no_effect() {
        oracleDetector.removeWrongSuspicion(N1, N2);
        assertThat(oracleDetector.revise(N1, N2)).isFalse();
    }
}
