package habemus.lockservice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.ModelChecker;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The guarantees of the lock service model in simulated scenarios and under the checker. */
@Tag("slow")
class LockServiceModelTest {

    private static final int SEEDS = 300;
    private static final int MAX_TIMEOUTS = 14;

    private static Set<String> violations(ModelScenarios.Scenario scenario, long seed) {
        var model = GrantHistory.model(
                scenario.servers(),
                ModelScenarios.LEASE,
                scenario.leaderChangeInterval(),
                scenario.goal(),
                scenario.revokeAfter());
        var grantHistory = new GrantHistory(ModelScenarios.LEASE);
        var violations =
                new TreeSet<>(ModelScenarios.violations(model, scenario, seed, grantHistory, grantHistory::end));
        violations.addAll(grantHistory.violations());
        return violations;
    }

    static Stream<String> scenarios() {
        return ModelScenarios.byHand().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_guarantees_hold_when(String scenarioName) {
        var scenario = ModelScenarios.byHand().get(scenarioName);
        assertThat(violations(scenario, 1)).isEmpty();
    }

    @Test
    void the_guarantees_hold_in_random_scenarios() {
        var violations = new TreeMap<Long, Set<String>>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            var scenario = ModelScenarios.bySeed(seed);
            var found = violations(scenario, seed);
            if (!found.isEmpty()) {
                violations.put(seed, found);
            }
        }
        assertThat(violations).isEmpty();
    }

    /** Checks two clients with one lock server, in all runs with at most this many timeouts. */
    private static CheckReport check(int timeouts, FaultKind... faultKinds) {
        return check(Topology.complete(4), timeouts, faultKinds);
    }

    /** Checks all nodes except log and lock server as clients. */
    private static CheckReport check(Topology topology, int timeouts, FaultKind... faultKinds) {
        var scope = Scope.of(topology).synchronous().withMaxTimeouts(timeouts);
        for (var faultKind : faultKinds) {
            scope = scope.withFault(faultKind, 1);
        }
        return ModelChecker.check(
                new LockServiceModel(
                        1, Duration.ofMillis(400), Duration.ZERO, LockServiceModel.Goal.ONE_LOCK, Duration.ZERO),
                scope,
                Property.MUTUAL_EXCLUSION,
                Property.FENCES_GROW,
                Property.NOTIFIED_BEFORE_REGRANTED);
    }

    private static void holds(CheckReport report) {
        assertThat(report.isComplete()).isTrue();
        assertThat(report.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }

    @Test
    void two_clients_never_hold_the_lock_at_once_in_any_short_run() {
        holds(check(0));
        holds(check(0, FaultKind.DUPLICATION));
        holds(check(0, FaultKind.LOSS));
        holds(check(1, FaultKind.PAUSE));
        holds(check(2, FaultKind.CRASH, FaultKind.RESTART));
    }

    @Test
    void the_guarantees_hold_in_every_run_of_one_client_with_more_timeouts() {
        var report = check(Topology.complete(3), MAX_TIMEOUTS, FaultKind.CRASH, FaultKind.RESTART);
        holds(report);
        assertThat(report.states()).isEqualTo(24_063);
    }

    @Test
    void the_number_of_states_does_not_change() {
        assertThat(check(0).states()).isEqualTo(614);
        assertThat(check(0, FaultKind.DUPLICATION).states()).isEqualTo(14_586);
        assertThat(check(2, FaultKind.CRASH, FaultKind.RESTART).states()).isEqualTo(28_654);
    }
}
