package habemus.check;

import static habemus.Given.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.election.TermMajority;
import habemus.election.Weights;
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How large the worlds of the election by terms are, and what they say. */
class PinnedTermsTest {

    private static final TermMajority TERMS = terms(Weights.EQUAL);

    private static TermMajority terms(Weights weights) {
        return new TermMajority(weights, true, true, Duration.ofMillis(300), Duration.ofMillis(100));
    }

    private static Scope three() {
        return Scope.of(Topology.complete(3)).ringing(0);
    }

    private static Scope oneComesBack() {
        return three().allowing(Hazard.CRASH, 1).allowing(Hazard.RESTART, 1);
    }

    @Test
    void three_that_all_want_to_lead() {
        var report = Checker.check(TERMS, three());
        assertSize(report, 262_018, 970_767);
        assertThat(List.of(
                        report.verdict(Property.ONE_LEADER_PER_TERM),
                        report.verdict(Property.UNIQUENESS),
                        report.verdict(Property.STABILITY)))
                .containsOnly(Verdict.HOLDS);
    }

    /** What `check term-majority -n 3 --crashes 1 --restarts 1` says; who leads in the end is left open. */
    @Test
    void one_leader_a_term_if_one_comes_back_with_its_vote() {
        var report = Checker.check(TERMS, oneComesBack(), Property.ONE_LEADER_PER_TERM, Property.TERMINATION);
        assertThat(report.complete()).isTrue();
        assertThat(report.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.TERMINATION)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void two_leaders_of_one_term_if_it_comes_back_without() {
        var scope = three().calling(nodes(1, 2), 1).allowing(Hazard.CRASH, 1).allowing(Hazard.AMNESIA, 1);
        var report = Checker.check(TERMS, scope, Property.ONE_LEADER_PER_TERM);
        assertSize(report, 77_397, 259_830);
        var found = report.find(Property.ONE_LEADER_PER_TERM.toString()).orElseThrow();
        assertThat(found.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(found.run().getLast().at()).isEqualTo(12);
    }

    @Test
    void one_leader_a_term_though_two_alarms_ring_too_early() {
        var scope = three().calling(nodes(1), 1).ringing(2);
        var report = Checker.check(TERMS, scope, Property.ONE_LEADER_PER_TERM, Property.UNIQUENESS);
        assertSize(report, 968_537, 3_597_130);
        assertThat(report.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    /** n1 alone is no majority, and nobody is without n1. */
    @Test
    void one_leader_a_term_by_weight_though_a_message_is_lost() {
        var scope = Scope.of(Topology.complete(4))
                .ringing(0)
                .calling(nodes(1, 4), 1)
                .allowing(Hazard.LOSS, 1);
        var report = Checker.check(terms(Weights.read("3,1,1,1")), scope, Property.ONE_LEADER_PER_TERM);
        assertSize(report, 1_135_575, 6_910_189);
        assertThat(report.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    private static void assertSize(Report report, long states, long transitions) {
        assertThat(report.complete()).isTrue();
        assertThat(List.of(report.states(), report.transitions())).containsExactly(states, transitions);
    }
}
