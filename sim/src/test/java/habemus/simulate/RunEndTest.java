package habemus.simulate;

import static habemus.simulate.RecordedSimulation.at;
import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.withFaults;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.election.Bully;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.TokenRing;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.simulate.ScriptedProtocol.Timer;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of a run and the verdicts at that time. */
class RunEndTest {

    /** Never ends: every node has a timeout every millisecond. */
    private static final ScriptedProtocol RESTLESS = ScriptedProtocol.election(
            step -> step.setTimer(Timer.ONE, ofMillis(1)),
            (step, event) -> event instanceof Event.Timeout ? step.setTimer(Timer.ONE, ofMillis(1)) : step);

    /** Grants every request at once. */
    private static final ScriptedProtocol OPEN = ScriptedProtocol.mutex((step, event) ->
            event instanceof Event.Acquire ? step.grant(step.state().steps()) : step);

    private static final World WORLD = plainWorld(2).withWorkload(once(1));

    @Test
    void a_run_is_idle_when_all_requests_are_granted_and_steps_change_no_state() {
        var world = World.of(Topology.complete(4));
        var result = Simulation.of(new TokenRing(false), world, 1).run();
        assertThat(result.end()).isEqualTo(RunResult.End.IDLE);
        assertThat(result.entries()).isEqualTo(4);
        assertThat(result.verdicts()).containsEntry(Property.NO_STARVATION, Verdict.HOLDS);
    }

    @Test
    void a_run_is_quiet_after_15_seconds_of_heartbeats_only() {
        var result = RecordedSimulation.of(RESTLESS, WORLD).result();
        assertThat(result.end()).isEqualTo(RunResult.End.QUIET);
        assertThat(result.micros()).isBetween(15_000_000L, 16_000_000L);
        assertThat(result.verdicts()).containsEntry(Property.TERMINATION, Verdict.VIOLATED);
    }

    @Test
    void a_run_is_not_quiet_while_a_longer_timer_is_set() {
        var longTimer = ScriptedProtocol.election(
                step -> step.setTimer(Timer.ONE, ofMillis(1)).setTimer(Timer.TWO, Duration.ofSeconds(50)),
                (step, event) -> !(event instanceof Event.Timeout<ScriptedProtocol.Message>(var timer))
                        ? step
                        : timer == Timer.ONE
                                ? step.setTimer(Timer.ONE, ofMillis(1))
                                : step.elected(step.state().self(), 1));
        var result = RecordedSimulation.of(longTimer, plainWorld(1)).result();
        assertThat(result.elections()).isEqualTo(1);
        assertThat(result.end()).isEqualTo(RunResult.End.QUIET);
        assertThat(result.micros()).isBetween(250_000_000L, 251_000_000L);
    }

    @Test
    void a_run_that_waits_for_one_distant_timer_is_not_quiet() {
        var longTimer = ScriptedProtocol.election(
                step -> step.setTimer(Timer.ONE, Duration.ofMinutes(2)),
                (step, event) -> event instanceof Event.Timeout
                        ? step.elected(step.state().self(), 1)
                        : step);
        var result = RecordedSimulation.of(longTimer, plainWorld(1)).result();
        assertThat(result.end()).isEqualTo(RunResult.End.REST);
        assertThat(result.elections()).isEqualTo(1);
    }

    @Test
    void a_run_with_scheduled_requests_is_not_idle() {
        var requests = List.of(new Workload.Request(new NodeId(1), Duration.ofSeconds(5)));
        var world = World.of(Topology.complete(4))
                .withWorkload(Workload.once(List.of()).withRequests(requests));
        assertThat(Simulation.of(new TokenRing(false), world, 1).run().entries())
                .isEqualTo(1);
    }

    @Test
    void a_run_without_events_is_at_rest() {
        var result = RecordedSimulation.of(OPEN, WORLD).result();
        assertThat(result.end()).isEqualTo(RunResult.End.REST);
        assertThat(result.micros()).isEqualTo(1_000);
        assertThat(result.verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.HOLDS)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.HOLDS);
    }

    @Test
    void eventual_properties_are_open_at_the_time_limit() {
        var result = RecordedSimulation.of(RESTLESS, WORLD, 1, RunLimits.AMPLE.withMaxTime(ofMillis(5)))
                .result();
        assertThat(result.end()).isEqualTo(RunResult.End.LIMIT);
        assertThat(result.verdicts())
                .containsEntry(Property.TERMINATION, Verdict.OPEN)
                .containsEntry(Property.UNIQUENESS, Verdict.HOLDS);
    }

    @Test
    void the_time_limit_is_inclusive() {
        var run = RecordedSimulation.of(RESTLESS, WORLD, 1, RunLimits.AMPLE.withMaxTime(ofMillis(5)));
        assertThat(run.timedSteps(2)).hasSize(6).endsWith("5000 timeout ONE");
    }

    @Test
    void a_limited_run_takes_no_step_after_its_time_limit() {
        var limits = RunLimits.AMPLE.withMaxTime(Duration.ofNanos(5_500_000));
        assertThat(RecordedSimulation.of(RESTLESS, WORLD, 1, limits).result().micros())
                .isLessThanOrEqualTo(5_500);
    }

    @Test
    void a_run_ends_at_its_step_limit() {
        var result = RecordedSimulation.of(RESTLESS, WORLD, 1, RunLimits.AMPLE.withMaxSteps(100))
                .result();
        assertThat(result.end()).isEqualTo(RunResult.End.LIMIT);
        assertThat(result.steps()).isEqualTo(100);
    }

    @Test
    void a_run_that_needs_exactly_its_step_limit_is_at_rest() {
        var steps = RecordedSimulation.of(OPEN, WORLD).result().steps();
        assertThat(RecordedSimulation.of(OPEN, WORLD, 1, RunLimits.AMPLE.withMaxSteps(steps))
                        .result()
                        .end())
                .isEqualTo(RunResult.End.REST);
        assertThat(RecordedSimulation.of(OPEN, WORLD, 1, RunLimits.AMPLE.withMaxSteps(steps - 1))
                        .result()
                        .end())
                .isEqualTo(RunResult.End.LIMIT);
    }

    @Test
    void a_run_can_stop_at_its_first_violation() {
        var world = plainWorld(3).withWorkload(once(1, 2, 3));
        var stopped = RecordedSimulation.of(OPEN, world, 1, RunLimits.AMPLE.withStopAtViolation());
        assertThat(stopped.result().end()).isEqualTo(RunResult.End.VIOLATION);
        assertThat(stopped.result().entries()).isEqualTo(2);
        assertThat(stopped.all(TraceEvent.Violated.class)).isNotEmpty();
        assertThat(stopped.result().verdicts())
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED)
                .containsEntry(Property.NO_STARVATION, Verdict.OPEN);
        assertThat(RecordedSimulation.of(OPEN, world).result().entries()).isEqualTo(3);
    }

    @Test
    void eventual_properties_are_decided_at_the_end_of_the_settle_period() {
        var result = RecordedSimulation.of(RESTLESS, WORLD, 1, RunLimits.AMPLE.withConvergenceBy(ofMillis(5)))
                .result();
        assertThat(result.end()).isEqualTo(RunResult.End.SETTLED);
        assertThat(result.verdicts()).containsEntry(Property.TERMINATION, Verdict.VIOLATED);
        assertThat(result.hasFailed()).isTrue();
    }

    @Test
    void a_run_may_be_at_rest_before_the_settle_period_ends() {
        assertThat(RecordedSimulation.of(OPEN, WORLD, 1, RunLimits.AMPLE.withConvergenceBy(ofMillis(5)))
                        .result()
                        .end())
                .isEqualTo(RunResult.End.REST);
    }

    @Test
    void a_bug_leaves_eventual_properties_open() {
        var doubleGrant = ScriptedProtocol.mutex(
                (step, event) -> event instanceof Event.Acquire ? step.grant(1).grant(2) : step);
        var result = RecordedSimulation.of(doubleGrant, WORLD).result();
        assertThat(result.verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.OPEN)
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS);
        assertThat(result.hasFailed()).isTrue();
    }

    @Test
    void a_run_without_monitors_has_no_verdicts_and_does_not_stop_early() {
        var result = Simulation.of(OPEN, plainWorld(3).withWorkload(once(1, 2, 3)), 1)
                .withLimits(RunLimits.AMPLE.withStopAtViolation())
                .withoutMonitors()
                .run();
        assertThat(result.verdicts()).isEmpty();
        assertThat(result.end()).isEqualTo(RunResult.End.REST);
        assertThat(result.entries()).isEqualTo(3);
        assertThat(result.hasFailed()).isFalse();
    }

    @Test
    void a_node_that_waits_for_ever_is_listed_and_starves() {
        var cut = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
        var run = RecordedSimulation.of(new RicartAgrawala(false, List.of()), withFaults(WORLD, at(0, cut)));
        assertThat(run.result().waiters()).extracting(RunResult.Waiter::node).containsExactly(n(1));
        assertThat(run.result().verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.VIOLATED)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.VIOLATED);
    }

    @Test
    void a_fault_tolerant_algorithm_converges_after_the_heal() {
        var bully = new Bully(Ranking.BY_NUMBER, ofMillis(100), ofMillis(500));
        var allowed = EnumSet.of(FaultKind.CRASH, FaultKind.RESTART);
        var faultless = World.of(Topology.complete(4)).withDetector(new DetectorModel.Oracle(ofMillis(250)));
        for (long seed = 0; seed < 50; seed++) {
            var result = RecordedSimulation.of(
                            bully, SwarmFaults.inject(faultless, allowed, seed), seed, SwarmFaults.limits())
                    .result();
            assertThat(result.end()).isIn(RunResult.End.REST, RunResult.End.SETTLED);
            assertThat(result.verdicts())
                    .as("seed %d", seed)
                    .containsEntry(Property.TERMINATION, Verdict.HOLDS)
                    .containsEntry(Property.AGREEMENT, Verdict.HOLDS)
                    .containsEntry(Property.BEST_WINS, Verdict.HOLDS);
        }
    }

    @Test
    void an_algorithm_that_tolerates_no_loss_does_not_converge_after_the_heal() {
        var algorithm = Catalogue.find("ricart-agrawala").orElseThrow();
        int stuck = 0;
        for (long seed = 0; seed < 30; seed++) {
            var world = SwarmFaults.inject(World.of(Topology.complete(4)), EnumSet.of(FaultKind.LOSS), seed);
            var result = RecordedSimulation.of(
                            algorithm.create(AlgorithmParameters.defaults()), world, seed, SwarmFaults.limits())
                    .result();
            stuck += result.verdicts().get(Property.NO_STARVATION) == Verdict.VIOLATED ? 1 : 0;
        }
        assertThat(stuck).isBetween(5, 25);
    }
}
