package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import java.util.List;

/** Assertions on the size of a state space. */
final class StateCounts {

    private StateCounts() {}

    static void assertSize(CheckReport report, long states, long transitions) {
        assertThat(report.isComplete()).isTrue();
        assertThat(List.of(report.states(), report.transitions())).containsExactly(states, transitions);
    }
}
