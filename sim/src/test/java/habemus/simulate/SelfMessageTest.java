package habemus.simulate;

import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.ScriptedProtocol.message;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.simulate.ScriptedProtocol.Message;
import habemus.world.LatencyModel;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Messages to oneself, and dice: both belong to the step that caused them. */
class SelfMessageTest {

    private static final World WORLD = plainWorld(2).withWorkload(once(1));

    @Test
    void messages_to_oneself_arrive_at_once_in_order_before_anything_else() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.send(n(1), message("a")).send(n(2), message("b")).send(n(1), message("c"))
                : step);
        var recordedSimulation = RecordedSimulation.of(
                scriptedProtocol, WORLD.withWorkload(once(1, 1)).withLatency(new LatencyModel.Fixed(Duration.ZERO)));
        assertThat(recordedSimulation.timedSteps(1))
                .containsExactly(
                        "0 starts FIRST",
                        "0 campaigns",
                        "0 hears a from n1",
                        "0 hears c from n1",
                        "0 campaigns",
                        "0 hears a from n1",
                        "0 hears c from n1");
    }

    @Test
    void what_a_message_to_oneself_causes_comes_after_the_others_that_wait() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> switch (event) {
            case Event.Campaign<Message>() -> step.send(n(1), message("a")).send(n(1), message("b"));
            case Event.Received<Message>(var from, var heard)
            when heard.equals(message("a")) -> step.send(n(1), message("c"));
            default -> step;
        });
        assertThat(RecordedSimulation.of(scriptedProtocol, WORLD).steps(1))
                .endsWith("hears a from n1", "hears b from n1", "hears c from n1");
    }

    @Test
    void messages_to_oneself_are_not_counted_nor_lost() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) ->
                event instanceof Event.Campaign ? step.sendAll(NodeSet.of(n(1), n(2)), message("a")) : step);
        var recordedSimulation = RecordedSimulation.of(
                scriptedProtocol, WORLD.withNetwork(WORLD.networkModel().withLoss(1)));
        assertThat(recordedSimulation.steps(1)).contains("hears a from n1");
        assertThat(recordedSimulation.runResult().messages()).isEqualTo(1);
        assertThat(recordedSimulation.all(TraceEvent.NodeStep.class).stream().flatMap(line -> line.sent().stream()))
                .singleElement()
                .satisfies(inFlightMessage -> assertThat(inFlightMessage.to()).isEqualTo(n(2)));
    }

    @Test
    void a_node_may_talk_to_itself_on_coming_up() {
        var scriptedProtocol =
                ScriptedProtocol.election(step -> step.send(step.state().self(), message("up")), (step, event) -> step);
        assertThat(RecordedSimulation.of(scriptedProtocol, plainWorld(2)).steps(2))
                .containsExactly("starts FIRST", "hears up from n2");
    }

    @Test
    void a_node_that_talks_to_itself_for_ever_has_a_bug() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> step.send(n(1), message("again")));
        var runResult = RecordedSimulation.of(scriptedProtocol, WORLD).runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.BUG);
        assertThat(runResult.bug()).contains("talking to oneself for ever");
    }

    @Test
    void a_node_may_talk_to_itself_a_little_at_every_event_for_ever() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> switch (event) {
            case Event.Campaign<Message>() -> step.send(n(1), message("100"));
            case Event.Received<Message>(var from, var heard)
            when !heard.equals(message("1")) -> step.send(n(1), message("" + (Integer.parseInt(heard.text()) - 1)));
            default -> step;
        });
        var runResult = RecordedSimulation.of(scriptedProtocol, WORLD.withWorkload(once(1).withEntries(50)))
                .runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.REST);
        assertThat(runResult.steps()).isEqualTo(2 + 50 * 101);
    }

    @Test
    void dice_come_to_rest_within_the_step_before_messages_to_oneself() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.send(n(1), message("a")).draw(1).draw(1)
                : step);
        assertThat(RecordedSimulation.of(scriptedProtocol, WORLD).timedSteps(1))
                .containsExactly("0 starts FIRST", "0 campaigns", "0 rolls 0", "0 rolls 0", "0 hears a from n1");
    }

    @Test
    void dice_show_every_side_and_no_other() {
        var scriptedProtocol =
                ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign ? step.draw(6) : step);
        var outcomes = LongStream.range(0, 200)
                .mapToObj(seed -> RecordedSimulation.of(scriptedProtocol, WORLD, seed)
                        .steps(1)
                        .getLast())
                .distinct();
        assertThat(outcomes)
                .containsExactlyInAnyOrder("rolls 0", "rolls 1", "rolls 2", "rolls 3", "rolls 4", "rolls 5");
    }

    @Test
    void who_rolls_is_the_one_that_learns_the_outcome() {
        var scriptedProtocol =
                ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign ? step.draw(6) : step);
        assertThat(RecordedSimulation.of(scriptedProtocol, WORLD).steps(2)).containsExactly("starts FIRST");
    }

    @Test
    void a_bug_in_a_step_that_a_message_to_oneself_caused_ends_the_run() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> {
            ProtocolBug.unless(!(event instanceof Event.Received), "hearing", step.state());
            return step.sendAll(NodeSet.of(List.of(n(1))), message("a"));
        });
        assertThat(RecordedSimulation.of(scriptedProtocol, WORLD).runResult().bug())
                .startsWith("hearing cannot happen in State");
    }
}
