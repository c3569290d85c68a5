package habemus.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.service.trace.RecordedStep.Arrival;
import habemus.service.trace.StepRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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

    /** Holds timers back, as after a pause of the whole process in which messages have arrived. */
    private static final class LateScheduler extends ScheduledThreadPoolExecutor {
        private final LinkedBlockingQueue<Runnable> held = new LinkedBlockingQueue<>();

        LateScheduler() {
            super(0);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            held.add(task);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }
    }

    private static final class NoEffects implements ProtocolRunner.EffectHandler<TestMessage> {
        @Override
        public void send(NodeId to, long number, TestMessage message) {}

        @Override
        public void onGranted(long fence) {}

        @Override
        public void onElected(NodeId leader, long term) {}

        @Override
        public void onLost() {}

        @Override
        public void onFailed(RuntimeException cause, Object state) {}
    }

    @Test
    void an_expired_urgent_timer_fires_once_and_before_a_waiting_message() throws Exception {
        var scheduler = new LateScheduler();
        var neighbourhood = new Neighbourhood(new NodeId(1), List.of(new NodeId(2)));
        var persistence =
                new ProtocolRunner.Persistence<State, TestMessage>(DurableStateStore.none(), StepRecorder.none());
        var runner =
                new ProtocolRunner<>(new RecordingProtocol(), neighbourhood, new NoEffects(), persistence, scheduler);
        runner.start();
        var timers = List.of(scheduler.held.take(), scheduler.held.take());
        long deadline = System.nanoTime() + DELAY.toNanos();
        while (System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        runner.receive(new NodeId(2), new TestMessage("a message"), Arrival.NONE);
        timers.forEach(Runnable::run);
        var states = new LinkedBlockingQueue<State>();
        var done = new CountDownLatch(1);
        runner.submit(() -> {
            states.add(runner.state());
            done.countDown();
        });
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(states.take().events()).containsExactly("DEADLINE", "a message", "REMINDER");
        runner.stop();
        scheduler.shutdownNow();
    }
}
