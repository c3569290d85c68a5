package habemus.check;

import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.mutex.Maekawa;
import habemus.mutex.MaekawaDeadlockFree;
import habemus.mutex.MajorityQuorum;
import habemus.mutex.Quorum;
import habemus.mutex.VotingSets;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How large the small worlds of algorithms with votes are, and what the larger ones say where small ones lie. */
class PinnedQuorumsTest {

    private static final MaekawaDeadlockFree DEADLOCK_FREE = new MaekawaDeadlockFree(new VotingSets.Smallest());

    private static final Property[] ALL_BUT_ORDER = {
        Property.MUTUAL_EXCLUSION, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION, Property.FENCES_GROW
    };

    private static Quorum quorum(boolean durable) {
        return new Quorum(new MajorityQuorum(3, 2), durable, Duration.ofMillis(500), Duration.ZERO);
    }

    @Test
    void maekawa_is_exclusive_and_deadlocks() {
        var checkReport = ModelChecker.check(
                new Maekawa(new VotingSets.Smallest()),
                Scope.of(Topology.complete(3)).withUnorderedLinks().withRequestsPerNode(2),
                ALL_BUT_ORDER);
        assertSize(checkReport, 6_084, 15_333);
        assertThat(verdicts(checkReport))
                .containsExactly(Verdict.HOLDS, Verdict.VIOLATED, Verdict.VIOLATED, Verdict.HOLDS);
    }

    @Test
    void maekawa_without_deadlock_in_a_small_world() {
        var checkReport =
                ModelChecker.check(DEADLOCK_FREE, Scope.of(Topology.complete(3)).withRequestsPerNode(2), ALL_BUT_ORDER);
        assertSize(checkReport, 43_294, 100_103);
        assertThat(verdicts(checkReport)).containsOnly(Verdict.HOLDS);
    }

    /** Seven nodes with three voters each, of which three ask. */
    @Test
    void maekawa_without_deadlock_in_a_larger_world() {
        var scope = Scope.of(Topology.complete(7)).withRequests(nodes(1, 2, 3), 1);
        var checkReport = ModelChecker.check(DEADLOCK_FREE, scope, ALL_BUT_ORDER);
        assertSize(checkReport, 8_024, 27_420);
        assertThat(verdicts(checkReport)).containsOnly(Verdict.HOLDS);
    }

    @Test
    void a_coordinator_that_forgets_its_grant_lets_two_in() {
        var checkReport = ModelChecker.check(quorum(false), restart(), ALL_BUT_ORDER);
        assertSize(checkReport, 32_965, 102_324);
        assertThat(checkReport.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
        assertThat(checkReport.verdict(Property.FENCES_GROW)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_coordinator_that_saves_its_grant_does_not() {
        var checkReport = ModelChecker.check(quorum(true), restart(), ALL_BUT_ORDER);
        assertSize(checkReport, 40_325, 129_283);
        assertIsSafe(checkReport);
    }

    private static Scope restart() {
        return Scope.of(Topology.complete(3))
                .withRequests(nodes(1, 3), 1)
                .withMaxTimeouts(0)
                .withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.RESTART, 1);
    }

    /** With everybody a client or a coordinator, and nobody both; somebody may give up once. */
    @Test
    void quorum_in_a_larger_world() {
        var scope = Scope.of(Topology.complete(5)).withRequests(nodes(4, 5), 1).withMaxTimeouts(1);
        var checkReport = ModelChecker.check(quorum(false), scope, ALL_BUT_ORDER);
        assertSize(checkReport, 93_480, 408_686);
        assertIsSafe(checkReport);
    }

    /** Whether everybody gets in is left open where too few alarms may ring. */
    private static void assertIsSafe(CheckReport checkReport) {
        assertThat(checkReport.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(checkReport.verdict(Property.FENCES_GROW)).isEqualTo(Verdict.HOLDS);
        assertThat(checkReport.verdict(Property.NO_STARVATION)).isEqualTo(Verdict.OPEN);
    }

    private static List<Verdict> verdicts(CheckReport checkReport) {
        return List.of(ALL_BUT_ORDER).stream().map(checkReport::verdict).toList();
    }

    private static void assertSize(CheckReport checkReport, long states, long transitions) {
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(List.of(checkReport.states(), checkReport.transitions())).containsExactly(states, transitions);
    }
}
