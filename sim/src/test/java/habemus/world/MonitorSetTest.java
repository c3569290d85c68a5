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
    private static final ObservableEvent REQUESTED = new ObservableEvent.Requested(N1, NodeSet.NONE);

    private static MonitorSet mutex(int nodes, OptionalInt bypassBound) {
        return new MonitorSet(Problem.MUTEX, World.of(Topology.complete(nodes)), bypassBound);
    }

    private static ObservableEvent entered(NodeId node, long fence) {
        return new ObservableEvent.Entered(node, fence);
    }

    @ParameterizedTest
    @EnumSource
    void a_monitor_set_covers_exactly_the_properties_of_its_problem(Problem problem) {
        var monitors = new MonitorSet(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        assertThat(monitors.verdicts(true).keySet()).isEqualTo(Set.copyOf(Property.of(problem)));
        assertThat(Property.of(problem)).isNotEmpty().allMatch(property -> property.isOf(problem));
    }

    @ParameterizedTest
    @EnumSource
    void every_property_holds_in_an_empty_run(Problem problem) {
        var monitors = new MonitorSet(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        assertThat(monitors.verdicts(true))
                .doesNotContainValue(Verdict.VIOLATED)
                .doesNotContainValue(Verdict.OPEN);
    }

    @ParameterizedTest
    @EnumSource
    void eventual_properties_are_open_until_the_end(Problem problem) {
        var monitors = new MonitorSet(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        monitors.observe(REQUESTED);
        monitors.verdicts(false)
                .forEach((property, verdict) -> assertThat(verdict)
                        .as(property.toString())
                        .isEqualTo(property.when() == Property.When.ALWAYS ? Verdict.HOLDS : Verdict.OPEN));
    }

    @Test
    void a_node_that_waits_at_the_end_starves() {
        var monitors = mutex(3, OptionalInt.of(1));
        monitors.observe(REQUESTED);
        assertThat(monitors.verdicts(true))
                .containsEntry(Property.NO_STARVATION, Verdict.VIOLATED)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.VIOLATED)
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS);
    }

    @Test
    void a_violation_is_permanent() {
        var monitors = mutex(3, OptionalInt.of(1));
        monitors.observe(entered(N1, 1));
        monitors.observe(entered(N2, 2));
        monitors.observe(new ObservableEvent.Exited(N1));
        monitors.observe(new ObservableEvent.Exited(N2));
        assertThat(monitors.verdicts(true)).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
        assertThat(monitors.verdicts(false)).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
    }

    @Test
    void each_violation_is_reported_once_by_the_event_that_causes_it() {
        var monitors = mutex(3, OptionalInt.of(1));
        assertThat(monitors.observe(entered(N1, 1))).isEmpty();
        assertThat(monitors.observe(entered(N2, 1)))
                .isEqualTo(List.of(Property.MUTUAL_EXCLUSION, Property.FENCES_GROW));
        assertThat(monitors.observe(new ObservableEvent.Exited(N2))).isEmpty();
        assertThat(monitors.observe(entered(N2, 1))).isEmpty();
    }

    @Test
    void a_violation_of_an_eventual_property_is_not_reported_before_the_end() {
        assertThat(mutex(3, OptionalInt.of(1)).observe(REQUESTED)).isEmpty();
    }

    @Test
    void without_a_bound_bounded_waiting_is_open() {
        var monitors = mutex(3, OptionalInt.empty());
        monitors.observe(REQUESTED);
        assertThat(monitors.observe(entered(N2, 1))).isEmpty();
        assertThat(monitors.verdicts(true)).containsEntry(Property.BOUNDED_WAITING, Verdict.OPEN);
        assertThat(monitors.largestBypass()).isEqualTo(1);
    }

    @Test
    void with_a_bound_of_zero_no_waiter_may_be_bypassed() {
        var monitors = mutex(3, OptionalInt.of(0));
        monitors.observe(REQUESTED);
        assertThat(monitors.observe(entered(N2, 1))).isEqualTo(List.of(Property.BOUNDED_WAITING));
        assertThat(monitors.verdicts(false)).containsEntry(Property.BOUNDED_WAITING, Verdict.VIOLATED);
    }

    @Test
    void happened_before_order_is_open_above_the_maximum_of_nodes() {
        var most = mutex(CausalityTracker.MAX_NODES, OptionalInt.of(1)).verdicts(true);
        var more = mutex(CausalityTracker.MAX_NODES + 1, OptionalInt.of(1)).verdicts(true);
        assertThat(most).containsEntry(Property.HAPPENED_BEFORE_ORDER, Verdict.HOLDS);
        assertThat(more).containsEntry(Property.HAPPENED_BEFORE_ORDER, Verdict.OPEN);
    }

    @Test
    void an_election_has_no_bypass() {
        var monitors = new MonitorSet(Problem.ELECTION, World.of(Topology.complete(3)), OptionalInt.empty());
        monitors.observe(new ObservableEvent.LeaderAnnounced(N1, N1, 1));
        assertThat(monitors.largestBypass()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void a_property_has_a_name_and_a_sentence(Property property) {
        assertThat(property.toString()).matches("[a-z]+(-[a-z]+)+|[a-z]+");
        assertThat(property.sentence()).isNotBlank().doesNotEndWith(".");
    }
}
