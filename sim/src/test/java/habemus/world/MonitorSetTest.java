package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MonitorSetTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final ObservableEvent ASKED = new ObservableEvent.Requested(N1, NodeSet.NONE);

    private static MonitorSet mutex(int nodes, OptionalInt bypassBound) {
        return new MonitorSet(Problem.MUTEX, World.of(Topology.complete(nodes)), bypassBound);
    }

    private static ObservableEvent entered(NodeId node, long fence) {
        return new ObservableEvent.Entered(node, fence);
    }

    @ParameterizedTest
    @EnumSource
    void judges_every_property_of_its_problem_and_no_other(Problem problem) {
        var monitorSet = new MonitorSet(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        assertThat(monitorSet.verdicts(true).keySet()).isEqualTo(Set.copyOf(Property.of(problem)));
        assertThat(Property.of(problem)).isNotEmpty().allMatch(property -> property.problem() == problem);
    }

    @ParameterizedTest
    @EnumSource
    void everything_holds_if_nothing_happens(Problem problem) {
        var monitorSet = new MonitorSet(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        assertThat(monitorSet.verdicts(true))
                .doesNotContainValue(Verdict.VIOLATED)
                .doesNotContainValue(Verdict.OPEN);
    }

    @ParameterizedTest
    @EnumSource
    void what_must_hold_in_the_end_is_open_until_then(Problem problem) {
        var monitorSet = new MonitorSet(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        monitorSet.observe(ASKED);
        monitorSet
                .verdicts(false)
                .forEach((property, verdict) -> assertThat(verdict)
                        .as(property.toString())
                        .isEqualTo(property.when() == Property.When.EVENTUALLY ? Verdict.OPEN : Verdict.HOLDS));
    }

    @Test
    void who_waits_in_the_end_starves() {
        var monitorSet = mutex(3, OptionalInt.of(1));
        monitorSet.observe(ASKED);
        assertThat(monitorSet.verdicts(true))
                .containsEntry(Property.NO_STARVATION, Verdict.VIOLATED)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.VIOLATED)
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS);
    }

    @Test
    void what_was_violated_once_stays_so() {
        var monitorSet = mutex(3, OptionalInt.of(1));
        monitorSet.observe(entered(N1, 1));
        monitorSet.observe(entered(N2, 2));
        monitorSet.observe(new ObservableEvent.Exited(N1));
        monitorSet.observe(new ObservableEvent.Exited(N2));
        assertThat(monitorSet.verdicts(true)).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
        assertThat(monitorSet.verdicts(false)).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
    }

    @Test
    void tells_each_violation_once_and_at_once() {
        var monitorSet = mutex(3, OptionalInt.of(1));
        assertThat(monitorSet.observe(entered(N1, 1))).isEmpty();
        assertThat(monitorSet.observe(entered(N2, 1)))
                .isEqualTo(List.of(Property.MUTUAL_EXCLUSION, Property.FENCES_GROW));
        assertThat(monitorSet.observe(new ObservableEvent.Exited(N2))).isEmpty();
        assertThat(monitorSet.observe(entered(N2, 1))).isEmpty();
    }

    @Test
    void what_must_hold_in_the_end_is_not_told_before() {
        assertThat(mutex(3, OptionalInt.of(1)).observe(ASKED)).isEmpty();
    }

    @Test
    void without_a_bound_nobody_can_say_whether_waiting_is_bounded() {
        var monitorSet = mutex(3, OptionalInt.empty());
        monitorSet.observe(ASKED);
        assertThat(monitorSet.observe(entered(N2, 1))).isEmpty();
        assertThat(monitorSet.verdicts(true)).containsEntry(Property.BOUNDED_WAITING, Verdict.OPEN);
        assertThat(monitorSet.largestBypass()).isEqualTo(1);
    }

    @Test
    void with_a_bound_of_zero_nobody_may_be_passed() {
        var monitorSet = mutex(3, OptionalInt.of(0));
        monitorSet.observe(ASKED);
        assertThat(monitorSet.observe(entered(N2, 1))).isEqualTo(List.of(Property.BOUNDED_WAITING));
        assertThat(monitorSet.verdicts(false)).containsEntry(Property.BOUNDED_WAITING, Verdict.VIOLATED);
    }

    @Test
    void among_too_many_nobody_can_say_what_happened_before_what() {
        var most = mutex(CausalityTracker.MAX_NODES, OptionalInt.of(1)).verdicts(true);
        var more = mutex(CausalityTracker.MAX_NODES + 1, OptionalInt.of(1)).verdicts(true);
        assertThat(most).containsEntry(Property.HAPPENED_BEFORE_ORDER, Verdict.HOLDS);
        assertThat(more).containsEntry(Property.HAPPENED_BEFORE_ORDER, Verdict.OPEN);
    }

    @Test
    void nobody_is_passed_in_an_election() {
        var monitorSet = new MonitorSet(Problem.ELECTION, World.of(Topology.complete(3)), OptionalInt.empty());
        monitorSet.observe(new ObservableEvent.LeaderAnnounced(N1, N1, 1));
        assertThat(monitorSet.largestBypass()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void a_property_has_a_name_as_it_is_written_and_a_sentence(Property property) {
        assertThat(property.toString()).matches("[a-z]+(-[a-z]+)+|[a-z]+");
        assertThat(property.sentence()).isNotBlank().doesNotEndWith(".");
    }
}
