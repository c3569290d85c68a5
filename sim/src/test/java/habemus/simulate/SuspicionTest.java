package habemus.simulate;

import static habemus.simulate.RecordedSimulation.at;
import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.withFaults;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeSet;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the failure detector tells, and when. */
class SuspicionTest {

    private static final ScriptedProtocol PUPPET = ScriptedProtocol.election((step, event) -> step);
    private static final Fault MISTAKE = new Fault.WrongSuspicion(n(1), n(2));
    private static final Fault CORRECT = new Fault.Correct(n(1), n(2));

    private static World world(Fault.PlannedFault... faults) {
        return withFaults(plainWorld(3).withDetector(new DetectorModel.Oracle(Duration.ofMillis(5))), faults);
    }

    private static Fault.PlannedFault crash(long micros, int node) {
        return at(micros, new Fault.Crash(n(node)));
    }

    private static Fault.PlannedFault restart(long micros, int node) {
        return at(micros, new Fault.Restart(n(node), false));
    }

    private static List<String> story(int node, Fault.PlannedFault... faults) {
        var story = RecordedSimulation.of(PUPPET, world(faults)).timedSteps(node);
        return story.subList(1, story.size());
    }

    @Test
    void a_crash_and_a_return_are_noticed_by_every_neighbour_after_the_delay() {
        for (int node : List.of(1, 3)) {
            assertThat(story(node, crash(1_000, 2), restart(20_000, 2)))
                    .containsExactly("6000 suspects n2", "25000 trusts n2");
        }
    }

    @Test
    void a_crash_that_is_over_before_it_would_be_noticed_is_not_noticed() {
        assertThat(story(1, crash(1_000, 2), restart(4_000, 2))).isEmpty();
    }

    @Test
    void a_crash_is_not_noticed_earlier_because_of_another_one_before_it() {
        assertThat(story(1, crash(1_000, 2), restart(2_000, 2), crash(3_000, 2)))
                .containsExactly("8000 suspects n2");
    }

    @Test
    void only_neighbours_notice() {
        var ring =
                withFaults(World.of(Topology.ring(5)).withWorkload(plainWorld(5).workload()), crash(1_000, 2));
        var recordedSimulation = RecordedSimulation.of(PUPPET, ring);
        assertThat(recordedSimulation.steps(1)).contains("suspects n2");
        assertThat(recordedSimulation.steps(3)).contains("suspects n2");
        assertThat(recordedSimulation.steps(4)).containsExactly("starts FIRST");
        assertThat(recordedSimulation.steps(5)).containsExactly("starts FIRST");
    }

    @Test
    void who_comes_back_learns_after_the_delay_who_is_down() {
        assertThat(story(1, crash(1_000, 2), crash(2_000, 1), restart(30_000, 1)))
                .containsExactly("30000 starts WITH_MEMORY", "35000 suspects n2");
    }

    @Test
    void who_comes_back_is_told_again_whom_it_suspected_before() {
        assertThat(story(1, crash(1_000, 2), crash(7_000, 1), restart(30_000, 1)))
                .containsExactly("6000 suspects n2", "30000 starts WITH_MEMORY", "35000 suspects n2");
    }

    @Test
    void who_is_down_hears_nothing() {
        assertThat(story(1, crash(1_000, 2), crash(2_000, 1))).isEmpty();
    }

    @Test
    void without_a_detector_nobody_notices_anything() {
        var recordedSimulation =
                RecordedSimulation.of(PUPPET, withFaults(plainWorld(3), crash(1_000, 2), restart(20_000, 2)));
        assertThat(recordedSimulation.steps(1)).containsExactly("starts FIRST");
    }

    @Test
    void a_mistake_is_a_suspicion_at_once_of_one_peer_by_one_node_until_it_is_corrected() {
        assertThat(story(1, at(1_000, MISTAKE), at(3_000, CORRECT)))
                .containsExactly("1000 suspects n2", "3000 trusts n2");
        assertThat(story(2, at(1_000, MISTAKE), at(3_000, CORRECT))).isEmpty();
        assertThat(story(3, at(1_000, MISTAKE), at(3_000, CORRECT))).isEmpty();
    }

    @Test
    void mistakes_need_no_detector() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, withFaults(plainWorld(3), at(1_000, MISTAKE)));
        assertThat(recordedSimulation.timedSteps(1)).contains("1000 suspects n2");
    }

    @Test
    void a_mistake_that_has_come_true_stays_a_suspicion_until_the_peer_is_back() {
        assertThat(story(1, at(1_000, MISTAKE), crash(2_000, 2), at(8_000, CORRECT), restart(9_000, 2)))
                .containsExactly("1000 suspects n2", "14000 trusts n2");
    }

    @Test
    void who_was_suspected_already_is_not_suspected_again() {
        assertThat(story(1, crash(1_000, 2), at(7_000, MISTAKE), at(8_000, CORRECT)))
                .containsExactly("6000 suspects n2");
    }

    @Test
    void healing_corrects_all_mistakes() {
        assertThat(story(1, at(1_000, MISTAKE), at(3_000, new Fault.Heal())))
                .containsExactly("1000 suspects n2", "3000 trusts n2");
    }

    @Test
    void a_correction_that_a_paused_node_missed_reaches_it_when_it_goes_on() {
        var pause = at(2_000, new Fault.Pause(n(1)));
        var resume = at(4_000, new Fault.Resume(n(1)));
        assertThat(story(1, at(1_000, MISTAKE), pause, at(3_000, CORRECT), resume))
                .containsExactly("1000 suspects n2", "4000 trusts n2");
    }

    @Test
    void a_mistake_of_a_paused_node_is_a_suspicion_when_it_goes_on() {
        var pause = at(1_000, new Fault.Pause(n(1)));
        var resume = at(4_000, new Fault.Resume(n(1)));
        assertThat(story(1, pause, at(3_000, MISTAKE), resume)).containsExactly("4000 suspects n2");
    }

    @Test
    void once_all_is_healed_and_time_has_passed_the_suspected_are_those_that_are_down() {
        var allowed =
                EnumSet.of(FaultKind.CRASH, FaultKind.RESTART, FaultKind.AMNESIA, FaultKind.PAUSE, FaultKind.MISTAKE);
        for (long seed = 0; seed < 200; seed++) {
            var recordedSimulation = RecordedSimulation.of(PUPPET, SwarmFaults.inject(world(), allowed, seed), seed);
            var down = NodeSet.NONE;
            for (var line : recordedSimulation.all(TraceEvent.FaultInjected.class)) {
                down = switch (line.fault()) {
                    case Fault.Crash(var node) -> down.with(node);
                    case Fault.Restart(var node, var amnesia) -> down.without(node);
                    default -> down;
                };
            }
            for (var node : NodeSet.of(n(1), n(2), n(3)).without(down)) {
                assertThat(suspected(recordedSimulation, node.number()))
                        .as("by %s with seed %d", node, seed)
                        .isEqualTo(down);
            }
        }
    }

    /** Whom the node suspects since it came up last. */
    private static NodeSet suspected(RecordedSimulation recordedSimulation, int node) {
        var suspected = NodeSet.NONE;
        for (String line : recordedSimulation.steps(node)) {
            var peer = line.matches(".* n\\d") ? n(line.charAt(line.length() - 1) - '0') : n(1);
            if (line.startsWith("starts")) {
                suspected = NodeSet.NONE;
            } else if (line.startsWith("suspects")) {
                assertThat(suspected.contains(peer)).isFalse();
                suspected = suspected.with(peer);
            } else if (line.startsWith("trusts")) {
                assertThat(suspected.contains(peer)).isTrue();
                suspected = suspected.without(peer);
            }
        }
        return suspected;
    }

    @Test
    void nobody_who_is_up_is_suspected_but_by_mistake() {
        var allowed = EnumSet.of(FaultKind.CRASH, FaultKind.RESTART, FaultKind.PAUSE);
        for (long seed = 0; seed < 100; seed++) {
            var recordedSimulation = RecordedSimulation.of(PUPPET, SwarmFaults.inject(world(), allowed, seed), seed);
            var down = NodeSet.NONE;
            for (var line : recordedSimulation.events()) {
                if (line instanceof TraceEvent.FaultInjected(var time, Fault.Crash(var node))) {
                    down = down.with(node);
                } else if (line instanceof TraceEvent.FaultInjected(var time, Fault.Restart(var node, var amnesia))) {
                    down = down.without(node);
                } else if (line instanceof TraceEvent.Step step
                        && step.event() instanceof habemus.protocol.Event.Suspect<?>(var peer)) {
                    assertThat(down.contains(peer))
                            .as("%s with seed %d", line, seed)
                            .isTrue();
                }
            }
        }
    }
}
