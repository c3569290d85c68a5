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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a machine for real is told first. */
class ProtocolRunnerTest {

    private static final Duration SOON = Duration.ofMillis(5);

    enum Bell {
        DEADLINE,
        REMINDER
    }

    record Note(String text) {}

    record State(List<String> heard) {
        State hearing(String what) {
            var more = new java.util.ArrayList<>(heard);
            more.add(what);
            return new State(List.copyOf(more));
        }
    }

    /** Writes down what it is told; only the deadline is urgent. */
    private static final class Listener implements Election<State, Note>, Timed<State, Note, Bell> {
        @Override
        public Step<State, Note> start(Neighbourhood neighbourhood) {
            return to(new State(List.of())).setTimer(Bell.DEADLINE, SOON).setTimer(Bell.REMINDER, SOON);
        }

        @Override
        public Step<State, Note> receive(State s, NodeId from, Note message) {
            return to(s.hearing(message.text));
        }

        @Override
        public Step<State, Note> campaign(State s) {
            return to(s);
        }

        @Override
        public Step<State, Note> timeout(State s, Bell alarm) {
            return to(s.hearing(alarm.name()));
        }

        @Override
        public boolean isUrgent(Enum<?> alarm) {
            return alarm == Bell.DEADLINE;
        }
    }

    /** One that rings late: as after a pause of the whole process, when messages have come to the door meanwhile. */
    private static final class Late extends ScheduledThreadPoolExecutor {
        private final LinkedBlockingQueue<Runnable> held = new LinkedBlockingQueue<>();

        Late() {
            super(0);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            held.add(task);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }
    }

    private static final class Nobody implements ProtocolRunner.EffectHandler<Note> {
        @Override
        public void send(NodeId to, long number, Note message) {}

        @Override
        public void onGranted(long fence) {}

        @Override
        public void onElected(NodeId leader, long term) {}

        @Override
        public void onLost() {}

        @Override
        public void onFailed(RuntimeException why, Object state) {}
    }

    @Test
    void a_deadline_that_has_passed_comes_before_a_message_that_waits_and_only_once() throws Exception {
        var ticker = new Late();
        var neighbourhood = new Neighbourhood(new NodeId(1), List.of(new NodeId(2)));
        var persistence = new ProtocolRunner.Persistence<State, Note>(DurableStateStore.none(), StepRecorder.none());
        var protocolRunner = new ProtocolRunner<>(new Listener(), neighbourhood, new Nobody(), persistence, ticker);
        protocolRunner.start();
        var rings = List.of(ticker.held.take(), ticker.held.take());
        long past = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() - past < 0) {
            Thread.onSpinWait();
        }
        protocolRunner.receive(new NodeId(2), new Note("a message"), Arrival.NONE);
        rings.forEach(Runnable::run);
        var heard = new LinkedBlockingQueue<State>();
        var done = new CountDownLatch(1);
        protocolRunner.submit(() -> {
            heard.add(protocolRunner.state());
            done.countDown();
        });
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(heard.take().heard()).containsExactly("DEADLINE", "a message", "REMINDER");
        protocolRunner.stop();
        ticker.shutdownNow();
    }
}
