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

/** How large the small worlds of detectors are, and what is right in all of their endless runs. */
class PinnedDetectorsTest {

    private static final Duration PERIOD = Duration.ofMillis(200);
    private static final Perfect PERFECT = new Perfect(PERIOD, PERIOD.multipliedBy(2));

    private static Scope three() {
        return Scope.of(Topology.complete(3)).synchronous().withFault(FaultKind.CRASH, 1);
    }

    @Test
    void perfect_is_complete_and_accurate_if_alarms_wait_for_messages() {
        assertThat(told(PERFECT, three())).isEqualTo("1348 3309 HOLDS HOLDS HOLDS");
    }

    @Test
    void perfect_is_complete_and_accurate_with_returns() {
        assertThat(told(PERFECT, three().withFault(FaultKind.RESTART, 1))).isEqualTo("6754 14085 HOLDS HOLDS HOLDS");
    }

    @Test
    void perfect_is_wrong_for_ever_if_messages_take_any_time() {
        var checkReport = ModelChecker.check(PERFECT, Scope.of(Topology.complete(2)));
        assertThat(told(checkReport)).isEqualTo("86 270 HOLDS VIOLATED VIOLATED");
        assertThat(checkReport.find("accuracy").orElseThrow().schedule().size()).isEqualTo(3);
        assertThat(checkReport.find("eventual-accuracy").orElseThrow().loopStart())
                .isPresent();
    }

    @Test
    void eventually_perfect_learns() {
        assertThat(told(eventuallyPerfect(0), Scope.of(Topology.complete(2)).synchronous()))
                .isEqualTo("48 56 HOLDS VIOLATED HOLDS");
        assertThat(told(eventuallyPerfect(0), three())).isEqualTo("13918 37545 HOLDS VIOLATED HOLDS");
    }

    @Test
    void eventually_perfect_that_may_not_learn_is_wrong_for_ever() {
        assertThat(told(eventuallyPerfect(1), Scope.of(Topology.complete(2)).synchronous()))
                .isEqualTo("28 34 HOLDS VIOLATED VIOLATED");
    }

    @Test
    void learning_does_not_help_where_messages_take_any_time() {
        assertThat(told(eventuallyPerfect(3), Scope.of(Topology.complete(2))))
                .isEqualTo("487 1534 HOLDS VIOLATED VIOLATED");
    }

    private static EventuallyPerfect eventuallyPerfect(int most) {
        return new EventuallyPerfect(PERIOD, PERIOD, most);
    }

    @Test
    void phi_accrual_is_complete_and_accurate_if_alarms_wait_for_messages() {
        var scope = Scope.of(Topology.complete(2)).synchronous().withFault(FaultKind.CRASH, 1);
        assertThat(told(new PhiAccrual(PERIOD, 8, 5), scope)).isEqualTo("5429 9754 HOLDS HOLDS HOLDS");
        assertThat(told(new PhiAccrual(PERIOD, 8, 2), scope.withFault(FaultKind.RESTART, 1)))
                .isEqualTo("20065 26126 HOLDS HOLDS HOLDS");
    }

    @Test
    void a_heartbeat_behind_an_equal_one_is_one_with_it() {
        var checkReport =
                ModelChecker.check(PERFECT, Scope.of(Topology.complete(2)).withUnorderedLinks());
        assertThat(told(checkReport)).isEqualTo("86 270 HOLDS VIOLATED VIOLATED");
    }

    @Test
    void who_suspects_the_dead_again_and_again_is_not_complete() {
        var scope = Scope.of(Topology.complete(2)).withFault(FaultKind.CRASH, 1);
        var checkReport = ModelChecker.check(new FlappingDetector(), scope);
        assertThat(checkReport.verdict(Property.COMPLETENESS)).isEqualTo(Verdict.VIOLATED);
        assertThat(checkReport.find("completeness").orElseThrow().loopStart()).isPresent();
    }

    /** States, transitions, and the verdicts of completeness, accuracy and eventual accuracy. */
    private static String told(FailureDetector<?, ?> detector, Scope scope) {
        return told(ModelChecker.check(detector, scope));
    }

    private static String told(CheckReport checkReport) {
        assertThat(checkReport.isComplete()).isTrue();
        return checkReport.states() + " " + checkReport.transitions() + " " + name(checkReport, Property.COMPLETENESS)
                + " " + name(checkReport, Property.ACCURACY) + " " + name(checkReport, Property.EVENTUAL_ACCURACY);
    }

    private static String name(CheckReport checkReport, Property property) {
        Verdict verdict = checkReport.verdict(property);
        return verdict.name();
    }
}
