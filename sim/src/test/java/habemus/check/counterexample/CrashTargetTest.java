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

/** The scope restricts crashes to nodes with a role: bystander, waiter, holder or coordinator. */
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
    void central_starves_after_the_crash_of_a_holder_a_waiter_or_the_coordinator_but_not_of_a_bystander() {
        assertThat(starves(CrashTarget.HOLDER)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(CrashTarget.WAITER)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(CrashTarget.COORDINATOR)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(CrashTarget.BYSTANDER)).isEqualTo(Verdict.HOLDS);
        assertThat(starves(CrashTarget.ANYONE)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void the_state_count_of_each_target_is_pinned() {
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
    void the_crashed_node_of_a_counterexample_has_the_role(CrashTarget crashTarget) {
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
    void a_leader_counts_as_holder_and_a_candidate_without_leader_as_waiter() {
        may(CrashTarget.HOLDER, "3request.3crash");
        mayNot(CrashTarget.HOLDER, "2request.2crash");
        may(CrashTarget.WAITER, "2request.2crash");
        mayNot(CrashTarget.WAITER, "3request.3crash");
        may(CrashTarget.BYSTANDER, "3request.1crash");
        mayNot(CrashTarget.BYSTANDER, "3request.3crash");
        may(CrashTarget.BYSTANDER, "2request.3from2.2from3.2from3.2crash");
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
    void a_node_that_crashes_in_a_step_has_the_role_it_reached_in_the_step() {
        var cutting = THREE.withMidStepCrashes();
        assertThat(isPossible(CENTRAL, cutting.withCrashTarget(CrashTarget.HOLDER, FIRST), "2request.1from2.2from1/1"))
                .isFalse();
        assertThat(isPossible(BULLY, cutting.withCrashTarget(CrashTarget.HOLDER, NodeSet.NONE), "3request/4"))
                .isTrue();
        assertThat(isPossible(BULLY, cutting.withCrashTarget(CrashTarget.HOLDER, NodeSet.NONE), "2request/2"))
                .isFalse();
        assertThat(isPossible(BULLY, cutting.withCrashTarget(CrashTarget.WAITER, NodeSet.NONE), "2request/2"))
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
    void a_replay_ignores_the_crash_target() {
        var found = central(CrashTarget.HOLDER).find("no-starvation").orElseThrow();
        assertThat(ModelChecker.play(CENTRAL, THREE, found.schedule()).trace()).isNotEmpty();
    }

    @Test
    void a_detector_allows_no_crash_target() {
        var perfect = Catalogue.find("perfect").orElseThrow().create(AlgorithmParameters.defaults());
        assertThatThrownBy(() -> ModelChecker.check(perfect, THREE.withCrashTarget(CrashTarget.HOLDER, NodeSet.NONE)))
                .hasMessageContaining("crash target must be anyone");
    }

    @Test
    void the_catalogue_names_the_coordinators() {
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
