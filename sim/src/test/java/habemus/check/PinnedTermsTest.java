package habemus.check;

import static habemus.ProtocolFixture.nodes;
import static habemus.check.StateCounts.assertSize;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.Scope;
import habemus.election.TermMajority;
import habemus.election.VoteWeights;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pins the state counts and verdicts of the election by terms. */
@Tag("slow")
class PinnedTermsTest {

    private static final TermMajority TERMS = terms(VoteWeights.EQUAL);

    private static TermMajority terms(VoteWeights voteWeights) {
        return new TermMajority(voteWeights, true, true, Duration.ofMillis(300), Duration.ofMillis(100));
    }

    private static Scope three() {
        return Scope.of(Topology.complete(3)).withMaxTimeouts(0);
    }

    private static Scope oneRestart() {
        return three().withFault(FaultKind.CRASH, 1).withFault(FaultKind.RESTART, 1);
    }

    @Test
    void three_candidates() {
        var report = ModelChecker.check(TERMS, three());
        assertSize(report, 262_018, 970_767);
        assertThat(List.of(
                        report.verdict(Property.ONE_LEADER_PER_TERM),
                        report.verdict(Property.UNIQUENESS),
                        report.verdict(Property.STABILITY)))
                .containsOnly(Verdict.HOLDS);
    }

    /** With timers that fire after all messages, terms do not grow for ever, and endless runs are decided. */
    @Test
    void one_candidate_is_elected_and_known_by_all_if_timers_are_not_early() {
        var scope = Scope.of(Topology.complete(3)).withRequests(nodes(1), 1).synchronous();
        var report = ModelChecker.check(TERMS, scope);
        assertSize(report, 12_360, 37_647);
        assertThat(List.of(
                        report.verdict(Property.TERMINATION),
                        report.verdict(Property.ONE_LEADER_PER_TERM),
                        report.verdict(Property.AGREEMENT),
                        report.verdict(Property.UNIQUENESS),
                        report.verdict(Property.STABILITY)))
                .containsOnly(Verdict.HOLDS);
        assertThat(report.verdict(Property.BEST_WINS)).isEqualTo(Verdict.VIOLATED);
    }

    /** The verdicts of `check term-majority -n 3 --crashes 1 --restarts 1`; termination stays open. */
    @Test
    void one_leader_per_term_if_a_node_restarts_with_its_vote() {
        var report = ModelChecker.check(TERMS, oneRestart(), Property.ONE_LEADER_PER_TERM, Property.TERMINATION);
        assertThat(report.isComplete()).isTrue();
        assertThat(report.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.TERMINATION)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void two_leaders_of_one_term_if_a_node_restarts_without_its_vote() {
        var scope = three().withRequests(nodes(1, 2), 1)
                .withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.AMNESIA, 1);
        var report = ModelChecker.check(TERMS, scope, Property.ONE_LEADER_PER_TERM);
        assertSize(report, 77_397, 259_830);
        var found = report.find(Property.ONE_LEADER_PER_TERM.toString()).orElseThrow();
        assertThat(found.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(found.trace().getLast().at()).isEqualTo(12);
    }

    @Test
    void one_leader_per_term_despite_two_early_timeouts() {
        var scope = three().withRequests(nodes(1), 1).withMaxTimeouts(2);
        var report = ModelChecker.check(TERMS, scope, Property.ONE_LEADER_PER_TERM, Property.UNIQUENESS);
        assertSize(report, 968_537, 3_597_130);
        assertThat(report.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    /** n1 alone is no majority, and there is none without n1. */
    @Test
    void one_leader_per_term_by_weight_despite_a_lost_message() {
        var scope = Scope.of(Topology.complete(4))
                .withMaxTimeouts(0)
                .withRequests(nodes(1, 4), 1)
                .withFault(FaultKind.LOSS, 1);
        var report = ModelChecker.check(terms(VoteWeights.parse("3,1,1,1")), scope, Property.ONE_LEADER_PER_TERM);
        assertSize(report, 1_135_575, 6_910_189);
        assertThat(report.verdict(Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }
}
