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

/** The suspicions that the oracle detector reports, and their times. */
class SuspicionTest {

    private static final ScriptedProtocol PROTOCOL = ScriptedProtocol.election((step, event) -> step);
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

    private static List<String> timedSteps(int node, Fault.PlannedFault... faults) {
        var timedSteps = RecordedSimulation.of(PROTOCOL, world(faults)).timedSteps(node);
        return timedSteps.subList(1, timedSteps.size());
    }

    @Test
    void every_neighbour_detects_a_crash_and_a_restart_after_the_delay() {
        for (int node : List.of(1, 3)) {
            assertThat(timedSteps(node, crash(1_000, 2), restart(20_000, 2)))
                    .containsExactly("6000 suspects n2", "25000 restores n2");
        }
    }

    @Test
    void a_crash_that_is_over_within_the_delay_is_not_detected() {
        assertThat(timedSteps(1, crash(1_000, 2), restart(4_000, 2))).isEmpty();
    }

    @Test
    void an_earlier_crash_does_not_speed_up_the_detection_of_the_next() {
        assertThat(timedSteps(1, crash(1_000, 2), restart(2_000, 2), crash(3_000, 2)))
                .containsExactly("8000 suspects n2");
    }

    @Test
    void only_neighbours_detect_a_crash() {
        var ring =
                withFaults(World.of(Topology.ring(5)).withWorkload(plainWorld(5).workload()), crash(1_000, 2));
        var run = RecordedSimulation.of(PROTOCOL, ring);
        assertThat(run.steps(1)).contains("suspects n2");
        assertThat(run.steps(3)).contains("suspects n2");
        assertThat(run.steps(4)).containsExactly("starts FIRST");
        assertThat(run.steps(5)).containsExactly("starts FIRST");
    }

    @Test
    void a_restarted_node_detects_crashed_peers_after_the_delay() {
        assertThat(timedSteps(1, crash(1_000, 2), crash(2_000, 1), restart(30_000, 1)))
                .containsExactly("30000 starts WITH_MEMORY", "35000 suspects n2");
    }

    @Test
    void a_restarted_node_detects_its_former_suspects_again() {
        assertThat(timedSteps(1, crash(1_000, 2), crash(7_000, 1), restart(30_000, 1)))
                .containsExactly("6000 suspects n2", "30000 starts WITH_MEMORY", "35000 suspects n2");
    }

    @Test
    void a_crashed_node_gets_no_notices() {
        assertThat(timedSteps(1, crash(1_000, 2), crash(2_000, 1))).isEmpty();
    }

    @Test
    void without_a_detector_no_crash_is_detected() {
        var run = RecordedSimulation.of(PROTOCOL, withFaults(plainWorld(3), crash(1_000, 2), restart(20_000, 2)));
        assertThat(run.steps(1)).containsExactly("starts FIRST");
    }

    @Test
    void a_wrong_suspicion_affects_one_node_at_once_until_it_is_corrected() {
        assertThat(timedSteps(1, at(1_000, MISTAKE), at(3_000, CORRECT)))
                .containsExactly("1000 suspects n2", "3000 restores n2");
        assertThat(timedSteps(2, at(1_000, MISTAKE), at(3_000, CORRECT))).isEmpty();
        assertThat(timedSteps(3, at(1_000, MISTAKE), at(3_000, CORRECT))).isEmpty();
    }

    @Test
    void wrong_suspicions_need_no_detector() {
        var run = RecordedSimulation.of(PROTOCOL, withFaults(plainWorld(3), at(1_000, MISTAKE)));
        assertThat(run.timedSteps(1)).contains("1000 suspects n2");
    }

    @Test
    void a_wrong_suspicion_of_a_peer_that_crashed_lasts_until_its_restart() {
        assertThat(timedSteps(1, at(1_000, MISTAKE), crash(2_000, 2), at(8_000, CORRECT), restart(9_000, 2)))
                .containsExactly("1000 suspects n2", "14000 restores n2");
    }

    @Test
    void a_suspected_peer_is_not_suspected_again() {
        assertThat(timedSteps(1, crash(1_000, 2), at(7_000, MISTAKE), at(8_000, CORRECT)))
                .containsExactly("6000 suspects n2");
    }

    @Test
    void a_heal_corrects_all_wrong_suspicions() {
        assertThat(timedSteps(1, at(1_000, MISTAKE), at(3_000, new Fault.Heal())))
                .containsExactly("1000 suspects n2", "3000 restores n2");
    }

    @Test
    void a_paused_node_gets_a_correction_on_resume() {
        var pause = at(2_000, new Fault.Pause(n(1)));
        var resume = at(4_000, new Fault.Resume(n(1)));
        assertThat(timedSteps(1, at(1_000, MISTAKE), pause, at(3_000, CORRECT), resume))
                .containsExactly("1000 suspects n2", "4000 restores n2");
    }

    @Test
    void a_paused_node_gets_a_wrong_suspicion_on_resume() {
        var pause = at(1_000, new Fault.Pause(n(1)));
        var resume = at(4_000, new Fault.Resume(n(1)));
        assertThat(timedSteps(1, pause, at(3_000, MISTAKE), resume)).containsExactly("4000 suspects n2");
    }

    @Test
    void after_the_heal_exactly_the_crashed_nodes_are_suspected() {
        var allowed =
                EnumSet.of(FaultKind.CRASH, FaultKind.RESTART, FaultKind.AMNESIA, FaultKind.PAUSE, FaultKind.MISTAKE);
        for (long seed = 0; seed < 200; seed++) {
            var run = RecordedSimulation.of(PROTOCOL, SwarmFaults.inject(world(), allowed, seed), seed);
            var down = NodeSet.NONE;
            for (var injected : run.all(TraceEvent.FaultInjected.class)) {
                down = switch (injected.fault()) {
                    case Fault.Crash(var node) -> down.with(node);
                    case Fault.Restart(var node, var amnesia) -> down.without(node);
                    default -> down;
                };
            }
            for (var node : NodeSet.of(n(1), n(2), n(3)).without(down)) {
                assertThat(suspected(run, node.number()))
                        .as("by %s with seed %d", node, seed)
                        .isEqualTo(down);
            }
        }
    }

    /** The peers that the node suspects since its last start. */
    private static NodeSet suspected(RecordedSimulation run, int node) {
        var suspected = NodeSet.NONE;
        for (String step : run.steps(node)) {
            var peer = step.matches(".* n\\d") ? n(step.charAt(step.length() - 1) - '0') : n(1);
            if (step.startsWith("starts")) {
                suspected = NodeSet.NONE;
            } else if (step.startsWith("suspects")) {
                assertThat(suspected.contains(peer)).isFalse();
                suspected = suspected.with(peer);
            } else if (step.startsWith("restores")) {
                assertThat(suspected.contains(peer)).isTrue();
                suspected = suspected.without(peer);
            }
        }
        return suspected;
    }

    @Test
    void only_crashed_nodes_are_suspected_without_wrong_suspicions() {
        var allowed = EnumSet.of(FaultKind.CRASH, FaultKind.RESTART, FaultKind.PAUSE);
        for (long seed = 0; seed < 100; seed++) {
            var run = RecordedSimulation.of(PROTOCOL, SwarmFaults.inject(world(), allowed, seed), seed);
            var down = NodeSet.NONE;
            for (var event : run.events()) {
                if (event instanceof TraceEvent.FaultInjected(var time, Fault.Crash(var node))) {
                    down = down.with(node);
                } else if (event instanceof TraceEvent.FaultInjected(var time, Fault.Restart(var node, var amnesia))) {
                    down = down.without(node);
                } else if (event instanceof TraceEvent.Step step
                        && step.event() instanceof habemus.protocol.Event.Suspect<?>(var peer)) {
                    assertThat(down.contains(peer))
                            .as("%s with seed %d", event, seed)
                            .isTrue();
                }
            }
        }
    }
}
