package habemus.course.threads;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import habemus.course.threads.StressReport.Effect;
import habemus.course.threads.StressReport.Grade;
import habemus.course.threads.StressReport.Linearizability;
import habemus.course.threads.StressReport.Outcome;
import habemus.course.threads.StressReport.Rate;
import habemus.course.threads.StressReport.Sharing;
import habemus.course.threads.StressReport.Stress;
import habemus.course.threads.StressReport.StressTest;
import habemus.course.threads.StressReport.Structure;
import java.util.List;
import org.junit.jupiter.api.Test;

class StressReportTest {

    @Test
    void a_test_fails_only_if_a_forbidden_outcome_was_seen() {
        assertThat(new StressTest("t", List.of(outcome(Grade.FORBIDDEN, 0), outcome(Grade.INTERESTING, 7))).isPassed())
                .isTrue();
        assertThat(new StressTest("t", List.of(outcome(Grade.FORBIDDEN, 1))).isPassed())
                .isFalse();
    }

    private static Outcome outcome(Grade grade, long count) {
        return new Outcome("0, 0", grade, count, "");
    }

    @Test
    void an_effect_is_a_large_ratio_whose_intervals_do_not_overlap() {
        assertThat(sharing(10, 12, 15, 1).effect()).isEqualTo(Effect.SHOWN);
        assertThat(sharing(10, 12, 14, 1).effect()).isEqualTo(Effect.ABSENT);
        assertThat(sharing(10, 12, 15, 3).effect()).isEqualTo(Effect.UNCERTAIN);
        assertThat(sharing(10, 5, 20, 1).ratio("@Contended")).isEqualTo(2);
    }

    private static Sharing sharing(double oneLine, double padded, double contended, double error) {
        return new Sharing(
                List.of(),
                List.of(
                        rate("one line", oneLine, error),
                        rate("padded", padded, error),
                        rate("@Contended", contended, error)));
    }

    private static Rate rate(String name, double rate, double error) {
        return new Rate(name, ThreadKind.PLATFORM, 2, rate, error);
    }

    @Test
    void exactly_the_broken_structures_must_fail() {
        assertThat(new Linearizability(List.of(structure(true, true), structure(false, false))).isAsExpected())
                .isTrue();
        assertThat(new Linearizability(List.of(structure(true, false))).isAsExpected())
                .isFalse();
        assertThat(new Linearizability(List.of(structure(false, true))).isAsExpected())
                .isFalse();
    }

    private static Structure structure(boolean isCorrect, boolean isLinearizable) {
        return new Structure("queue", isCorrect, isLinearizable, List.of());
    }

    @Test
    void a_report_survives_json() {
        var stress = new Stress(List.of(new StressTest("Increment.Plain", List.of(outcome(Grade.INTERESTING, 3)))));
        var json = new Gson().toJson(stress);
        assertThat(json).contains("\"grade\":\"interesting\"");
        assertThat(new Gson().fromJson(json, Stress.class)).isEqualTo(stress);
    }
}
