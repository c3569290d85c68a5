package habemus.threads;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.smallscope.CommandLineScope;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the checker says about every interleaving of every program, and how many states it visits. */
class ThreadProgramsTest {

    private static CheckReport check(String world, CheckOptions options) {
        var scope = CommandLineScope.parse(world);
        return ModelChecker.check(scope.protocol(), scope.scope().withOptions(options));
    }

    private static CheckReport check(String world) {
        return check(world, CheckOptions.defaults());
    }

    private static String names(CheckReport report, Verdict verdict) {
        return report.findings().stream()
                .filter(finding -> finding.verdict() == verdict)
                .map(CheckReport.Finding::name)
                .collect(joining(" "));
    }

    private static String results(CheckReport report) {
        return report.programResults().stream()
                .map(result -> Long.toString(result.value()))
                .collect(joining(" "));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            shared-counter                                            |    41 | no-lost-update
            shared-counter --rounds 2                                 |   296 | no-lost-update
            shared-counter --threads 3                                |   533 | no-lost-update
            put-if-absent                                             |    37 | linearizable
            lost-wakeup                                               |   114 | deadlock-freedom no-starvation no-lost-wakeup
            lost-wakeup --variant no-check                            |    62 | deadlock-freedom no-starvation no-lost-wakeup
            lost-wakeup --variant if --threads 3                      |  1767 | linearizable
            busy-waiting                                              |    13 | deadlock-freedom no-starvation
            lock-order                                                |   138 | deadlock-freedom no-starvation
            lock-order --variant try-lock                             |   200 | deadlock-freedom no-starvation
            lock-order --variant back-off                             |   241 | deadlock-freedom no-starvation
            dining-philosophers                                       |   624 | deadlock-freedom no-starvation
            dining-philosophers --variant try-lock                    |  1292 | deadlock-freedom no-starvation
            producer-consumer                                         |  1625 | deadlock-freedom no-starvation no-lost-wakeup
            producer-consumer --variant if                            |  2099 | linearizable
            readers-writers                                           |  2560 | no-starvation
            semaphore                                                 |   238 | mutual-exclusion
            semaphore --variant monitor-if --threads 3                |  5355 | mutual-exclusion
            barrier                                                   |   165 | deadlock-freedom no-starvation no-lost-wakeup
            barrier --variant no-reset --rounds 2                     |   604 | protocol-bug
            relay --variant no-turns --threads 2 --characters 3       |   478 | no-lost-update
            relay --variant end-without-passing --threads 3 --characters 4 | 259 | deadlock-freedom no-starvation
            """)
    void a_broken_variant_violates_what_its_textbook_says(String world, long states, String violated) {
        var report = check(world);
        assertThat(names(report, Verdict.VIOLATED)).isEqualTo(violated);
        assertThat(report.states()).isEqualTo(states);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            shared-counter --variant lock-each --rounds 2             |   297
            shared-counter --variant lock-loop --rounds 2             |    93
            shared-counter --variant atomic --rounds 2                |    63
            shared-counter --variant compare-and-set --rounds 2       |   233
            shared-counter --variant thread-local --rounds 2          |    13
            put-if-absent --variant lock                              |    53
            put-if-absent --variant atomic                            |    13
            lost-wakeup --variant while --threads 3                   |  1559
            busy-waiting --variant volatile                           |    18
            lock-order --variant ordered                              |   129
            lock-order --variant back-off --timing synchronous        |   310
            lock-order --variant lock-all                             |    93
            dining-philosophers --variant ordered                     |   555
            dining-philosophers --variant back-off --timing synchronous | 2164
            dining-philosophers --variant lock-all                    |   129
            producer-consumer --variant while                         |  1627
            readers-writers --variant fair                            |  9024
            semaphore --variant monitor-while --threads 3             |  2871
            semaphore --variant semaphore --threads 3 --permits 2     |   327
            barrier --variant generation --rounds 2                   |   621
            relay --threads 3                                         |  4647
            """)
    void a_correct_variant_violates_nothing(String world, long states) {
        var report = check(world);
        assertThat(report.findings())
                .isNotEmpty()
                .allMatch(finding -> finding.verdict() == Verdict.HOLDS, names(report, Verdict.VIOLATED));
        assertThat(report.isComplete()).isTrue();
        assertThat(report.states()).isEqualTo(states);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            shared-counter                                            | 1 2
            shared-counter --rounds 2                                 | 2 3 4
            shared-counter --rounds 3                                 | 2 3 4 5 6
            shared-counter --threads 3                                | 1 2 3
            shared-counter --threads 3 --rounds 2                     | 2 3 4 5 6
            shared-counter --variant lock-each --rounds 2             | 4
            shared-counter --variant compare-and-set --threads 3      | 3
            put-if-absent --threads 3                                 | 1 2 3
            """)
    void the_checker_finds_every_final_value(String world, String results) {
        assertThat(results(check(world))).isEqualTo(results);
    }

    @Test
    void the_run_to_a_final_value_ends_with_it() {
        for (var result : check("shared-counter --rounds 2").programResults()) {
            assertThat(result.trace().stream()
                            .filter(event -> event instanceof TraceEvent.NodeStep step
                                    && step.state() instanceof Memory.Variable)
                            .map(event -> (Memory.Variable) ((TraceEvent.NodeStep) event).state())
                            .reduce((first, last) -> last))
                    .hasValueSatisfying(last -> assertThat(last.value()).isEqualTo((int) result.value()));
        }
    }

    @ParameterizedTest
    @CsvSource({"shared-counter --rounds 2", "lock-order", "semaphore", "lost-wakeup --variant while --threads 3"})
    void a_reduced_search_finds_the_same(String world) {
        var whole = check(world);
        var reduced = check(world, CheckOptions.defaults().withOrderReduction().withSymmetryReduction());
        assertThat(names(reduced, Verdict.VIOLATED)).isEqualTo(names(whole, Verdict.VIOLATED));
        assertThat(results(reduced)).isEqualTo(results(whole));
        assertThat(reduced.states()).isLessThan(whole.states());
    }
}
