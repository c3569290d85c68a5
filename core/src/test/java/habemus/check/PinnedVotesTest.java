package habemus.check;

import static habemus.Given.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.mutex.Maekawa;
import habemus.mutex.MaekawaDeadlockFree;
import habemus.mutex.Majority;
import habemus.mutex.Quorum;
import habemus.mutex.VotingSets;
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How large the small worlds of algorithms with votes are, and what the larger ones say where small ones lie. */
class PinnedVotesTest {

    private static final MaekawaDeadlockFree DEADLOCK_FREE = new MaekawaDeadlockFree(new VotingSets.Smallest());

    private static final Property[] ALL_BUT_ORDER = {
        Property.MUTUAL_EXCLUSION, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION, Property.FENCES_GROW
    };

    private static Quorum quorum(boolean durable) {
        return new Quorum(new Majority(3, 2), durable, Duration.ofMillis(500), Duration.ZERO);
    }

    @Test
    void maekawa_is_exclusive_and_deadlocks() {
        var report = Checker.check(
                new Maekawa(new VotingSets.Smallest()),
                Scope.of(Topology.complete(3)).unordered().entering(2),
                ALL_BUT_ORDER);
        assertSize(report, 6_084, 15_333);
        assertThat(verdicts(report)).containsExactly(Verdict.HOLDS, Verdict.VIOLATED, Verdict.VIOLATED, Verdict.HOLDS);
    }

    @Test
    void maekawa_without_deadlock_in_a_small_world() {
        var report = Checker.check(DEADLOCK_FREE, Scope.of(Topology.complete(3)).entering(2), ALL_BUT_ORDER);
        assertSize(report, 43_294, 100_103);
        assertThat(verdicts(report)).containsOnly(Verdict.HOLDS);
    }

    /** Seven nodes with three voters each, of which three ask. */
    @Test
    void maekawa_without_deadlock_in_a_larger_world() {
        var scope = Scope.of(Topology.complete(7)).calling(nodes(1, 2, 3), 1);
        var report = Checker.check(DEADLOCK_FREE, scope, ALL_BUT_ORDER);
        assertSize(report, 8_024, 27_420);
        assertThat(verdicts(report)).containsOnly(Verdict.HOLDS);
    }

    @Test
    void a_coordinator_that_forgets_its_grant_lets_two_in() {
        var report = Checker.check(quorum(false), restart(), ALL_BUT_ORDER);
        assertSize(report, 32_965, 102_324);
        assertThat(report.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.verdict(Property.FENCES_GROW)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_coordinator_that_saves_its_grant_does_not() {
        var report = Checker.check(quorum(true), restart(), ALL_BUT_ORDER);
        assertSize(report, 40_325, 129_283);
        assertIsSafe(report);
    }

    private static Scope restart() {
        return Scope.of(Topology.complete(3))
                .calling(nodes(1, 3), 1)
                .ringing(0)
                .allowing(Hazard.CRASH, 1)
                .allowing(Hazard.RESTART, 1);
    }

    /** With everybody a client or a coordinator, and nobody both; somebody may give up once. */
    @Test
    void quorum_in_a_larger_world() {
        var scope = Scope.of(Topology.complete(5)).calling(nodes(4, 5), 1).ringing(1);
        var report = Checker.check(quorum(false), scope, ALL_BUT_ORDER);
        assertSize(report, 93_480, 408_686);
        assertIsSafe(report);
    }

    /** Whether everybody gets in is left open where too few alarms may ring. */
    private static void assertIsSafe(Report report) {
        assertThat(report.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.FENCES_GROW)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.NO_STARVATION)).isEqualTo(Verdict.OPEN);
    }

    private static List<Verdict> verdicts(Report report) {
        return List.of(ALL_BUT_ORDER).stream().map(report::verdict).toList();
    }

    private static void assertSize(Report report, long states, long transitions) {
        assertThat(report.complete()).isTrue();
        assertThat(List.of(report.states(), report.transitions())).containsExactly(states, transitions);
    }
}
