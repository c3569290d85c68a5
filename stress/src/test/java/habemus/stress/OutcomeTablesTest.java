package habemus.stress;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.threads.StressReport.Grade;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.annotations.Expect;

class OutcomeTablesTest {

    @Test
    void a_test_has_a_short_name() {
        assertThat(OutcomeTables.shortName("habemus.stress.IncrementStress.Plain"))
                .isEqualTo("Increment.Plain");
    }

    @Test
    void an_outcome_that_no_rule_names_is_forbidden() {
        assertThat(OutcomeTables.grade(Expect.UNKNOWN)).isEqualTo(Grade.FORBIDDEN);
        assertThat(OutcomeTables.grade(Expect.FORBIDDEN)).isEqualTo(Grade.FORBIDDEN);
        assertThat(OutcomeTables.grade(Expect.ACCEPTABLE)).isEqualTo(Grade.ACCEPTABLE);
        assertThat(OutcomeTables.grade(Expect.ACCEPTABLE_INTERESTING)).isEqualTo(Grade.INTERESTING);
    }
}
