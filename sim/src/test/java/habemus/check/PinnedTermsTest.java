package habemus.check;

import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.election.TermMajority;
import habemus.election.VoteWeights;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How large the worlds of the election by terms are, and what they say. */
class PinnedTermsTest {

    private static final TermMajority TERMS = terms(VoteWeights.EQUAL);

    private static TermMajority terms(VoteWeights voteWeights) {
        return new TermMajority(voteWeights, true, true, Duration.ofMillis(300), Duration.ofMillis(100));
    }

    private static Scope three() {
        return Scope.of(Topology.complete(3)).withMaxTimeouts(0);
    }

    private static Scope oneComesBack() {
        return three().withFault(FaultKind.CRASH, 1).withFault(FaultKind.RESTART, 1);
    }

    @Test
    void three_that_all_want_to_lead() {
        var checkReport = ModelChecker.check(TERMS, three());
        assertSize(checkReport, 262_018, 970_767);
        assertThat(List.of(
                        checkReport.verdict(Property.ONE_LEADER_PER_TERM),
                        checkReport.verdict(Property.UNIQUENESS),
                        checkReport.verdict(Property.STABILITY)))
                .containsOnly(Verdict.HOLDS);
    }

    /** What `check term-majority -n 3 --crashes 1 --restarts 1` says; who leads in the end is left open. */
    @Test
    void one_leader_a_term_if_one_comes_back_with_its_vote() {
        var checkReport = ModelChecker.check(TERMS, oneComesBack(), Property.ONE_LEADER_PER_TERM, Property.TERMINATION);
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
        assertThat(checkReport.verdict(Property.TERMINATION)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void two_leaders_of_one_term_if_it_comes_back_without() {
        var scope = three().withRequests(nodes(1, 2), 1)
                .withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.AMNESIA, 1);
        var checkReport = ModelChecker.check(TERMS, scope, Property.ONE_LEADER_PER_TERM);
        assertSize(checkReport, 77_397, 259_830);
        var found = checkReport.find(Property.ONE_LEADER_PER_TERM.toString()).orElseThrow();
        assertThat(found.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(found.trace().getLast().at()).isEqualTo(12);
    }

    @Test
    void one_leader_a_term_though_two_alarms_ring_too_early() {
        var scope = three().withRequests(nodes(1), 1).withMaxTimeouts(2);
        var checkReport = ModelChecker.check(TERMS, scope, Property.ONE_LEADER_PER_TERM, Property.UNIQUENESS);
        assertSize(checkReport, 968_537, 3_597_130);
        assertThat(checkReport.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
        assertThat(checkReport.verdict(Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    /** n1 alone is no majority, and nobody is without n1. */
    @Test
    void one_leader_a_term_by_weight_though_a_message_is_lost() {
        var scope = Scope.of(Topology.complete(4))
                .withMaxTimeouts(0)
                .withRequests(nodes(1, 4), 1)
                .withFault(FaultKind.LOSS, 1);
        var checkReport = ModelChecker.check(terms(VoteWeights.parse("3,1,1,1")), scope, Property.ONE_LEADER_PER_TERM);
        assertSize(checkReport, 1_135_575, 6_910_189);
        assertThat(checkReport.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    private static void assertSize(CheckReport checkReport, long states, long transitions) {
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(List.of(checkReport.states(), checkReport.transitions())).containsExactly(states, transitions);
    }
}
