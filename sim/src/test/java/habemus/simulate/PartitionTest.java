package habemus.simulate;

import static habemus.simulate.RecordedSimulation.at;
import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.request;
import static habemus.simulate.RecordedSimulation.withFaults;
import static habemus.simulate.ScriptedProtocol.message;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.NetworkModel;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Links that are cut, slow, lossy or duplicating. */
class PartitionTest {

    /** A candidate sends its number of steps to both other nodes. */
    private static final ScriptedProtocol PROTOCOL =
            ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                    ? step.sendAll(
                            NodeSet.of(n(1), n(2), n(3)).without(step.state().self()),
                            message("" + step.state().steps()))
                    : step);

    private static final Fault.Cut CUT = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
    private static final Fault.Cut ONE_WAY = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), false);

    private static World world(Fault.PlannedFault... faults) {
        return withFaults(plainWorld(3).withWorkload(once(1, 2)), faults);
    }

    @Test
    void a_message_sent_over_a_cut_link_is_dropped() {
        var run = RecordedSimulation.of(PROTOCOL, world(at(0, CUT), at(500, new Fault.HealCut(CUT))));
        assertThat(run.timedSteps(1)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(run.timedSteps(2)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(run.timedSteps(3)).contains("1000 receives 1 from n1", "1000 receives 1 from n2");
        assertThat(run.fates()).containsExactly(TraceEvent.Fate.PARTITIONED, TraceEvent.Fate.PARTITIONED);
        assertThat(run.all(TraceEvent.MessageOutcome.class)).allMatch(event -> event.at() == 0);
    }

    @Test
    void a_message_in_flight_when_its_link_is_cut_is_dropped_on_arrival() {
        var run = RecordedSimulation.of(PROTOCOL, world(at(500, CUT)));
        assertThat(run.timedSteps(2)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(run.fates()).containsExactly(TraceEvent.Fate.PARTITIONED, TraceEvent.Fate.PARTITIONED);
        assertThat(run.all(TraceEvent.MessageOutcome.class)).allMatch(event -> event.at() == 1_000);
    }

    @Test
    void a_cut_that_heals_before_a_message_arrives_drops_nothing() {
        var run = RecordedSimulation.of(PROTOCOL, world(at(200, CUT), at(800, new Fault.HealCut(CUT))));
        assertThat(run.fates()).isEmpty();
        assertThat(run.timedSteps(2)).contains("1000 receives 1 from n1");
    }

    @Test
    void a_one_way_cut_leaves_the_other_direction_open() {
        for (long when : List.of(0L, 500L)) {
            var run = RecordedSimulation.of(PROTOCOL, world(at(when, ONE_WAY)));
            assertThat(run.timedSteps(1)).contains("1000 receives 1 from n2");
            assertThat(run.timedSteps(2)).doesNotContain("1000 receives 1 from n1");
        }
    }

    @Test
    void dropped_messages_are_counted() {
        assertThat(RecordedSimulation.of(PROTOCOL, world(at(0, CUT))).result().messages())
                .isEqualTo(4);
    }

    @Test
    void cuts_and_heals_are_observable_events() {
        var run = RecordedSimulation.of(
                PROTOCOL, world(at(10, CUT), at(20, new Fault.HealCut(CUT)), at(30, new Fault.HealCut(CUT))));
        assertThat(run.times(ObservableEvent.Partitioned.class)).containsExactly(10L);
        assertThat(run.times(ObservableEvent.Healed.class)).containsExactly(20L);
    }

    @Test
    void a_slow_link_delays_messages_of_one_direction_sent_while_it_is_slow() {
        var slow = at(0, new Fault.Slow(n(1), n(2), 7));
        var world = world(slow, at(500, new Fault.Slow(n(1), n(2), 1)))
                .withNetwork(NetworkModel.BAG)
                .withWorkload(once().withRequests(List.of(request(1, 0), request(2, 0), request(1, 600))));
        var run = RecordedSimulation.of(PROTOCOL, world);
        assertThat(run.timedSteps(2)).contains("7000 receives 1 from n1", "1600 receives 2 from n1");
        assertThat(run.timedSteps(1)).contains("1000 receives 1 from n2");
        assertThat(run.timedSteps(3)).contains("1000 receives 1 from n1");
    }

    @Test
    void a_slow_message_is_not_overtaken_on_a_fifo_link() {
        var world = world(at(0, new Fault.Slow(n(1), n(2), 7)), at(500, new Fault.Slow(n(1), n(2), 1)))
                .withWorkload(once().withRequests(List.of(request(1, 0), request(1, 600))));
        assertThat(RecordedSimulation.of(PROTOCOL, world).timedSteps(2))
                .containsExactly("0 starts FIRST", "7000 receives 1 from n1", "7000 receives 2 from n1");
    }

    @Test
    void a_lost_message_never_arrives_and_a_duplicated_one_arrives_twice() {
        var lossy = RecordedSimulation.of(PROTOCOL, world().withNetwork(NetworkModel.FIFO.withLoss(1)));
        assertThat(lossy.fates()).hasSize(4).containsOnly(TraceEvent.Fate.LOST);
        assertThat(lossy.steps(3)).containsExactly("starts FIRST");
        var duplicating = RecordedSimulation.of(PROTOCOL, world().withNetwork(NetworkModel.FIFO.withDuplication(1)));
        assertThat(duplicating.fates()).hasSize(4).containsOnly(TraceEvent.Fate.DUPLICATED);
        assertThat(Collections.frequency(duplicating.steps(3), "receives 1 from n1"))
                .isEqualTo(2);
        assertThat(duplicating.result().messages()).isEqualTo(4);
    }

    @Test
    void after_a_heal_no_link_is_cut_slow_lossy_or_duplicating() {
        var world = world(at(0, CUT), at(0, new Fault.Slow(n(1), n(2), 9)), at(400, new Fault.Heal()))
                .withNetwork(new NetworkModel(true, 0.5, 1))
                .withWorkload(once().withRequests(List.of(request(1, 500), request(2, 500))));
        var run = RecordedSimulation.of(PROTOCOL, world);
        assertThat(run.fates()).isEmpty();
        assertThat(run.timedSteps(2)).contains("1500 receives 1 from n1");
        assertThat(run.times(ObservableEvent.Healed.class)).containsExactly(400L);
    }

    @Test
    void a_heal_does_not_restart_crashed_nodes() {
        var run = RecordedSimulation.of(PROTOCOL, world(at(10, new Fault.Crash(n(3))), at(20, new Fault.Heal())));
        assertThat(run.steps(3)).containsExactly("starts FIRST");
    }
}
