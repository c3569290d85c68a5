package habemus.check;

import static habemus.Given.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.election.BullyEfficient;
import habemus.election.BullyStable;
import habemus.election.MaxAlive;
import habemus.election.Ring;
import habemus.protocol.Ranking;
import habemus.world.Hazard;
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

    private static Ring ring(boolean suppress) {
        return new Ring(Ranking.BY_NUMBER, false, suppress);
    }

    private static Scope scope(int nodes) {
        return Scope.of(Topology.complete(nodes));
    }

    @Test
    void ring_in_a_small_world() {
        assertHolds(Checker.check(ring(true), scope(3).allowing(Hazard.CRASH, 1), ALL), 14_980, 36_551);
    }

    @Test
    void ring_that_removes_no_list_in_a_small_world() {
        assertHolds(Checker.check(ring(false), scope(3).allowing(Hazard.CRASH, 1), ALL), 49_184, 121_379);
    }

    @Test
    void ring_in_a_larger_world() {
        var scope = scope(4).calling(nodes(1, 3), 1).allowing(Hazard.CRASH, 1);
        assertHolds(Checker.check(ring(true), scope, ALL), 11_460, 31_229);
    }

    @Test
    void bully_efficient_in_a_small_world() {
        assertHolds(Checker.check(EFFICIENT, scope(3).allowing(Hazard.CRASH, 1).synchronous(), ALL), 7_791, 19_902);
    }

    @Test
    void bully_efficient_in_a_larger_world() {
        var scope = scope(4).calling(nodes(1, 2), 1).allowing(Hazard.CRASH, 1).synchronous();
        assertHolds(Checker.check(EFFICIENT, scope, ALL), 20_132, 58_118);
    }

    @Test
    void bully_stable_in_a_small_world() {
        assertHolds(Checker.check(STABLE, scope(3).allowing(Hazard.CRASH, 1).synchronous(), ALL), 12_314, 42_618);
    }

    /** Who leads in the end need not be the best then. */
    @Test
    void bully_stable_keeps_its_leader_when_nodes_come_back() {
        var scope = scope(3).calling(nodes(1, 3), 1)
                .allowing(Hazard.CRASH, 1)
                .allowing(Hazard.RESTART, 1)
                .synchronous();
        var report = Checker.check(STABLE, scope, ALL);
        assertSize(report, 48_668, 156_766);
        assertThat(verdicts(report))
                .containsExactly(Verdict.HOLDS, Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS);
    }

    @Test
    void max_alive_in_a_small_world() {
        assertHolds(Checker.check(MAX_ALIVE, scope(3).allowing(Hazard.CRASH, 2), ALL), 208, 568);
    }

    @Test
    void max_alive_has_one_leader_in_the_end_when_nodes_come_back_and_are_suspected_by_mistake() {
        var scope = scope(4).allowing(Hazard.CRASH, 1)
                .allowing(Hazard.RESTART, 1)
                .allowing(Hazard.MISTAKE, 1)
                .calling(nodes(1), 1);
        var report = Checker.check(MAX_ALIVE, scope, ALL);
        assertSize(report, 2_296, 7_974);
        assertThat(verdicts(report))
                .containsExactly(Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED);
    }

    private static List<Verdict> verdicts(Report report) {
        return List.of(ALL).stream().map(report::verdict).toList();
    }

    private static void assertHolds(Report report, long states, long transitions) {
        assertSize(report, states, transitions);
        assertThat(verdicts(report)).containsOnly(Verdict.HOLDS);
    }

    private static void assertSize(Report report, long states, long transitions) {
        assertThat(report.complete()).isTrue();
        assertThat(List.of(report.states(), report.transitions())).containsExactly(states, transitions);
    }
}
