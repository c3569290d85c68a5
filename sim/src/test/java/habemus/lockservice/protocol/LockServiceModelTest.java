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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The production lock as a whole, in trouble. */
class LockServiceModelTest {

    private static final int SEEDS = 300;
    private static final int MORE_ALARMS = 14;

    private static Set<String> broken(ModelScenarios.Scenario scenario, long seed) {
        var lock = GrantHistory.lock(
                scenario.services(), ModelScenarios.LEASE, scenario.reign(), scenario.aim(), scenario.tolerance());
        var grantHistory = new GrantHistory(ModelScenarios.LEASE);
        var broken = new TreeSet<>(ModelScenarios.broken(lock, scenario, seed, grantHistory, grantHistory::end));
        broken.addAll(grantHistory.broken());
        return broken;
    }

    static Stream<String> trials() {
        return ModelScenarios.byHand().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("trials")
    void keeps_its_promises_when(String trouble) {
        var scenario = ModelScenarios.byHand().get(trouble);
        assertThat(broken(scenario, 1)).isEmpty();
    }

    @Test
    void no_seed_breaks_a_promise() {
        var broken = new TreeMap<Long, Set<String>>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            var scenario = ModelScenarios.bySeed(seed);
            var found = broken(scenario, seed);
            if (!found.isEmpty()) {
                broken.put(seed, found);
            }
        }
        assertThat(broken).isEmpty();
    }

    /** Two clients, one node of the service: all that can happen before so many alarms have rung. */
    private static CheckReport check(int alarms, FaultKind... faultKinds) {
        return check(Topology.complete(4), alarms, faultKinds);
    }

    /** Whoever is neither the log nor the node is a client. */
    private static CheckReport check(Topology topology, int alarms, FaultKind... faultKinds) {
        var scope = Scope.of(topology).synchronous().withMaxTimeouts(alarms);
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

    private static void holds(CheckReport checkReport) {
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }

    @Test
    void every_run_of_two_clients_that_is_short_enough_keeps_them_apart() {
        holds(check(0));
        holds(check(0, FaultKind.DUPLICATION));
        holds(check(0, FaultKind.LOSS));
        holds(check(1, FaultKind.PAUSE));
        holds(check(2, FaultKind.CRASH, FaultKind.RESTART));
    }

    @Test
    void every_run_of_one_client_with_more_alarms_keeps_the_promises() {
        var checkReport = check(Topology.complete(3), MORE_ALARMS, FaultKind.CRASH, FaultKind.RESTART);
        holds(checkReport);
        assertThat(checkReport.states()).isEqualTo(24_063);
    }

    @Test
    void the_worlds_are_as_large_as_ever() {
        assertThat(check(0).states()).isEqualTo(614);
        assertThat(check(0, FaultKind.DUPLICATION).states()).isEqualTo(14_586);
        assertThat(check(2, FaultKind.CRASH, FaultKind.RESTART).states()).isEqualTo(28_654);
    }
}
