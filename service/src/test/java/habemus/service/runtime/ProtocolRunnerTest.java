package habemus.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Effect;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.service.trace.RecordedStep.Arrival;
import habemus.service.trace.StepRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of timers and messages. */
class ProtocolRunnerTest {

    private static final Duration DELAY = Duration.ofMillis(5);

    enum TestTimer {
        DEADLINE,
        REMINDER
    }

    record TestMessage(String text) {}

    record State(List<String> events) {
        State withEvent(String event) {
            var extended = new ArrayList<>(events);
            extended.add(event);
            return new State(List.copyOf(extended));
        }
    }

    /** Records its events; only the deadline is urgent. */
    private static final class RecordingProtocol
            implements Election<State, TestMessage>, Timed<State, TestMessage, TestTimer> {
        @Override
        public Step<State, TestMessage> start(Neighbourhood neighbourhood) {
            return to(new State(List.of())).setTimer(TestTimer.DEADLINE, DELAY).setTimer(TestTimer.REMINDER, DELAY);
        }

        @Override
        public Step<State, TestMessage> receive(State s, NodeId from, TestMessage message) {
            return to(s.withEvent(message.text));
        }

        @Override
        public Step<State, TestMessage> campaign(State s) {
            return to(s);
        }

        @Override
        public Step<State, TestMessage> timeout(State s, TestTimer timer) {
            return to(s.withEvent(timer.name()));
        }

        @Override
        public boolean isUrgent(Enum<?> timer) {
            return timer == TestTimer.DEADLINE;
        }
    }

    private static final class NoEffects implements ProtocolRunner.EffectHandler<TestMessage> {
        @Override
        public void send(NodeId to, long number, TestMessage message) {}

        @Override
        public void onNotified(Effect<TestMessage> effect) {}

        @Override
        public void onFailed(RuntimeException cause, Object state) {}
    }

    private final ManualEventLoop loop = ManualEventLoop.eager();
    private final ProtocolRunner<State, TestMessage> runner = new ProtocolRunner<>(
            new RecordingProtocol(),
            new Neighbourhood(new NodeId(1), List.of(new NodeId(2))),
            new NoEffects(),
            new ProtocolRunner.Persistence<>(DurableStateStore.none(), StepRecorder.none()),
            loop);

    private void receive(String text) {
        runner.receive(new NodeId(2), new TestMessage(text), Arrival.NONE);
    }

    /** The process was paused when both timers expired and the message arrived. */
    @Test
    void an_expired_urgent_timer_fires_once_and_before_a_waiting_message() {
        runner.start();
        loop.pause(DELAY);
        receive("a message");
        loop.advance(DELAY);
        assertThat(runner.state().events()).containsExactly("DEADLINE", "a message", "REMINDER");
    }

    @Test
    void timers_fire_in_the_order_of_their_deadlines() {
        runner.start();
        receive("early");
        loop.advance(DELAY);
        receive("late");
        assertThat(runner.state().events()).containsExactly("early", "DEADLINE", "REMINDER", "late");
    }

    @Test
    void a_stopped_runner_ignores_messages_and_timers() {
        runner.start();
        runner.stop();
        receive("late");
        loop.advance(DELAY);
        assertThat(runner.state().events()).isEmpty();
    }

    @Test
    void a_task_submitted_by_a_task_runs_after_it() {
        runner.start();
        runner.submit(() -> {
            receive("second");
            runner.handle(new Event.Received<>(new NodeId(2), new TestMessage("first")));
        });
        assertThat(runner.state().events()).containsExactly("first", "second");
    }
}
