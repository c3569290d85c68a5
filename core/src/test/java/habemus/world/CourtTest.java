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

class CourtTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final Happening ASKED = new Happening.Asked(N1, NodeSet.NONE);

    private static Court mutex(int nodes, OptionalInt bypassBound) {
        return new Court(Problem.MUTEX, World.of(Topology.complete(nodes)), bypassBound);
    }

    private static Happening entered(NodeId node, long fence) {
        return new Happening.Entered(node, fence);
    }

    @ParameterizedTest
    @EnumSource
    void judges_every_property_of_its_problem_and_no_other(Problem problem) {
        var court = new Court(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        assertThat(court.verdicts(true).keySet()).isEqualTo(Set.copyOf(Property.of(problem)));
        assertThat(Property.of(problem)).isNotEmpty().allMatch(property -> property.problem() == problem);
    }

    @ParameterizedTest
    @EnumSource
    void everything_holds_if_nothing_happens(Problem problem) {
        var court = new Court(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        assertThat(court.verdicts(true)).doesNotContainValue(Verdict.VIOLATED).doesNotContainValue(Verdict.OPEN);
    }

    @ParameterizedTest
    @EnumSource
    void what_must_hold_in_the_end_is_open_until_then(Problem problem) {
        var court = new Court(problem, World.of(Topology.complete(3)), OptionalInt.of(1));
        court.see(ASKED);
        court.verdicts(false)
                .forEach((property, verdict) -> assertThat(verdict)
                        .as(property.toString())
                        .isEqualTo(property.when() == Property.When.IN_THE_END ? Verdict.OPEN : Verdict.HOLDS));
    }

    @Test
    void who_waits_in_the_end_starves() {
        var court = mutex(3, OptionalInt.of(1));
        court.see(ASKED);
        assertThat(court.verdicts(true))
                .containsEntry(Property.NO_STARVATION, Verdict.VIOLATED)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.VIOLATED)
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS);
    }

    @Test
    void what_was_violated_once_stays_so() {
        var court = mutex(3, OptionalInt.of(1));
        court.see(entered(N1, 1));
        court.see(entered(N2, 2));
        court.see(new Happening.Left(N1));
        court.see(new Happening.Left(N2));
        assertThat(court.verdicts(true)).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
        assertThat(court.verdicts(false)).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
    }

    @Test
    void tells_each_violation_once_and_at_once() {
        var court = mutex(3, OptionalInt.of(1));
        assertThat(court.see(entered(N1, 1))).isEmpty();
        assertThat(court.see(entered(N2, 1))).isEqualTo(List.of(Property.MUTUAL_EXCLUSION, Property.FENCES_GROW));
        assertThat(court.see(new Happening.Left(N2))).isEmpty();
        assertThat(court.see(entered(N2, 1))).isEmpty();
    }

    @Test
    void what_must_hold_in_the_end_is_not_told_before() {
        assertThat(mutex(3, OptionalInt.of(1)).see(ASKED)).isEmpty();
    }

    @Test
    void without_a_bound_nobody_can_say_whether_waiting_is_bounded() {
        var court = mutex(3, OptionalInt.empty());
        court.see(ASKED);
        assertThat(court.see(entered(N2, 1))).isEmpty();
        assertThat(court.verdicts(true)).containsEntry(Property.BOUNDED_WAITING, Verdict.OPEN);
        assertThat(court.largestBypass()).isEqualTo(1);
    }

    @Test
    void with_a_bound_of_zero_nobody_may_be_passed() {
        var court = mutex(3, OptionalInt.of(0));
        court.see(ASKED);
        assertThat(court.see(entered(N2, 1))).isEqualTo(List.of(Property.BOUNDED_WAITING));
        assertThat(court.verdicts(false)).containsEntry(Property.BOUNDED_WAITING, Verdict.VIOLATED);
    }

    @Test
    void among_too_many_nobody_can_say_what_happened_before_what() {
        var most = mutex(Causality.MOST, OptionalInt.of(1)).verdicts(true);
        var more = mutex(Causality.MOST + 1, OptionalInt.of(1)).verdicts(true);
        assertThat(most).containsEntry(Property.HAPPENED_BEFORE_ORDER, Verdict.HOLDS);
        assertThat(more).containsEntry(Property.HAPPENED_BEFORE_ORDER, Verdict.OPEN);
    }

    @Test
    void nobody_is_passed_in_an_election() {
        var court = new Court(Problem.ELECTION, World.of(Topology.complete(3)), OptionalInt.empty());
        court.see(new Happening.Named(N1, N1, 1));
        assertThat(court.largestBypass()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void a_property_has_a_name_as_it_is_written_and_a_sentence(Property property) {
        assertThat(property.toString()).matches("[a-z]+(-[a-z]+)+|[a-z]+");
        assertThat(property.sentence()).isNotBlank().doesNotEndWith(".");
    }
}
