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

/** When a run ends, and what may be said of it then. */
class RunEndTest {

    /** Never comes to rest: everybody rings every millisecond. */
    private static final ScriptedProtocol RESTLESS = ScriptedProtocol.election(
            step -> step.setTimer(Timer.ONE, ofMillis(1)),
            (step, event) -> event instanceof Event.Timeout ? step.setTimer(Timer.ONE, ofMillis(1)) : step);

    /** Everybody gets in at once. */
    private static final ScriptedProtocol OPEN = ScriptedProtocol.mutex((step, event) ->
            event instanceof Event.Acquire ? step.grant(step.state().steps()) : step);

    private static final World WORLD = plainWorld(2).withWorkload(once(1));

    @Test
    void a_run_is_idle_when_everybody_was_served_and_what_goes_round_changes_nothing() {
        var world = World.of(Topology.complete(4));
        var runResult = Simulation.of(new TokenRing(false), world, 1).run();
        assertThat(runResult.end()).isEqualTo(RunResult.End.IDLE);
        assertThat(runResult.entries()).isEqualTo(4);
        assertThat(runResult.verdicts()).containsEntry(Property.NO_STARVATION, Verdict.HOLDS);
    }

    @Test
    void a_run_is_quiet_when_only_heartbeats_were_left_for_15_seconds() {
        var runResult = RecordedSimulation.of(RESTLESS, WORLD).runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.QUIET);
        assertThat(runResult.micros()).isBetween(15_000_000L, 16_000_000L);
        assertThat(runResult.verdicts()).containsEntry(Property.TERMINATION, Verdict.VIOLATED);
    }

    @Test
    void a_run_is_not_quiet_while_somebody_waits_for_longer_than_that() {
        var patient = ScriptedProtocol.election(
                step -> step.setTimer(Timer.ONE, ofMillis(1)).setTimer(Timer.TWO, Duration.ofSeconds(50)),
                (step, event) -> !(event instanceof Event.Timeout<ScriptedProtocol.Message>(var bell))
                        ? step
                        : bell == Timer.ONE
                                ? step.setTimer(Timer.ONE, ofMillis(1))
                                : step.elected(step.state().self(), 1));
        var runResult = RecordedSimulation.of(patient, plainWorld(1)).runResult();
        assertThat(runResult.elections()).isEqualTo(1);
        assertThat(runResult.end()).isEqualTo(RunResult.End.QUIET);
        assertThat(runResult.micros()).isBetween(250_000_000L, 251_000_000L);
    }

    @Test
    void a_run_is_not_quiet_because_a_single_alarm_is_far_away() {
        var patient = ScriptedProtocol.election(
                step -> step.setTimer(Timer.ONE, Duration.ofMinutes(2)),
                (step, event) -> event instanceof Event.Timeout
                        ? step.elected(step.state().self(), 1)
                        : step);
        var runResult = RecordedSimulation.of(patient, plainWorld(1)).runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.REST);
        assertThat(runResult.elections()).isEqualTo(1);
    }

    @Test
    void a_run_is_not_idle_while_something_is_planned() {
        var requests = List.of(new Workload.Request(new NodeId(1), Duration.ofSeconds(5)));
        var world = World.of(Topology.complete(4))
                .withWorkload(Workload.once(List.of()).withRequests(requests));
        assertThat(Simulation.of(new TokenRing(false), world, 1).run().entries())
                .isEqualTo(1);
    }

    @Test
    void a_run_rests_when_nothing_is_left_that_could_happen() {
        var runResult = RecordedSimulation.of(OPEN, WORLD).runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.REST);
        assertThat(runResult.micros()).isEqualTo(1_000);
        assertThat(runResult.verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.HOLDS)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.HOLDS);
    }

    @Test
    void at_the_limit_of_time_the_verdicts_on_the_end_are_open() {
        var runResult = RecordedSimulation.of(RESTLESS, WORLD, 1, RunLimits.AMPLE.withMaxTime(ofMillis(5)))
                .runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.LIMIT);
        assertThat(runResult.verdicts())
                .containsEntry(Property.TERMINATION, Verdict.OPEN)
                .containsEntry(Property.UNIQUENESS, Verdict.HOLDS);
    }

    @Test
    void what_happens_at_the_limit_of_time_still_happens_and_nothing_after_it() {
        var recordedSimulation = RecordedSimulation.of(RESTLESS, WORLD, 1, RunLimits.AMPLE.withMaxTime(ofMillis(5)));
        assertThat(recordedSimulation.timedSteps(2)).hasSize(6).endsWith("5000 rings ONE");
    }

    @Test
    void at_the_limit_of_time_no_more_time_has_passed() {
        var runLimits = RunLimits.AMPLE.withMaxTime(Duration.ofNanos(5_500_000));
        assertThat(RecordedSimulation.of(RESTLESS, WORLD, 1, runLimits)
                        .runResult()
                        .micros())
                .isLessThanOrEqualTo(5_500);
    }

    @Test
    void a_run_ends_at_the_limit_of_steps() {
        var runResult = RecordedSimulation.of(RESTLESS, WORLD, 1, RunLimits.AMPLE.withMaxSteps(100))
                .runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.LIMIT);
        assertThat(runResult.steps()).isEqualTo(100);
    }

    @Test
    void a_run_that_needs_no_more_steps_than_it_may_rests() {
        var steps = RecordedSimulation.of(OPEN, WORLD).runResult().steps();
        assertThat(RecordedSimulation.of(OPEN, WORLD, 1, RunLimits.AMPLE.withMaxSteps(steps))
                        .runResult()
                        .end())
                .isEqualTo(RunResult.End.REST);
        assertThat(RecordedSimulation.of(OPEN, WORLD, 1, RunLimits.AMPLE.withMaxSteps(steps - 1))
                        .runResult()
                        .end())
                .isEqualTo(RunResult.End.LIMIT);
    }

    @Test
    void a_run_may_end_at_its_first_violation() {
        var world = plainWorld(3).withWorkload(once(1, 2, 3));
        var stopped = RecordedSimulation.of(OPEN, world, 1, RunLimits.AMPLE.withStopAtViolation());
        assertThat(stopped.runResult().end()).isEqualTo(RunResult.End.VIOLATION);
        assertThat(stopped.runResult().entries()).isEqualTo(2);
        assertThat(stopped.all(TraceEvent.Violated.class)).isNotEmpty();
        assertThat(stopped.runResult().verdicts())
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED)
                .containsEntry(Property.NO_STARVATION, Verdict.OPEN);
        assertThat(RecordedSimulation.of(OPEN, world).runResult().entries()).isEqualTo(3);
    }

    @Test
    void a_run_that_was_given_time_to_settle_is_judged_as_if_it_rested() {
        var runResult = RecordedSimulation.of(RESTLESS, WORLD, 1, RunLimits.AMPLE.withConvergenceBy(ofMillis(5)))
                .runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.SETTLED);
        assertThat(runResult.verdicts()).containsEntry(Property.TERMINATION, Verdict.VIOLATED);
        assertThat(runResult.hasFailed()).isTrue();
    }

    @Test
    void a_run_that_rests_before_it_must_have_settled_rests() {
        assertThat(RecordedSimulation.of(OPEN, WORLD, 1, RunLimits.AMPLE.withConvergenceBy(ofMillis(5)))
                        .runResult()
                        .end())
                .isEqualTo(RunResult.End.REST);
    }

    @Test
    void a_bug_leaves_the_verdicts_on_the_end_open() {
        var eager = ScriptedProtocol.mutex(
                (step, event) -> event instanceof Event.Acquire ? step.grant(1).grant(2) : step);
        var runResult = RecordedSimulation.of(eager, WORLD).runResult();
        assertThat(runResult.verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.OPEN)
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS);
        assertThat(runResult.hasFailed()).isTrue();
    }

    @Test
    void unjudged_there_are_no_verdicts_and_nothing_ends_it_early() {
        var runResult = Simulation.of(OPEN, plainWorld(3).withWorkload(once(1, 2, 3)), 1)
                .withLimits(RunLimits.AMPLE.withStopAtViolation())
                .withoutMonitors()
                .run();
        assertThat(runResult.verdicts()).isEmpty();
        assertThat(runResult.end()).isEqualTo(RunResult.End.REST);
        assertThat(runResult.entries()).isEqualTo(3);
        assertThat(runResult.hasFailed()).isFalse();
    }

    @Test
    void who_waits_for_ever_is_told_and_starves() {
        var cut = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
        var recordedSimulation =
                RecordedSimulation.of(new RicartAgrawala(false, List.of()), withFaults(WORLD, at(0, cut)));
        assertThat(recordedSimulation.runResult().waiters())
                .extracting(RunResult.Waiter::node)
                .containsExactly(n(1));
        assertThat(recordedSimulation.runResult().verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.VIOLATED)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.VIOLATED);
    }

    @Test
    void healed_an_algorithm_that_survives_converges() {
        var bully = new Bully(Ranking.BY_NUMBER, ofMillis(100), ofMillis(500));
        var allowed = EnumSet.of(FaultKind.CRASH, FaultKind.RESTART);
        var kind = World.of(Topology.complete(4)).withDetector(new DetectorModel.Oracle(ofMillis(250)));
        for (long seed = 0; seed < 50; seed++) {
            var runResult = RecordedSimulation.of(
                            bully, SwarmFaults.inject(kind, allowed, seed), seed, SwarmFaults.limits())
                    .runResult();
            assertThat(runResult.end()).isIn(RunResult.End.REST, RunResult.End.SETTLED);
            assertThat(runResult.verdicts())
                    .as("seed %d", seed)
                    .containsEntry(Property.TERMINATION, Verdict.HOLDS)
                    .containsEntry(Property.AGREEMENT, Verdict.HOLDS)
                    .containsEntry(Property.BEST_WINS, Verdict.HOLDS);
        }
    }

    @Test
    void healed_an_algorithm_that_lost_messages_does_not_converge() {
        var algorithm = Catalogue.find("ricart-agrawala").orElseThrow();
        int stuck = 0;
        for (long seed = 0; seed < 30; seed++) {
            var world = SwarmFaults.inject(World.of(Topology.complete(4)), EnumSet.of(FaultKind.LOSS), seed);
            var runResult = RecordedSimulation.of(
                            algorithm.create(AlgorithmParameters.defaults()), world, seed, SwarmFaults.limits())
                    .runResult();
            stuck += runResult.verdicts().get(Property.NO_STARVATION) == Verdict.VIOLATED ? 1 : 0;
        }
        assertThat(stuck).isBetween(5, 25);
    }
}
