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

/** Messages to itself and random draws: the node handles both before any other event. */
class SelfMessageTest {

    private static final World WORLD = plainWorld(2).withWorkload(once(1));

    @Test
    void messages_to_itself_are_handled_in_order_before_any_other_event() {
        var protocol = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.send(n(1), message("a")).send(n(2), message("b")).send(n(1), message("c"))
                : step);
        var run = RecordedSimulation.of(
                protocol, WORLD.withWorkload(once(1, 1)).withLatency(new LatencyModel.Fixed(Duration.ZERO)));
        assertThat(run.timedSteps(1))
                .containsExactly(
                        "0 starts FIRST",
                        "0 campaigns",
                        "0 receives a from n1",
                        "0 receives c from n1",
                        "0 campaigns",
                        "0 receives a from n1",
                        "0 receives c from n1");
    }

    @Test
    void a_message_to_itself_sent_by_such_a_message_comes_last() {
        var protocol = ScriptedProtocol.election((step, event) -> switch (event) {
            case Event.Campaign<Message>() -> step.send(n(1), message("a")).send(n(1), message("b"));
            case Event.Received<Message>(var from, var received)
            when received.equals(message("a")) -> step.send(n(1), message("c"));
            default -> step;
        });
        assertThat(RecordedSimulation.of(protocol, WORLD).steps(1))
                .endsWith("receives a from n1", "receives b from n1", "receives c from n1");
    }

    @Test
    void messages_to_itself_are_neither_counted_nor_lost() {
        var protocol = ScriptedProtocol.election((step, event) ->
                event instanceof Event.Campaign ? step.sendAll(NodeSet.of(n(1), n(2)), message("a")) : step);
        var run = RecordedSimulation.of(
                protocol, WORLD.withNetwork(WORLD.network().withLoss(1)));
        assertThat(run.steps(1)).contains("receives a from n1");
        assertThat(run.result().messages()).isEqualTo(1);
        assertThat(run.all(TraceEvent.NodeStep.class).stream().flatMap(step -> step.sent().stream()))
                .singleElement()
                .satisfies(inFlightMessage -> assertThat(inFlightMessage.to()).isEqualTo(n(2)));
    }

    @Test
    void a_node_may_send_to_itself_when_it_starts() {
        var protocol =
                ScriptedProtocol.election(step -> step.send(step.state().self(), message("up")), (step, event) -> step);
        assertThat(RecordedSimulation.of(protocol, plainWorld(2)).steps(2))
                .containsExactly("starts FIRST", "receives up from n2");
    }

    @Test
    void an_endless_chain_of_messages_to_itself_is_a_bug() {
        var protocol = ScriptedProtocol.election((step, event) -> step.send(n(1), message("again")));
        var result = RecordedSimulation.of(protocol, WORLD).result();
        assertThat(result.end()).isEqualTo(RunResult.End.BUG);
        assertThat(result.bug()).contains("an endless chain of messages to itself");
    }

    @Test
    void short_chains_of_messages_to_itself_may_repeat_without_limit() {
        var protocol = ScriptedProtocol.election((step, event) -> switch (event) {
            case Event.Campaign<Message>() -> step.send(n(1), message("100"));
            case Event.Received<Message>(var from, var received)
            when !received.equals(message("1")) ->
                step.send(n(1), message("" + (Integer.parseInt(received.text()) - 1)));
            default -> step;
        });
        var result = RecordedSimulation.of(protocol, WORLD.withWorkload(once(1).withEntries(50)))
                .result();
        assertThat(result.end()).isEqualTo(RunResult.End.REST);
        assertThat(result.steps()).isEqualTo(2 + 50 * 101);
    }

    @Test
    void random_draws_are_handled_before_messages_to_itself() {
        var protocol = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.send(n(1), message("a")).draw(1).draw(1)
                : step);
        assertThat(RecordedSimulation.of(protocol, WORLD).timedSteps(1))
                .containsExactly("0 starts FIRST", "0 campaigns", "0 draws 0", "0 draws 0", "0 receives a from n1");
    }

    @Test
    void a_random_draw_takes_every_value_below_its_bound() {
        var protocol =
                ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign ? step.draw(6) : step);
        var outcomes = LongStream.range(0, 200)
                .mapToObj(seed ->
                        RecordedSimulation.of(protocol, WORLD, seed).steps(1).getLast())
                .distinct();
        assertThat(outcomes)
                .containsExactlyInAnyOrder("draws 0", "draws 1", "draws 2", "draws 3", "draws 4", "draws 5");
    }

    @Test
    void only_the_node_that_draws_gets_the_outcome() {
        var protocol =
                ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign ? step.draw(6) : step);
        assertThat(RecordedSimulation.of(protocol, WORLD).steps(2)).containsExactly("starts FIRST");
    }

    @Test
    void a_bug_while_handling_a_message_to_itself_ends_the_run() {
        var protocol = ScriptedProtocol.election((step, event) -> {
            ProtocolBug.unless(!(event instanceof Event.Received), "hearing", step.state());
            return step.sendAll(NodeSet.of(List.of(n(1))), message("a"));
        });
        assertThat(RecordedSimulation.of(protocol, WORLD).result().bug()).startsWith("hearing cannot happen in State");
    }
}
