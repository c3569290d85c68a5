package habemus.check;

import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.HAPPENED_BEFORE_ORDER;
import static habemus.world.Property.MUTUAL_EXCLUSION;
import static habemus.world.Property.NO_STARVATION;
import static habemus.world.Property.UNIQUENESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.election.Bully;
import habemus.mutex.Lamport;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.Ranking;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The verdicts on the algorithms: each test confirms or refutes a claim of the textbooks. */
class ModelCheckerTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));

    @Test
    void ricart_and_agrawala_keep_all_properties_if_each_node_enters_once() {
        var checkReport = ModelChecker.check(PUBLISHED, THREE.withBypassBound(OptionalInt.of(4)));
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        assertThat(checkReport.findings()).hasSize(Property.of(Problem.MUTEX).size());
    }

    /** n1 requests again with the same stamp as n2, because the Reply between them carried no clock. */
    @Test
    void ricart_and_agrawala_as_published_break_happened_before_order_at_the_second_entry() {
        var checkReport = ModelChecker.check(PUBLISHED, THREE.withRequestsPerNode(2), HAPPENED_BEFORE_ORDER);
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.verdict(HAPPENED_BEFORE_ORDER)).isEqualTo(Verdict.VIOLATED);
        assertThat(run(checkReport, HAPPENED_BEFORE_ORDER).getLast().at()).isEqualTo(14);
    }

    @Test
    void replies_that_carry_the_clock_keep_happened_before_order() {
        var clocked = new RicartAgrawala(true, List.of());
        var checkReport =
                ModelChecker.check(clocked, THREE.withRequestsPerNode(2).withUnorderedLinks(), HAPPENED_BEFORE_ORDER);
        assertThat(checkReport.verdict(HAPPENED_BEFORE_ORDER)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void priorities_in_place_of_stamps_allow_two_holders() {
        var checkReport = ModelChecker.check(new RicartAgrawalaByPriority(), THREE, MUTUAL_EXCLUSION);
        assertThat(checkReport.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
        assertThat(run(checkReport, MUTUAL_EXCLUSION)).last().isEqualTo(new TraceEvent.Violated(10, MUTUAL_EXCLUSION));
    }

    @Test
    void a_duplicated_message_is_a_protocol_bug_of_ricart_and_agrawala() {
        var checkReport = ModelChecker.check(PUBLISHED, THREE.withFault(FaultKind.DUPLICATION, 1), MUTUAL_EXCLUSION);
        var bug = checkReport.find(CheckReport.PROTOCOL_BUG).orElseThrow();
        assertThat(bug.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(bug.description()).startsWith("Reply from n2 cannot happen");
        assertThat(checkReport.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void a_lost_message_starves_a_node() {
        var checkReport =
                ModelChecker.check(PUBLISHED, THREE.withFault(FaultKind.LOSS, 1), MUTUAL_EXCLUSION, NO_STARVATION);
        assertThat(checkReport.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(checkReport.verdict(NO_STARVATION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_partition_starves_a_node_even_in_one_direction() {
        var scope = Scope.of(Topology.complete(2)).withFault(FaultKind.PARTITION, 1);
        var checkReport = ModelChecker.check(PUBLISHED, scope, MUTUAL_EXCLUSION, NO_STARVATION);
        assertThat(checkReport.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(checkReport.verdict(NO_STARVATION)).isEqualTo(Verdict.VIOLATED);
        assertThat(run(checkReport, NO_STARVATION))
                .anyMatch(line -> line instanceof TraceEvent.FaultInjected faultInjected
                        && faultInjected.fault() instanceof Fault.Cut)
                .anyMatch(line -> line instanceof TraceEvent.FaultInjected faultInjected
                        && faultInjected.fault() instanceof Fault.HealCut)
                .anyMatch(line -> line instanceof TraceEvent.MessageOutcome messageOutcome
                        && messageOutcome.fate() == TraceEvent.Fate.PARTITIONED);
    }

    @Test
    void a_partition_gives_bully_two_leaders() {
        var scope = THREE.withFault(FaultKind.PARTITION, 1).synchronous();
        var checkReport = ModelChecker.check(BULLY, scope, UNIQUENESS);
        assertThat(run(checkReport, UNIQUENESS)).contains(new TraceEvent.Violated(5, UNIQUENESS));
    }

    @Test
    void lamport_needs_order() {
        var inOrder = ModelChecker.check(new Lamport(), THREE.withBypassBound(OptionalInt.of(4)));
        assertThat(inOrder.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        var checkOptions = CheckOptions.defaults().withStop(CheckOptions.Stop.AT_FIRST_VIOLATION);
        var unordered = ModelChecker.check(
                new Lamport(), THREE.withUnorderedLinks().withOptions(checkOptions), MUTUAL_EXCLUSION);
        assertThat(unordered.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void bully_has_one_leader_if_messages_are_faster_than_timers() {
        var scope = THREE.withFault(FaultKind.CRASH, 1).synchronous();
        var checkReport = ModelChecker.check(BULLY, scope);
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        var cut = ModelChecker.check(BULLY, scope.withMidStepCrashes(), UNIQUENESS, AGREEMENT);
        assertThat(cut.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }

    @Test
    void a_search_may_stop_when_every_property_is_decided() {
        var options = CheckOptions.defaults().withStop(CheckOptions.Stop.WHEN_DECIDED);
        var scope = Scope.of(Topology.complete(2)).withOptions(options);
        var decided = ModelChecker.check(BULLY, scope, UNIQUENESS);
        assertThat(decided.limitsReached()).containsExactly(CheckReport.ALL_DECIDED);
        assertThat(decided.verdict(UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
        var undecided = ModelChecker.check(BULLY, scope, UNIQUENESS, AGREEMENT);
        assertThat(undecided.isComplete()).isTrue();
        assertThat(decided.states()).isLessThan(undecided.states());
    }

    @Test
    void bully_has_two_leaders_if_messages_are_slower_than_timers() {
        var checkOptions = CheckOptions.defaults().withStop(CheckOptions.Stop.AT_FIRST_VIOLATION);
        var checkReport = ModelChecker.check(BULLY, THREE.withOptions(checkOptions), UNIQUENESS);
        assertThat(checkReport.verdict(UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void bully_has_two_leaders_for_a_moment_after_a_restart_and_agrees_eventually() {
        var scope = THREE.withFault(FaultKind.CRASH, 1)
                .withFault(FaultKind.RESTART, 1)
                .synchronous();
        var checkReport = ModelChecker.check(BULLY, scope, UNIQUENESS, AGREEMENT);
        assertThat(checkReport.verdict(UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
        assertThat(checkReport.verdict(AGREEMENT)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_search_that_reached_a_limit_proves_nothing() {
        var checkOptions = CheckOptions.defaults().withMaxStates(1_000);
        var checkReport = ModelChecker.check(PUBLISHED, THREE.withOptions(checkOptions), MUTUAL_EXCLUSION);
        assertThat(checkReport.isComplete()).isFalse();
        assertThat(checkReport.limitsReached()).containsExactly("at most 1,000 states");
        assertThat(checkReport.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
        var late = ModelChecker.check(
                PUBLISHED, THREE.withOptions(checkOptions.withMaxStates(1 << 30).withTimeLimit(Duration.ZERO)));
        assertThat(late.findings()).allMatch(finding -> finding.verdict() == Verdict.OPEN);
    }

    @Test
    void the_end_of_a_run_that_needs_more_timeouts_stays_open() {
        var scope = THREE.withFault(FaultKind.CRASH, 1).synchronous();
        var checkReport = ModelChecker.check(BULLY, scope.withMaxTimeouts(0), UNIQUENESS, AGREEMENT);
        assertThat(checkReport.verdict(UNIQUENESS)).isEqualTo(Verdict.HOLDS);
        assertThat(checkReport.verdict(AGREEMENT)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void a_bound_on_waiting_that_is_too_small_is_refuted() {
        var scope = THREE.withRequestsPerNode(2).withBypassBound(OptionalInt.of(1));
        var checkReport = ModelChecker.check(PUBLISHED, scope, Property.BOUNDED_WAITING);
        assertThat(checkReport.verdict(Property.BOUNDED_WAITING)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void invalid_arguments_are_rejected() {
        assertThatThrownBy(() -> ModelChecker.check(PUBLISHED, THREE, UNIQUENESS))
                .hasMessageContaining("is not a property of a mutex");
        assertThatThrownBy(() -> THREE.withFault(FaultKind.SLOWNESS, 1)).hasMessageContaining("slow");
    }

    private static List<TraceEvent> run(CheckReport checkReport, Property property) {
        return checkReport.find(property.toString()).orElseThrow().trace();
    }
}
