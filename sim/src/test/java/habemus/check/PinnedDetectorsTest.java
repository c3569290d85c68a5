package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.detector.EventuallyPerfect;
import habemus.detector.Perfect;
import habemus.detector.PhiAccrual;
import habemus.protocol.FailureDetector;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pins the state counts of the detectors, and their verdicts in all endless runs. */
class PinnedDetectorsTest {

    private static final Duration PERIOD = Duration.ofMillis(200);
    private static final Perfect PERFECT = new Perfect(PERIOD, PERIOD.multipliedBy(2));

    private static Scope three() {
        return Scope.of(Topology.complete(3)).synchronous().withFault(FaultKind.CRASH, 1);
    }

    @Test
    void perfect_is_complete_and_accurate_if_timers_wait_for_messages() {
        assertThat(summary(PERFECT, three())).isEqualTo("1348 3309 HOLDS HOLDS HOLDS");
    }

    @Test
    void perfect_is_complete_and_accurate_with_restarts() {
        assertThat(summary(PERFECT, three().withFault(FaultKind.RESTART, 1))).isEqualTo("6754 14085 HOLDS HOLDS HOLDS");
    }

    @Test
    void perfect_is_inaccurate_forever_if_messages_take_any_time() {
        var report = ModelChecker.check(PERFECT, Scope.of(Topology.complete(2)));
        assertThat(summary(report)).isEqualTo("86 270 HOLDS VIOLATED VIOLATED");
        assertThat(report.find("accuracy").orElseThrow().schedule().size()).isEqualTo(3);
        assertThat(report.find("eventual-accuracy").orElseThrow().loopStart()).isPresent();
    }

    @Test
    void eventually_perfect_becomes_accurate() {
        assertThat(summary(eventuallyPerfect(0), Scope.of(Topology.complete(2)).synchronous()))
                .isEqualTo("48 56 HOLDS VIOLATED HOLDS");
        assertThat(summary(eventuallyPerfect(0), three())).isEqualTo("13918 37545 HOLDS VIOLATED HOLDS");
    }

    @Test
    void eventually_perfect_with_a_bounded_timeout_is_inaccurate_forever() {
        assertThat(summary(eventuallyPerfect(1), Scope.of(Topology.complete(2)).synchronous()))
                .isEqualTo("28 34 HOLDS VIOLATED VIOLATED");
    }

    @Test
    void growing_timeouts_do_not_help_if_messages_take_any_time() {
        assertThat(summary(eventuallyPerfect(3), Scope.of(Topology.complete(2))))
                .isEqualTo("487 1534 HOLDS VIOLATED VIOLATED");
    }

    private static EventuallyPerfect eventuallyPerfect(int maxTimeout) {
        return new EventuallyPerfect(PERIOD, PERIOD, maxTimeout);
    }

    @Test
    void phi_accrual_is_complete_and_accurate_if_timers_wait_for_messages() {
        var scope = Scope.of(Topology.complete(2)).synchronous().withFault(FaultKind.CRASH, 1);
        assertThat(summary(new PhiAccrual(PERIOD, 8, 5), scope)).isEqualTo("5429 9754 HOLDS HOLDS HOLDS");
        assertThat(summary(new PhiAccrual(PERIOD, 8, 2), scope.withFault(FaultKind.RESTART, 1)))
                .isEqualTo("20065 26126 HOLDS HOLDS HOLDS");
    }

    @Test
    void a_heartbeat_after_an_equal_one_is_merged_with_it() {
        var report = ModelChecker.check(PERFECT, Scope.of(Topology.complete(2)).withUnorderedLinks());
        assertThat(summary(report)).isEqualTo("86 270 HOLDS VIOLATED VIOLATED");
    }

    @Test
    void a_detector_that_restores_a_crashed_node_again_and_again_is_not_complete() {
        var scope = Scope.of(Topology.complete(2)).withFault(FaultKind.CRASH, 1);
        var report = ModelChecker.check(new FlappingDetector(), scope);
        assertThat(report.verdict(Property.COMPLETENESS)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.find("completeness").orElseThrow().loopStart()).isPresent();
    }

    /** States, transitions, and the verdicts of completeness, accuracy and eventual accuracy. */
    private static String summary(FailureDetector<?, ?> detector, Scope scope) {
        return summary(ModelChecker.check(detector, scope));
    }

    private static String summary(CheckReport report) {
        assertThat(report.isComplete()).isTrue();
        return report.states() + " " + report.transitions() + " " + name(report, Property.COMPLETENESS) + " "
                + name(report, Property.ACCURACY) + " " + name(report, Property.EVENTUAL_ACCURACY);
    }

    private static String name(CheckReport report, Property property) {
        Verdict verdict = report.verdict(property);
        return verdict.name();
    }
}
