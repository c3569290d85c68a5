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

/** Links that are cut, slow, lossy or doubling. */
class PartitionTest {

    /** Who campaigns tells both others how many steps it has made. */
    private static final ScriptedProtocol PUPPET =
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
    void what_is_sent_over_a_cut_link_does_not_arrive() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(at(0, CUT), at(500, new Fault.HealCut(CUT))));
        assertThat(recordedSimulation.timedSteps(1)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(recordedSimulation.timedSteps(2)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(recordedSimulation.timedSteps(3)).contains("1000 hears 1 from n1", "1000 hears 1 from n2");
        assertThat(recordedSimulation.fates())
                .containsExactly(TraceEvent.Fate.PARTITIONED, TraceEvent.Fate.PARTITIONED);
        assertThat(recordedSimulation.all(TraceEvent.MessageOutcome.class)).allMatch(line -> line.at() == 0);
    }

    @Test
    void what_arrives_over_a_cut_link_does_not_get_through() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(at(500, CUT)));
        assertThat(recordedSimulation.timedSteps(2)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(recordedSimulation.fates())
                .containsExactly(TraceEvent.Fate.PARTITIONED, TraceEvent.Fate.PARTITIONED);
        assertThat(recordedSimulation.all(TraceEvent.MessageOutcome.class)).allMatch(line -> line.at() == 1_000);
    }

    @Test
    void a_cut_that_is_over_before_the_message_arrives_does_no_harm() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(at(200, CUT), at(800, new Fault.HealCut(CUT))));
        assertThat(recordedSimulation.fates()).isEmpty();
        assertThat(recordedSimulation.timedSteps(2)).contains("1000 hears 1 from n1");
    }

    @Test
    void cut_one_way_the_other_way_is_open() {
        for (long when : List.of(0L, 500L)) {
            var recordedSimulation = RecordedSimulation.of(PUPPET, world(at(when, ONE_WAY)));
            assertThat(recordedSimulation.timedSteps(1)).contains("1000 hears 1 from n2");
            assertThat(recordedSimulation.timedSteps(2)).doesNotContain("1000 hears 1 from n1");
        }
    }

    @Test
    void what_is_cut_off_counts_as_sent() {
        assertThat(RecordedSimulation.of(PUPPET, world(at(0, CUT))).runResult().messages())
                .isEqualTo(4);
    }

    @Test
    void cuts_and_their_ends_are_seen_from_outside() {
        var recordedSimulation = RecordedSimulation.of(
                PUPPET, world(at(10, CUT), at(20, new Fault.HealCut(CUT)), at(30, new Fault.HealCut(CUT))));
        assertThat(recordedSimulation.times(ObservableEvent.Partitioned.class)).containsExactly(10L);
        assertThat(recordedSimulation.times(ObservableEvent.Healed.class)).containsExactly(20L);
    }

    @Test
    void a_slow_link_is_slow_one_way_for_what_is_sent_while_it_is() {
        var slow = at(0, new Fault.Slow(n(1), n(2), 7));
        var world = world(slow, at(500, new Fault.Slow(n(1), n(2), 1)))
                .withNetwork(NetworkModel.BAG)
                .withWorkload(once().withRequests(List.of(request(1, 0), request(2, 0), request(1, 600))));
        var recordedSimulation = RecordedSimulation.of(PUPPET, world);
        assertThat(recordedSimulation.timedSteps(2)).contains("7000 hears 1 from n1", "1600 hears 2 from n1");
        assertThat(recordedSimulation.timedSteps(1)).contains("1000 hears 1 from n2");
        assertThat(recordedSimulation.timedSteps(3)).contains("1000 hears 1 from n1");
    }

    @Test
    void in_order_what_was_sent_over_a_slow_link_is_not_overtaken() {
        var world = world(at(0, new Fault.Slow(n(1), n(2), 7)), at(500, new Fault.Slow(n(1), n(2), 1)))
                .withWorkload(once().withRequests(List.of(request(1, 0), request(1, 600))));
        assertThat(RecordedSimulation.of(PUPPET, world).timedSteps(2))
                .containsExactly("0 starts FIRST", "7000 hears 1 from n1", "7000 hears 2 from n1");
    }

    @Test
    void what_is_lost_does_not_arrive_and_what_is_doubled_arrives_twice() {
        var lossy = RecordedSimulation.of(PUPPET, world().withNetwork(NetworkModel.FIFO.withLoss(1)));
        assertThat(lossy.fates()).hasSize(4).containsOnly(TraceEvent.Fate.LOST);
        assertThat(lossy.steps(3)).containsExactly("starts FIRST");
        var doubling = RecordedSimulation.of(PUPPET, world().withNetwork(NetworkModel.FIFO.withDuplication(1)));
        assertThat(doubling.fates()).hasSize(4).containsOnly(TraceEvent.Fate.DUPLICATED);
        assertThat(Collections.frequency(doubling.steps(3), "hears 1 from n1")).isEqualTo(2);
        assertThat(doubling.runResult().messages()).isEqualTo(4);
    }

    @Test
    void healed_nothing_is_cut_slow_lost_or_doubled_any_more() {
        var world = world(at(0, CUT), at(0, new Fault.Slow(n(1), n(2), 9)), at(400, new Fault.Heal()))
                .withNetwork(new NetworkModel(true, 0.5, 1))
                .withWorkload(once().withRequests(List.of(request(1, 500), request(2, 500))));
        var recordedSimulation = RecordedSimulation.of(PUPPET, world);
        assertThat(recordedSimulation.fates()).isEmpty();
        assertThat(recordedSimulation.timedSteps(2)).contains("1500 hears 1 from n1");
        assertThat(recordedSimulation.times(ObservableEvent.Healed.class)).containsExactly(400L);
    }

    @Test
    void healing_does_not_bring_back_who_is_down() {
        var recordedSimulation =
                RecordedSimulation.of(PUPPET, world(at(10, new Fault.Crash(n(3))), at(20, new Fault.Heal())));
        assertThat(recordedSimulation.steps(3)).containsExactly("starts FIRST");
    }
}
