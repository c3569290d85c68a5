package habemus.check.counterexample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.check.ModelChecker;
import habemus.check.model.CheckReport;
import habemus.check.model.CrashTarget;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.election.Bully;
import habemus.mutex.Central;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.world.FaultKind;
import habemus.world.ObservableEvent;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may crash can be told by what is seen of a node. */
class CrashTargetTest {

    private static final Scope THREE = Scope.of(Topology.complete(3)).withFault(FaultKind.CRASH, 1);
    private static final Central CENTRAL = new Central(Duration.ZERO, false);
    private static final NodeSet FIRST = NodeSet.of(new NodeId(1));
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));

    private static CheckReport central(CrashTarget crashTarget) {
        return ModelChecker.check(
                CENTRAL, THREE.withCrashTarget(crashTarget, FIRST), Property.NO_STARVATION, Property.MUTUAL_EXCLUSION);
    }

    private static Verdict starves(CrashTarget crashTarget) {
        return central(crashTarget).verdict(Property.NO_STARVATION);
    }

    @Test
    void central_waits_for_ever_for_a_holder_a_waiter_or_the_coordinator_but_not_for_a_bystander() {
        assertThat(starves(CrashTarget.HOLDER)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(CrashTarget.WAITER)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(CrashTarget.COORDINATOR)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(CrashTarget.BYSTANDER)).isEqualTo(Verdict.HOLDS);
        assertThat(starves(CrashTarget.ANYONE)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void the_small_world_of_each_is_as_large_as_it_was() {
        assertThat(List.of(
                        central(CrashTarget.ANYONE).states(),
                        central(CrashTarget.BYSTANDER).states(),
                        central(CrashTarget.WAITER).states(),
                        central(CrashTarget.HOLDER).states(),
                        central(CrashTarget.COORDINATOR).states()))
                .containsExactly(512L, 260L, 260L, 158L, 252L);
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITER", "HOLDER", "COORDINATOR"})
    void who_crashes_in_a_counterexample_is_one_of_them(CrashTarget crashTarget) {
        var run = central(crashTarget).find("no-starvation").orElseThrow().trace();
        var crashed = run.stream()
                .filter(line -> line instanceof TraceEvent.Observed(var at, var what)
                        && what instanceof ObservableEvent.Crashed)
                .map(line -> (ObservableEvent.Crashed) ((TraceEvent.Observed) line).event())
                .findFirst()
                .orElseThrow();
        assertThat(crashed.node().equals(new NodeId(1))).isEqualTo(crashTarget == CrashTarget.COORDINATOR);
        assertThat(crashed.asking()).isEqualTo(crashTarget == CrashTarget.WAITER);
    }

    @Test
    void a_leader_is_a_holder_and_a_candidate_that_names_nobody_a_waiter() {
        may(CrashTarget.HOLDER, "3ask.3crash");
        mayNot(CrashTarget.HOLDER, "2ask.2crash");
        may(CrashTarget.WAITER, "2ask.2crash");
        mayNot(CrashTarget.WAITER, "3ask.3crash");
        may(CrashTarget.BYSTANDER, "3ask.1crash");
        mayNot(CrashTarget.BYSTANDER, "3ask.3crash");
        may(CrashTarget.BYSTANDER, "2ask.3from2.2from3.2from3.2crash");
    }

    private static ScheduledRun walk(CrashTarget crashTarget, String moves) {
        var schedulePlayer = new SchedulePlayer(BULLY, THREE.withCrashTarget(crashTarget, NodeSet.NONE), List.of());
        return schedulePlayer.play(Schedule.parse(moves));
    }

    private static void may(CrashTarget crashTarget, String moves) {
        assertThat(walk(crashTarget, moves).executed()).isNotEmpty();
    }

    private static void mayNot(CrashTarget crashTarget, String moves) {
        assertThatThrownBy(() -> walk(crashTarget, moves)).isInstanceOf(Schedule.InvalidScheduleException.class);
    }

    @Test
    void who_crashes_amid_a_step_is_what_it_became_in_it() {
        var cutting = THREE.withMidStepCrashes();
        assertThat(isPossible(CENTRAL, cutting.withCrashTarget(CrashTarget.HOLDER, FIRST), "2ask.1from2.2from1/1"))
                .isFalse();
        assertThat(isPossible(BULLY, cutting.withCrashTarget(CrashTarget.HOLDER, NodeSet.NONE), "3ask/4"))
                .isTrue();
        assertThat(isPossible(BULLY, cutting.withCrashTarget(CrashTarget.HOLDER, NodeSet.NONE), "2ask/2"))
                .isFalse();
        assertThat(isPossible(BULLY, cutting.withCrashTarget(CrashTarget.WAITER, NodeSet.NONE), "2ask/2"))
                .isTrue();
    }

    private static boolean isPossible(Protocol<?, ?> protocol, Scope scope, String moves) {
        try {
            return !new SchedulePlayer(protocol, scope, List.of())
                    .play(Schedule.parse(moves))
                    .executed()
                    .isEmpty();
        } catch (Schedule.InvalidScheduleException invalidScheduleException) {
            return false;
        }
    }

    @Test
    void what_was_found_is_played_whoever_crashes_in_it() {
        var found = central(CrashTarget.HOLDER).find("no-starvation").orElseThrow();
        assertThat(ModelChecker.play(CENTRAL, THREE, found.schedule()).trace()).isNotEmpty();
    }

    @Test
    void detectors_have_no_holders() {
        var perfect = Catalogue.find("perfect").orElseThrow().create(AlgorithmParameters.defaults());
        assertThatThrownBy(() -> ModelChecker.check(perfect, THREE.withCrashTarget(CrashTarget.HOLDER, NodeSet.NONE)))
                .hasMessageContaining("anyone may crash");
    }

    @Test
    void the_catalogue_tells_who_coordinates() {
        assertThat(coordinators("central")).isEqualTo(FIRST);
        assertThat(coordinators("lamport")).isEqualTo(NodeSet.NONE);
        assertThat(coordinators("quorum")).isEqualTo(NodeSet.NONE);
    }

    private static NodeSet coordinators(String name) {
        return Catalogue.find(name)
                .orElseThrow()
                .coordinators()
                .apply(AlgorithmParameters.defaults().withNodeCount(3));
    }
}
