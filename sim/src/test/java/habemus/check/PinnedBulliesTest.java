package habemus.check;

import static habemus.ProtocolFixture.nodes;
import static habemus.check.StateCounts.assertSize;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.election.BullyEfficient;
import habemus.election.BullyStable;
import habemus.election.CollectingRing;
import habemus.election.MaxAlive;
import habemus.protocol.Ranking;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins the state counts of the elections in which the best or the oldest live node leads. */
class PinnedBulliesTest {

    private static final Property[] ALL = {
        Property.TERMINATION, Property.UNIQUENESS, Property.AGREEMENT, Property.BEST_WINS, Property.STABILITY
    };
    private static final Duration ANSWER = Duration.ofMillis(100);
    private static final Duration COORDINATOR = Duration.ofMillis(500);
    private static final BullyEfficient EFFICIENT = new BullyEfficient(Ranking.BY_NUMBER, ANSWER, COORDINATOR);
    private static final BullyStable STABLE = new BullyStable(Ranking.BY_NUMBER, ANSWER, COORDINATOR);
    private static final MaxAlive MAX_ALIVE = new MaxAlive(Ranking.BY_NUMBER);

    private static CollectingRing ring(boolean suppress) {
        return new CollectingRing(Ranking.BY_NUMBER, suppress);
    }

    private static Scope scope(int nodes) {
        return Scope.of(Topology.complete(nodes));
    }

    @Test
    void collecting_ring_in_a_small_scope() {
        assertHolds(ModelChecker.check(ring(true), scope(3).withFault(FaultKind.CRASH, 1), ALL), 14_980, 36_551);
    }

    @Test
    void collecting_ring_that_removes_no_list_in_a_small_scope() {
        assertHolds(ModelChecker.check(ring(false), scope(3).withFault(FaultKind.CRASH, 1), ALL), 49_184, 121_379);
    }

    @Test
    void collecting_ring_in_a_larger_scope() {
        var scope = scope(4).withRequests(nodes(1, 3), 1).withFault(FaultKind.CRASH, 1);
        assertHolds(ModelChecker.check(ring(true), scope, ALL), 11_460, 31_229);
    }

    @Test
    void bully_efficient_in_a_small_scope() {
        assertHolds(
                ModelChecker.check(
                        EFFICIENT, scope(3).withFault(FaultKind.CRASH, 1).synchronous(), ALL),
                7_791,
                19_902);
    }

    @Test
    void bully_efficient_in_a_larger_scope() {
        var scope = scope(4).withRequests(nodes(1, 2), 1)
                .withFault(FaultKind.CRASH, 1)
                .synchronous();
        assertHolds(ModelChecker.check(EFFICIENT, scope, ALL), 20_132, 58_118);
    }

    @Test
    void bully_stable_in_a_small_scope() {
        assertHolds(
                ModelChecker.check(
                        STABLE, scope(3).withFault(FaultKind.CRASH, 1).synchronous(), ALL),
                12_314,
                42_618);
    }

    /** The final leader need not be the best node then. */
    @Test
    void bully_stable_keeps_its_leader_when_nodes_restart() {
        var scope = scope(3).withRequests(nodes(1, 3), 1)
                .withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.RESTART, 1)
                .synchronous();
        var report = ModelChecker.check(STABLE, scope, ALL);
        assertSize(report, 48_668, 156_766);
        assertThat(verdicts(report))
                .containsExactly(Verdict.HOLDS, Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS);
    }

    @Test
    void max_alive_in_a_small_scope() {
        assertHolds(ModelChecker.check(MAX_ALIVE, scope(3).withFault(FaultKind.CRASH, 2), ALL), 208, 568);
    }

    @Test
    void max_alive_eventually_has_one_leader_despite_restarts_and_wrong_suspicions() {
        var scope = scope(4).withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.RESTART, 1)
                .withFault(FaultKind.MISTAKE, 1)
                .withRequests(nodes(1), 1);
        var report = ModelChecker.check(MAX_ALIVE, scope, ALL);
        assertSize(report, 2_296, 7_974);
        assertThat(verdicts(report))
                .containsExactly(Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED);
    }

    private static List<Verdict> verdicts(CheckReport report) {
        return List.of(ALL).stream().map(report::verdict).toList();
    }

    private static void assertHolds(CheckReport report, long states, long transitions) {
        assertSize(report, states, transitions);
        assertThat(verdicts(report)).containsOnly(Verdict.HOLDS);
    }
}
