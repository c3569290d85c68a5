package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.Checker;
import habemus.check.Report;
import habemus.check.Scope;
import habemus.world.Hazard;
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
class FencedTest {

    private static final int SEEDS = 300;
    private static final int MORE_ALARMS = 14;

    private static Set<String> broken(Trials.Trial trial, long seed) {
        var lock = Ledger.lock(trial.services(), Trials.LEASE, trial.reign(), trial.aim(), trial.tolerance());
        var ledger = new Ledger(Trials.LEASE);
        var broken = new TreeSet<>(Trials.broken(lock, trial, seed, ledger, ledger::end));
        broken.addAll(ledger.broken());
        return broken;
    }

    static Stream<String> trials() {
        return Trials.byHand().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("trials")
    void keeps_its_promises_when(String trouble) {
        var trial = Trials.byHand().get(trouble);
        assertThat(broken(trial, 1)).isEmpty();
    }

    @Test
    void no_seed_breaks_a_promise() {
        var broken = new TreeMap<Long, Set<String>>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            var trial = Trials.bySeed(seed);
            var found = broken(trial, seed);
            if (!found.isEmpty()) {
                broken.put(seed, found);
            }
        }
        assertThat(broken).isEmpty();
    }

    /** Two clients, one node of the service: all that can happen before so many alarms have rung. */
    private static Report check(int alarms, Hazard... hazards) {
        return check(Topology.complete(4), alarms, hazards);
    }

    /** Whoever is neither the log nor the node is a client. */
    private static Report check(Topology topology, int alarms, Hazard... hazards) {
        var scope = Scope.of(topology).synchronous().ringing(alarms);
        for (var hazard : hazards) {
            scope = scope.allowing(hazard, 1);
        }
        return Checker.check(
                new Fenced(1, Duration.ofMillis(400), Duration.ZERO, Fenced.Aim.ONE, Duration.ZERO),
                scope,
                Property.MUTUAL_EXCLUSION,
                Property.FENCES_GROW,
                Property.TOLD_BEFORE_REGRANTED);
    }

    private static void holds(Report report) {
        assertThat(report.complete()).isTrue();
        assertThat(report.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }

    @Test
    void every_run_of_two_clients_that_is_short_enough_keeps_them_apart() {
        holds(check(0));
        holds(check(0, Hazard.DUPLICATION));
        holds(check(0, Hazard.LOSS));
        holds(check(1, Hazard.PAUSE));
        holds(check(2, Hazard.CRASH, Hazard.RESTART));
    }

    @Test
    void every_run_of_one_client_with_more_alarms_keeps_the_promises() {
        var report = check(Topology.complete(3), MORE_ALARMS, Hazard.CRASH, Hazard.RESTART);
        holds(report);
        assertThat(report.states()).isEqualTo(24_063);
    }

    @Test
    void the_worlds_are_as_large_as_ever() {
        assertThat(check(0).states()).isEqualTo(614);
        assertThat(check(0, Hazard.DUPLICATION).states()).isEqualTo(14_586);
        assertThat(check(2, Hazard.CRASH, Hazard.RESTART).states()).isEqualTo(28_654);
    }
}
