package habemus.simulate;

import static habemus.simulate.Film.at;
import static habemus.simulate.Film.n;
import static habemus.simulate.Film.once;
import static habemus.simulate.Film.plainWorld;
import static habemus.simulate.Film.struck;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.election.Bully;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.TokenRing;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.simulate.Puppet.Bell;
import habemus.world.Detector;
import habemus.world.Fault;
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a run ends, and what may be said of it then. */
class EndsTest {

    /** Never comes to rest: everybody rings every millisecond. */
    private static final Puppet RESTLESS = Puppet.electing(
            step -> step.wake(Bell.ONE, ofMillis(1)),
            (step, event) -> event instanceof Event.Elapsed ? step.wake(Bell.ONE, ofMillis(1)) : step);

    /** Everybody gets in at once. */
    private static final Puppet OPEN = Puppet.locking((step, event) ->
            event instanceof Event.Acquire ? step.grant(step.state().steps()) : step);

    private static final World WORLD = plainWorld(2).wanting(once(1));

    @Test
    void a_run_is_idle_when_everybody_was_served_and_what_goes_round_changes_nothing() {
        var world = World.of(Topology.complete(4));
        var outcome = Simulation.of(new TokenRing(false), world, 1).run();
        assertThat(outcome.end()).isEqualTo(Outcome.End.IDLE);
        assertThat(outcome.entries()).isEqualTo(4);
        assertThat(outcome.verdicts()).containsEntry(Property.NO_STARVATION, Verdict.HOLDS);
    }

    @Test
    void a_run_is_quiet_when_only_heartbeats_were_left_for_15_seconds() {
        var outcome = Film.of(RESTLESS, WORLD).outcome();
        assertThat(outcome.end()).isEqualTo(Outcome.End.QUIET);
        assertThat(outcome.micros()).isBetween(15_000_000L, 16_000_000L);
        assertThat(outcome.verdicts()).containsEntry(Property.TERMINATION, Verdict.VIOLATED);
    }

    @Test
    void a_run_is_not_quiet_while_somebody_waits_for_longer_than_that() {
        var patient = Puppet.electing(
                step -> step.wake(Bell.ONE, ofMillis(1)).wake(Bell.TWO, Duration.ofSeconds(50)),
                (step, event) -> !(event instanceof Event.Elapsed<Puppet.Note>(var bell))
                        ? step
                        : bell == Bell.ONE
                                ? step.wake(Bell.ONE, ofMillis(1))
                                : step.elected(step.state().self(), 1));
        var outcome = Film.of(patient, plainWorld(1)).outcome();
        assertThat(outcome.elections()).isEqualTo(1);
        assertThat(outcome.end()).isEqualTo(Outcome.End.QUIET);
        assertThat(outcome.micros()).isBetween(250_000_000L, 251_000_000L);
    }

    @Test
    void a_run_is_not_quiet_because_a_single_alarm_is_far_away() {
        var patient = Puppet.electing(
                step -> step.wake(Bell.ONE, Duration.ofMinutes(2)),
                (step, event) -> event instanceof Event.Elapsed
                        ? step.elected(step.state().self(), 1)
                        : step);
        var outcome = Film.of(patient, plainWorld(1)).outcome();
        assertThat(outcome.end()).isEqualTo(Outcome.End.REST);
        assertThat(outcome.elections()).isEqualTo(1);
    }

    @Test
    void a_run_is_not_idle_while_something_is_planned() {
        var calls = List.of(new Workload.Call(new NodeId(1), Duration.ofSeconds(5)));
        var world =
                World.of(Topology.complete(4)).wanting(Workload.once(List.of()).calling(calls));
        assertThat(Simulation.of(new TokenRing(false), world, 1).run().entries())
                .isEqualTo(1);
    }

    @Test
    void a_run_rests_when_nothing_is_left_that_could_happen() {
        var outcome = Film.of(OPEN, WORLD).outcome();
        assertThat(outcome.end()).isEqualTo(Outcome.End.REST);
        assertThat(outcome.micros()).isEqualTo(1_000);
        assertThat(outcome.verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.HOLDS)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.HOLDS);
    }

    @Test
    void at_the_limit_of_time_the_verdicts_on_the_end_are_open() {
        var outcome =
                Film.of(RESTLESS, WORLD, 1, Limits.AMPLE.time(ofMillis(5))).outcome();
        assertThat(outcome.end()).isEqualTo(Outcome.End.LIMIT);
        assertThat(outcome.verdicts())
                .containsEntry(Property.TERMINATION, Verdict.OPEN)
                .containsEntry(Property.UNIQUENESS, Verdict.HOLDS);
    }

    @Test
    void what_happens_at_the_limit_of_time_still_happens_and_nothing_after_it() {
        var film = Film.of(RESTLESS, WORLD, 1, Limits.AMPLE.time(ofMillis(5)));
        assertThat(film.story(2)).hasSize(6).endsWith("5000 rings ONE");
    }

    @Test
    void at_the_limit_of_time_no_more_time_has_passed() {
        var limits = Limits.AMPLE.time(Duration.ofNanos(5_500_000));
        assertThat(Film.of(RESTLESS, WORLD, 1, limits).outcome().micros()).isLessThanOrEqualTo(5_500);
    }

    @Test
    void a_run_ends_at_the_limit_of_steps() {
        var outcome = Film.of(RESTLESS, WORLD, 1, Limits.AMPLE.steps(100)).outcome();
        assertThat(outcome.end()).isEqualTo(Outcome.End.LIMIT);
        assertThat(outcome.steps()).isEqualTo(100);
    }

    @Test
    void a_run_that_needs_no_more_steps_than_it_may_rests() {
        var steps = Film.of(OPEN, WORLD).outcome().steps();
        assertThat(Film.of(OPEN, WORLD, 1, Limits.AMPLE.steps(steps)).outcome().end())
                .isEqualTo(Outcome.End.REST);
        assertThat(Film.of(OPEN, WORLD, 1, Limits.AMPLE.steps(steps - 1))
                        .outcome()
                        .end())
                .isEqualTo(Outcome.End.LIMIT);
    }

    @Test
    void a_run_may_end_at_its_first_violation() {
        var world = plainWorld(3).wanting(once(1, 2, 3));
        var stopped = Film.of(OPEN, world, 1, Limits.AMPLE.stoppingAtViolation());
        assertThat(stopped.outcome().end()).isEqualTo(Outcome.End.VIOLATION);
        assertThat(stopped.outcome().entries()).isEqualTo(2);
        assertThat(stopped.all(TraceLine.Violated.class)).isNotEmpty();
        assertThat(stopped.outcome().verdicts())
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED)
                .containsEntry(Property.NO_STARVATION, Verdict.OPEN);
        assertThat(Film.of(OPEN, world).outcome().entries()).isEqualTo(3);
    }

    @Test
    void a_run_that_was_given_time_to_settle_is_judged_as_if_it_rested() {
        var outcome =
                Film.of(RESTLESS, WORLD, 1, Limits.AMPLE.settledAt(ofMillis(5))).outcome();
        assertThat(outcome.end()).isEqualTo(Outcome.End.SETTLED);
        assertThat(outcome.verdicts()).containsEntry(Property.TERMINATION, Verdict.VIOLATED);
        assertThat(outcome.failed()).isTrue();
    }

    @Test
    void a_run_that_rests_before_it_must_have_settled_rests() {
        assertThat(Film.of(OPEN, WORLD, 1, Limits.AMPLE.settledAt(ofMillis(5)))
                        .outcome()
                        .end())
                .isEqualTo(Outcome.End.REST);
    }

    @Test
    void a_bug_leaves_the_verdicts_on_the_end_open() {
        var eager = Puppet.locking(
                (step, event) -> event instanceof Event.Acquire ? step.grant(1).grant(2) : step);
        var outcome = Film.of(eager, WORLD).outcome();
        assertThat(outcome.verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.OPEN)
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS);
        assertThat(outcome.failed()).isTrue();
    }

    @Test
    void unjudged_there_are_no_verdicts_and_nothing_ends_it_early() {
        var outcome = Simulation.of(OPEN, plainWorld(3).wanting(once(1, 2, 3)), 1)
                .within(Limits.AMPLE.stoppingAtViolation())
                .unjudged()
                .run();
        assertThat(outcome.verdicts()).isEmpty();
        assertThat(outcome.end()).isEqualTo(Outcome.End.REST);
        assertThat(outcome.entries()).isEqualTo(3);
        assertThat(outcome.failed()).isFalse();
    }

    @Test
    void who_waits_for_ever_is_told_and_starves() {
        var cut = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
        var film = Film.of(new RicartAgrawala(false, List.of()), struck(WORLD, at(0, cut)));
        assertThat(film.outcome().waiting()).extracting(Outcome.Waiting::node).containsExactly(n(1));
        assertThat(film.outcome().verdicts())
                .containsEntry(Property.NO_STARVATION, Verdict.VIOLATED)
                .containsEntry(Property.DEADLOCK_FREEDOM, Verdict.VIOLATED);
    }

    @Test
    void healed_an_algorithm_that_survives_converges() {
        var bully = new Bully(Ranking.BY_NUMBER, ofMillis(100), ofMillis(500));
        var allowed = EnumSet.of(Hazard.CRASH, Hazard.RESTART);
        var kind = World.of(Topology.complete(4)).watchedBy(new Detector.Oracle(ofMillis(250)));
        for (long seed = 0; seed < 50; seed++) {
            var outcome = Film.of(bully, Swarm.strike(kind, allowed, seed), seed, Swarm.limits())
                    .outcome();
            assertThat(outcome.end()).isIn(Outcome.End.REST, Outcome.End.SETTLED);
            assertThat(outcome.verdicts())
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
            var world = Swarm.strike(World.of(Topology.complete(4)), EnumSet.of(Hazard.LOSS), seed);
            var outcome = Film.of(algorithm.make(Setting.standard()), world, seed, Swarm.limits())
                    .outcome();
            stuck += outcome.verdicts().get(Property.NO_STARVATION) == Verdict.VIOLATED ? 1 : 0;
        }
        assertThat(stuck).isBetween(5, 25);
    }
}
