package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.mutex.Central;
import habemus.mutex.Raymond;
import habemus.mutex.SuzukiKasami;
import habemus.mutex.TokenRing;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pins the state counts of the coordinator and of the token algorithms, with one larger scope of each. */
class PinnedTokensTest {

    private static final Scope THREE = Scope.of(Topology.complete(3)).withRequestsPerNode(2);
    private static final Property[] SAFE = {Property.MUTUAL_EXCLUSION, Property.FENCES_GROW};

    private static Scope callers(int size, int... numbers) {
        var callers = NodeSet.NONE;
        for (int number : numbers) {
            callers = callers.with(new NodeId(number));
        }
        return Scope.of(Topology.complete(size)).withRequests(callers, 2);
    }

    @Test
    void central() {
        var plain = new Central(Duration.ZERO, false);
        assertSize(ModelChecker.check(plain, THREE, SAFE), 1_988, 3_652);
        assertSize(ModelChecker.check(plain, callers(7, 3, 5, 7), SAFE), 3_206, 6_414);
    }

    @Test
    void central_with_a_lease() {
        var leased = new Central(Duration.ofMillis(100), false);
        var scope = THREE.withFault(FaultKind.CRASH, 1).synchronous();
        assertSize(ModelChecker.check(leased, scope, SAFE), 9_015, 23_564);
    }

    @Test
    void token_ring() {
        assertSize(ModelChecker.check(new TokenRing(false), THREE, SAFE), 525, 1_095);
        assertSize(ModelChecker.check(new TokenRing(false), callers(7, 1, 4, 7), SAFE), 1_025, 2_195);
    }

    @Test
    void token_ring_that_regenerates() {
        var crash = Scope.of(Topology.complete(3)).withFault(FaultKind.CRASH, 1);
        assertSize(ModelChecker.check(new TokenRing(true), crash, SAFE), 12_655, 32_014);
        var larger = Scope.of(Topology.complete(4))
                .withRequests(NodeSet.of(new NodeId(2), new NodeId(4)), 1)
                .withFault(FaultKind.CRASH, 1);
        assertSize(ModelChecker.check(new TokenRing(true), larger, SAFE), 53_499, 147_016);
    }

    @Test
    void suzuki_and_kasami() {
        assertSize(ModelChecker.check(new SuzukiKasami(), THREE, SAFE), 15_286, 48_689);
        assertSize(ModelChecker.check(new SuzukiKasami(), callers(5, 2, 5), SAFE), 12_789, 59_704);
    }

    @Test
    void raymond() {
        assertSize(ModelChecker.check(new Raymond(), THREE, SAFE), 1_866, 3_442);
        assertSize(ModelChecker.check(new Raymond(), callers(7, 3, 4, 7), SAFE), 3_737, 7_394);
    }

    private static void assertSize(CheckReport report, long states, long transitions) {
        StateCounts.assertSize(report, states, transitions);
        assertThat(report.hasViolation()).isFalse();
    }
}
