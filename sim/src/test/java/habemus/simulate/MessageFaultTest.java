package habemus.simulate;

import static habemus.simulate.RecordedSimulation.at;
import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.request;
import static habemus.simulate.RecordedSimulation.withFaults;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.MessageFault;
import habemus.world.NetworkModel;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults of single messages. Times are microseconds. */
class MessageFaultTest {

    /** Each campaign of n1 sends one message to n2. */
    private static final ScriptedProtocol SENDER = ScriptedProtocol.election((step, event) -> event
                    instanceof Event.Campaign<?>
            ? step.send(n(2), ScriptedProtocol.message("m" + step.state().steps()))
            : step);

    /** n1 sends m1 at 0, m2 at 100 and m3 at 200; each takes 1000. */
    private static World world(MessageFault... faults) {
        return plainWorld(2)
                .withWorkload(
                        Workload.once(List.of()).withRequests(List.of(request(1, 0), request(1, 100), request(1, 200))))
                .withMessageFaults(List.of(faults));
    }

    private static RecordedSimulation run(World world) {
        return RecordedSimulation.of(SENDER, world);
    }

    private static MessageFault.Delay delay(long number, long micros) {
        return new MessageFault.Delay(number, Duration.ofNanos(1_000 * micros));
    }

    @Test
    void a_lost_message_is_dropped_when_it_would_arrive() {
        var run = run(world(new MessageFault.Loss(2)));
        assertThat(run.timedSteps(2))
                .containsExactly("0 starts FIRST", "1000 receives m1 from n1", "1200 receives m3 from n1");
        assertThat(run.all(TraceEvent.MessageOutcome.class)).singleElement().satisfies(outcome -> {
            assertThat(outcome.at()).isEqualTo(1_100);
            assertThat(outcome.fate()).isEqualTo(Fate.LOST);
            assertThat(outcome.message().number()).isEqualTo(2);
        });
    }

    @Test
    void a_duplicated_message_arrives_twice() {
        var run = run(world(new MessageFault.Duplication(2)));
        assertThat(run.timedSteps(2))
                .containsExactly(
                        "0 starts FIRST",
                        "1000 receives m1 from n1",
                        "1100 receives m2 from n1",
                        "1100 receives m2 from n1",
                        "1200 receives m3 from n1");
        assertThat(run.fates()).containsExactly(Fate.DUPLICATED);
    }

    @Test
    void a_copy_has_a_delay_of_its_own() {
        var random = world().withNetwork(NetworkModel.BAG)
                .withLatency(new LatencyModel.Uniform(Duration.ofMillis(1), Duration.ofMillis(9)));
        var arrivals = new HashSet<String>();
        for (long number = 1; number <= 3; number++) {
            var run = run(random.withMessageFaults(List.of(new MessageFault.Duplication(number))));
            arrivals.addAll(run.timedSteps(2));
        }
        assertThat(arrivals).as("three messages and at least one later copy").hasSizeGreaterThan(1 + 3);
    }

    @Test
    void a_delayed_message_arrives_later_and_on_a_fifo_link_holds_up_the_next() {
        assertThat(run(world(delay(2, 500))).timedSteps(2))
                .containsExactly(
                        "0 starts FIRST",
                        "1000 receives m1 from n1",
                        "1600 receives m2 from n1",
                        "1600 receives m3 from n1");
        assertThat(run(world(delay(2, 500)).withNetwork(NetworkModel.BAG)).timedSteps(2))
                .containsExactly(
                        "0 starts FIRST",
                        "1000 receives m1 from n1",
                        "1200 receives m3 from n1",
                        "1600 receives m2 from n1");
    }

    @Test
    void a_copy_of_a_delayed_message_is_delayed_too() {
        assertThat(run(world(delay(3, 500), new MessageFault.Duplication(3))).timedSteps(2))
                .endsWith("1700 receives m3 from n1", "1700 receives m3 from n1");
    }

    @Test
    void a_cut_and_a_crash_come_before_the_fate_of_a_message() {
        var cut = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
        assertThat(run(withFaults(world(new MessageFault.Loss(1)), at(900, cut)))
                        .fates())
                .containsExactly(Fate.PARTITIONED, Fate.PARTITIONED, Fate.PARTITIONED);
        var crash = at(900, new Fault.Crash(n(2)));
        assertThat(run(withFaults(world(new MessageFault.Loss(1)), crash)).fates())
                .containsExactly(Fate.RECEIVER_DOWN, Fate.RECEIVER_DOWN, Fate.RECEIVER_DOWN);
        assertThat(run(withFaults(world(new MessageFault.Duplication(3)), crash))
                        .fates())
                .containsExactly(
                        Fate.RECEIVER_DOWN,
                        Fate.RECEIVER_DOWN,
                        Fate.DUPLICATED,
                        Fate.RECEIVER_DOWN,
                        Fate.RECEIVER_DOWN);
    }

    @Test
    void a_paused_node_finds_the_loss_when_it_resumes() {
        var run = run(withFaults(
                world(new MessageFault.Loss(1)), at(500, new Fault.Pause(n(2))), at(5_000, new Fault.Resume(n(2)))));
        assertThat(run.all(TraceEvent.MessageOutcome.class))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.at()).isEqualTo(5_000));
        assertThat(run.steps(2)).containsExactly("starts FIRST", "receives m2 from n1", "receives m3 from n1");
    }

    @Test
    void no_other_random_draw_changes() {
        var random = world().withLatency(new LatencyModel.Uniform(Duration.ofMillis(1), Duration.ofMillis(9)))
                .withNetwork(new NetworkModel(false, 0, 0.5));
        var before = run(random).timedSteps(2);
        for (MessageFault fault : List.of(new MessageFault.Loss(2), new MessageFault.Duplication(2), delay(2, 500))) {
            var after = run(random.withMessageFaults(List.of(fault))).timedSteps(2);
            assertThat(withoutSecond(after)).as("%s", fault).isEqualTo(withoutSecond(before));
        }
    }

    private static List<String> withoutSecond(List<String> steps) {
        return steps.stream().filter(step -> !step.contains("m2")).toList();
    }

    @Test
    void the_result_is_the_same_without_a_trace() {
        var world = world(new MessageFault.Loss(1), delay(3, 700));
        var untraced = Simulation.of(SENDER, world, 1).withoutMonitors().run();
        assertThat(untraced.steps()).isEqualTo(run(world).result().steps());
        assertThat(untraced.micros()).isEqualTo(1_900);
    }

    @Test
    void a_fault_of_a_message_that_is_never_in_flight_has_no_effect() {
        var faults = List.<MessageFault>of(new MessageFault.Loss(3), delay(4, 10));
        var run = run(world().withMessageFaults(faults));
        assertThat(run.result().faultsWithoutEffect()).containsExactly(delay(4, 10));
        var lossy = run(world().withMessageFaults(faults).withNetwork(NetworkModel.FIFO.withLoss(1)));
        assertThat(lossy.result().faultsWithoutEffect()).isEqualTo(faults);
    }

    @Test
    void numbers_start_at_one_and_delays_are_positive() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MessageFault.Loss(0));
        assertThatIllegalArgumentException().isThrownBy(() -> delay(1, 0));
    }
}
