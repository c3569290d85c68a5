package habemus.check;

import static habemus.ProtocolFixture.nodes;
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

/** How large the small worlds of the elections are in which the best or the oldest of those that live leads. */
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
        return new CollectingRing(Ranking.BY_NUMBER, false, suppress);
    }

    private static Scope scope(int nodes) {
        return Scope.of(Topology.complete(nodes));
    }

    @Test
    void ring_in_a_small_world() {
        assertHolds(ModelChecker.check(ring(true), scope(3).withFault(FaultKind.CRASH, 1), ALL), 14_980, 36_551);
    }

    @Test
    void ring_that_removes_no_list_in_a_small_world() {
        assertHolds(ModelChecker.check(ring(false), scope(3).withFault(FaultKind.CRASH, 1), ALL), 49_184, 121_379);
    }

    @Test
    void ring_in_a_larger_world() {
        var scope = scope(4).withRequests(nodes(1, 3), 1).withFault(FaultKind.CRASH, 1);
        assertHolds(ModelChecker.check(ring(true), scope, ALL), 11_460, 31_229);
    }

    @Test
    void bully_efficient_in_a_small_world() {
        assertHolds(
                ModelChecker.check(
                        EFFICIENT, scope(3).withFault(FaultKind.CRASH, 1).synchronous(), ALL),
                7_791,
                19_902);
    }

    @Test
    void bully_efficient_in_a_larger_world() {
        var scope = scope(4).withRequests(nodes(1, 2), 1)
                .withFault(FaultKind.CRASH, 1)
                .synchronous();
        assertHolds(ModelChecker.check(EFFICIENT, scope, ALL), 20_132, 58_118);
    }

    @Test
    void bully_stable_in_a_small_world() {
        assertHolds(
                ModelChecker.check(
                        STABLE, scope(3).withFault(FaultKind.CRASH, 1).synchronous(), ALL),
                12_314,
                42_618);
    }

    /** Who leads in the end need not be the best then. */
    @Test
    void bully_stable_keeps_its_leader_when_nodes_come_back() {
        var scope = scope(3).withRequests(nodes(1, 3), 1)
                .withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.RESTART, 1)
                .synchronous();
        var checkReport = ModelChecker.check(STABLE, scope, ALL);
        assertSize(checkReport, 48_668, 156_766);
        assertThat(verdicts(checkReport))
                .containsExactly(Verdict.HOLDS, Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS);
    }

    @Test
    void max_alive_in_a_small_world() {
        assertHolds(ModelChecker.check(MAX_ALIVE, scope(3).withFault(FaultKind.CRASH, 2), ALL), 208, 568);
    }

    @Test
    void max_alive_has_one_leader_in_the_end_when_nodes_come_back_and_are_suspected_by_mistake() {
        var scope = scope(4).withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.RESTART, 1)
                .withFault(FaultKind.MISTAKE, 1)
                .withRequests(nodes(1), 1);
        var checkReport = ModelChecker.check(MAX_ALIVE, scope, ALL);
        assertSize(checkReport, 2_296, 7_974);
        assertThat(verdicts(checkReport))
                .containsExactly(Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED);
    }

    private static List<Verdict> verdicts(CheckReport checkReport) {
        return List.of(ALL).stream().map(checkReport::verdict).toList();
    }

    private static void assertHolds(CheckReport checkReport, long states, long transitions) {
        assertSize(checkReport, states, transitions);
        assertThat(verdicts(checkReport)).containsOnly(Verdict.HOLDS);
    }

    private static void assertSize(CheckReport checkReport, long states, long transitions) {
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(List.of(checkReport.states(), checkReport.transitions())).containsExactly(states, transitions);
    }
}
