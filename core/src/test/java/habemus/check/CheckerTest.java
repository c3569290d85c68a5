package habemus.check;

import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.HAPPENED_BEFORE_ORDER;
import static habemus.world.Property.MUTUAL_EXCLUSION;
import static habemus.world.Property.NO_STARVATION;
import static habemus.world.Property.UNIQUENESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.election.Bully;
import habemus.mutex.Lamport;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.Ranking;
import habemus.world.Fault;
import habemus.world.Hazard;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What the checker says of the algorithms: each test is a fact of the textbooks, or one against them. */
class CheckerTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));

    @Test
    void ricart_and_agrawala_keep_everything_if_everybody_enters_once() {
        var report = Checker.check(PUBLISHED, THREE.passing(OptionalInt.of(4)));
        assertThat(report.complete()).isTrue();
        assertThat(report.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        assertThat(report.findings()).hasSize(Property.of(Problem.MUTEX).size());
    }

    /** n1 asks again with a stamp that ties with the one n2 drew; the Reply that came between told n1 no time. */
    @Test
    void ricart_and_agrawala_as_published_break_happened_before_order_at_the_second_entry() {
        var report = Checker.check(PUBLISHED, THREE.entering(2), HAPPENED_BEFORE_ORDER);
        assertThat(report.complete()).isTrue();
        assertThat(report.verdict(HAPPENED_BEFORE_ORDER)).isEqualTo(Verdict.VIOLATED);
        assertThat(run(report, HAPPENED_BEFORE_ORDER).getLast().at()).isEqualTo(14);
    }

    @Test
    void replies_that_tell_the_time_mend_that() {
        var clocked = new RicartAgrawala(true, List.of());
        var report = Checker.check(clocked, THREE.entering(2).unordered(), HAPPENED_BEFORE_ORDER);
        assertThat(report.verdict(HAPPENED_BEFORE_ORDER)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void priorities_in_place_of_stamps_let_two_in() {
        var report = Checker.check(new RicartAgrawalaByPriority(), THREE, MUTUAL_EXCLUSION);
        assertThat(report.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
        assertThat(run(report, MUTUAL_EXCLUSION)).last().isEqualTo(new TraceLine.Violated(10, MUTUAL_EXCLUSION));
    }

    @Test
    void a_message_that_comes_twice_is_a_bug_of_ricart_and_agrawala() {
        var report = Checker.check(PUBLISHED, THREE.allowing(Hazard.DUPLICATION, 1), MUTUAL_EXCLUSION);
        var bug = report.find(Report.PROTOCOL_BUG).orElseThrow();
        assertThat(bug.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(bug.words()).startsWith("Reply from n2 cannot happen");
        assertThat(report.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void a_message_that_is_lost_leaves_somebody_waiting() {
        var report = Checker.check(PUBLISHED, THREE.allowing(Hazard.LOSS, 1), MUTUAL_EXCLUSION, NO_STARVATION);
        assertThat(report.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(NO_STARVATION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_partition_leaves_somebody_waiting_even_if_it_only_cuts_one_way() {
        var scope = Scope.of(Topology.complete(2)).allowing(Hazard.PARTITION, 1);
        var report = Checker.check(PUBLISHED, scope, MUTUAL_EXCLUSION, NO_STARVATION);
        assertThat(report.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(NO_STARVATION)).isEqualTo(Verdict.VIOLATED);
        assertThat(run(report, NO_STARVATION))
                .anyMatch(line -> line instanceof TraceLine.Struck struck && struck.fault() instanceof Fault.Cut)
                .anyMatch(line -> line instanceof TraceLine.Struck struck && struck.fault() instanceof Fault.Mend)
                .anyMatch(line -> line instanceof TraceLine.Fared fared && fared.fate() == TraceLine.Fate.CUT_OFF);
    }

    @Test
    void a_partition_splits_the_brain_of_bully() {
        var scope = THREE.allowing(Hazard.PARTITION, 1).synchronous();
        var report = Checker.check(BULLY, scope, UNIQUENESS);
        assertThat(run(report, UNIQUENESS)).contains(new TraceLine.Violated(5, UNIQUENESS));
    }

    @Test
    void lamport_needs_order() {
        var inOrder = Checker.check(new Lamport(), THREE.passing(OptionalInt.of(4)));
        assertThat(inOrder.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        var effort = Effort.ample().stoppingAtViolation();
        var unordered = Checker.check(new Lamport(), THREE.unordered().spending(effort), MUTUAL_EXCLUSION);
        assertThat(unordered.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void bully_has_one_leader_if_messages_are_faster_than_alarms() {
        var scope = THREE.allowing(Hazard.CRASH, 1).synchronous();
        var report = Checker.check(BULLY, scope);
        assertThat(report.complete()).isTrue();
        assertThat(report.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        var cut = Checker.check(BULLY, scope.cutting(), UNIQUENESS, AGREEMENT);
        assertThat(cut.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }

    @Test
    void bully_has_two_leaders_if_they_are_not() {
        var effort = Effort.ample().stoppingAtViolation();
        var report = Checker.check(BULLY, THREE.spending(effort), UNIQUENESS);
        assertThat(report.verdict(UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void bully_has_two_leaders_for_a_moment_if_the_best_returns_and_agrees_in_the_end() {
        var scope = THREE.allowing(Hazard.CRASH, 1).allowing(Hazard.RESTART, 1).synchronous();
        var report = Checker.check(BULLY, scope, UNIQUENESS, AGREEMENT);
        assertThat(report.verdict(UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.verdict(AGREEMENT)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_search_that_was_ended_proves_nothing() {
        var effort = Effort.ample().states(1_000);
        var report = Checker.check(PUBLISHED, THREE.spending(effort), MUTUAL_EXCLUSION);
        assertThat(report.complete()).isFalse();
        assertThat(report.bounded()).containsExactly("at most 1,000 states");
        assertThat(report.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
        var late =
                Checker.check(PUBLISHED, THREE.spending(effort.states(1 << 30).time(Duration.ZERO)));
        assertThat(late.findings()).allMatch(finding -> finding.verdict() == Verdict.OPEN);
    }

    @Test
    void how_a_run_ends_in_which_too_few_alarms_may_ring_is_left_open() {
        var scope = THREE.allowing(Hazard.CRASH, 1).synchronous();
        var report = Checker.check(BULLY, scope.ringing(0), UNIQUENESS, AGREEMENT);
        assertThat(report.verdict(UNIQUENESS)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(AGREEMENT)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void a_bound_on_waiting_that_is_too_small_is_refuted() {
        var scope = THREE.entering(2).passing(OptionalInt.of(1));
        var report = Checker.check(PUBLISHED, scope, Property.BOUNDED_WAITING);
        assertThat(report.verdict(Property.BOUNDED_WAITING)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void what_makes_no_sense_is_refused() {
        assertThatThrownBy(() -> Checker.check(PUBLISHED, THREE, UNIQUENESS))
                .hasMessageContaining("not asked of a mutex");
        assertThatThrownBy(() -> THREE.allowing(Hazard.SLOWNESS, 1)).hasMessageContaining("slow");
    }

    private static List<TraceLine> run(Report report, Property property) {
        return report.find(property.toString()).orElseThrow().run();
    }
}
