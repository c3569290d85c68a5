package habemus.check;

import static habemus.ProtocolFixture.nodes;
import static habemus.check.StateCounts.assertSize;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.mutex.Maekawa;
import habemus.mutex.MaekawaDeadlockFree;
import habemus.mutex.MajorityQuorum;
import habemus.mutex.Quorum;
import habemus.mutex.RequestNumbers;
import habemus.mutex.VotingSets;
import habemus.world.FaultKind;
import habemus.world.ObservableEvent;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins the state counts of the quorum algorithms; some verdicts need a larger scope. */
class PinnedQuorumsTest {

    private static final MaekawaDeadlockFree DEADLOCK_FREE = new MaekawaDeadlockFree(new VotingSets.Smallest());

    private static final Property[] ALL_BUT_ORDER = {
        Property.MUTUAL_EXCLUSION, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION, Property.FENCES_GROW
    };

    private static Quorum quorum(boolean durable) {
        return new Quorum(
                new MajorityQuorum(3, 2), new RequestNumbers(0), durable, Duration.ofMillis(500), Duration.ZERO);
    }

    /** Two nodes, whose request numbers come again after the third: an endless run has finitely many states. */
    private static Quorum retrying(int numbers) {
        return new Quorum(
                new MajorityQuorum(0, 0), new RequestNumbers(numbers), false, Duration.ofMillis(500), Duration.ZERO);
    }

    @Test
    void every_node_enters_in_the_end_if_messages_are_faster_than_the_retry_timer() {
        var scope = Scope.of(Topology.complete(2)).synchronous();
        var report = ModelChecker.check(retrying(3), scope, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION);
        assertSize(report, 140, 656);
        assertThat(report.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }

    /** The lasso is one of the algorithm without a limit of numbers, too: its loop can be played again and again. */
    @Test
    void retries_postpone_a_node_for_ever_if_the_timer_is_early() {
        var scope = Scope.of(Topology.complete(2)).withMaxInFlight(1);
        var report = ModelChecker.check(retrying(3), scope, Property.NO_STARVATION);
        assertSize(report, 1_501, 2_654);
        var finding = report.find(Property.NO_STARVATION.toString()).orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        int loop = finding.loopStart().orElseThrow();
        var moves = finding.schedule().moves();
        int starts = moves.size() - finding.schedule().size();
        var again = new ArrayList<>(moves);
        again.addAll(moves.subList(starts + loop, moves.size()));
        var played = ModelChecker.play(retrying(0), Scope.of(Topology.complete(2)), new Schedule(again));
        assertThat(played.trace())
                .noneMatch(event -> event instanceof TraceEvent.Observed observed
                        && observed.event() instanceof ObservableEvent.Entered);
    }

    @Test
    void maekawa_is_exclusive_and_deadlocks() {
        var report = ModelChecker.check(
                new Maekawa(new VotingSets.Smallest()),
                Scope.of(Topology.complete(3)).withUnorderedLinks().withRequestsPerNode(2),
                ALL_BUT_ORDER);
        assertSize(report, 6_084, 15_333);
        assertThat(verdicts(report)).containsExactly(Verdict.HOLDS, Verdict.VIOLATED, Verdict.VIOLATED, Verdict.HOLDS);
    }

    @Test
    void deadlock_free_maekawa_in_a_small_scope() {
        var report =
                ModelChecker.check(DEADLOCK_FREE, Scope.of(Topology.complete(3)).withRequestsPerNode(2), ALL_BUT_ORDER);
        assertSize(report, 43_294, 100_103);
        assertThat(verdicts(report)).containsOnly(Verdict.HOLDS);
    }

    /** Seven nodes with three voters each; three nodes request. */
    @Test
    void deadlock_free_maekawa_in_a_larger_scope() {
        var scope = Scope.of(Topology.complete(7)).withRequests(nodes(1, 2, 3), 1);
        var report = ModelChecker.check(DEADLOCK_FREE, scope, ALL_BUT_ORDER);
        assertSize(report, 8_024, 27_420);
        assertThat(verdicts(report)).containsOnly(Verdict.HOLDS);
    }

    @Test
    void a_coordinator_that_forgets_its_grant_allows_two_holders() {
        var report = ModelChecker.check(quorum(false), restart(), ALL_BUT_ORDER);
        assertSize(report, 32_965, 102_324);
        assertThat(report.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.verdict(Property.FENCES_GROW)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_coordinator_that_saves_its_grant_keeps_exclusion() {
        var report = ModelChecker.check(quorum(true), restart(), ALL_BUT_ORDER);
        assertSize(report, 40_325, 129_283);
        assertIsSafe(report);
    }

    private static Scope restart() {
        return Scope.of(Topology.complete(3))
                .withRequests(nodes(1, 3), 1)
                .withMaxTimeouts(0)
                .withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.RESTART, 1);
    }

    /** Every node is either a client or a coordinator; one request may time out.  */
    @Test
    void quorum_in_a_larger_scope() {
        var scope = Scope.of(Topology.complete(5)).withRequests(nodes(4, 5), 1).withMaxTimeouts(1);
        var report = ModelChecker.check(quorum(false), scope, ALL_BUT_ORDER);
        assertSize(report, 93_480, 408_686);
        assertIsSafe(report);
    }

    /** The end of a run that needs more timeouts stays open. */
    private static void assertIsSafe(CheckReport report) {
        assertThat(report.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.FENCES_GROW)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.NO_STARVATION)).isEqualTo(Verdict.OPEN);
    }

    private static List<Verdict> verdicts(CheckReport report) {
        return List.of(ALL_BUT_ORDER).stream().map(report::verdict).toList();
    }
}
