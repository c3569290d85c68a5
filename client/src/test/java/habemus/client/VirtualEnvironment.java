package habemus.client;

import habemus.client.environment.ClientEnvironment;
import habemus.client.environment.Endpoint;
import habemus.client.environment.NodeConnector;
import habemus.concurrent.EventLoop;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A deterministic environment on one thread: virtual time, and one scripted node that grants every lock. Everything
 * that happens is recorded.
 */
final class VirtualEnvironment implements EventLoop, NodeConnector {

    private static final Duration LATENCY = Duration.ofMillis(1);
    private static final long START_NANOS =
            Long.MAX_VALUE - Duration.ofSeconds(1).toNanos(); // overflows soon

    /** A task at its time; tasks of the same time run in the order of their numbers. */
    private static final class Task implements Cancellable {
        private final long dueNanos;
        private final long number;
        private final Runnable work;
        private boolean isCancelled;

        Task(long dueNanos, long number, Runnable work) {
            this.dueNanos = dueNanos;
            this.number = number;
            this.work = work;
        }

        @Override
        public void cancel() {
            isCancelled = true;
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            Comparator.<Task>comparingLong(task -> task.dueNanos - START_NANOS).thenComparingLong(task -> task.number));
    private final List<String> trace = new ArrayList<>();
    private final Random random;
    private long nowNanos = START_NANOS;
    private long taskCount;
    private long connectionCount;
    private long sessionCount;
    private boolean isPartitioned;

    VirtualEnvironment(long seed) {
        random = new Random(seed);
    }

    ClientEnvironment environment() {
        return new ClientEnvironment(this, this, random, this::execute, new ClientInfo("virtual", "here", 1));
    }

    /** From now on the node receives nothing and sends nothing. */
    void partition(boolean partitioned) {
        isPartitioned = partitioned;
        record(partitioned ? "partitioned" : "healed");
    }

    void record(String event) {
        trace.add(elapsed().toMillis() + " ms: " + event);
    }

    List<String> trace() {
        return List.copyOf(trace);
    }

    Duration elapsed() {
        return Duration.ofNanos(nowNanos - START_NANOS);
    }

    /** Runs all tasks that are due within this time. */
    void runFor(Duration time) {
        long endNanos = nowNanos + time.toNanos();
        while (!tasks.isEmpty() && tasks.peek().dueNanos - endNanos <= 0) {
            var next = tasks.remove();
            advanceTo(next.dueNanos);
            if (!next.isCancelled) {
                next.work.run();
            }
        }
        advanceTo(endNanos);
    }

    /** After a pause it may be later already. */
    private void advanceTo(long nanos) {
        nowNanos = nanos - nowNanos > 0 ? nanos : nowNanos;
    }

    /** Lets time pass without running anything, as if the process were paused. */
    void pauseFor(Duration time) {
        nowNanos += time.toNanos();
    }

    @Override
    public void execute(Runnable task) {
        schedule(Duration.ZERO, task);
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        var scheduled = new Task(nowNanos + delay.toNanos(), ++taskCount, task);
        tasks.add(scheduled);
        return scheduled;
    }

    @Override
    public boolean inEventLoop() {
        return true;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public Channel open(Endpoint endpoint, Duration delay, Receiver receiver) {
        var connection = new ScriptedConnection(endpoint, receiver, nowNanos + delay.toNanos());
        record("connection " + connection.number + " to " + endpoint + " after " + delay.toMillis() + " ms");
        return connection;
    }

    private final class ScriptedConnection implements Channel {
        private final Endpoint endpoint;
        private final Receiver receiver;
        private final long openNanos;
        private final long number = ++connectionCount;
        private boolean isClosed;

        ScriptedConnection(Endpoint endpoint, Receiver receiver, long openNanos) {
            this.endpoint = endpoint;
            this.receiver = receiver;
            this.openNanos = openNanos;
        }

        @Override
        public void send(ClientFrame.ToService frame) {
            var untilOpen = Duration.ofNanos(Math.max(0, openNanos - nowNanos));
            schedule(untilOpen.plus(LATENCY), () -> {
                if (!isPartitioned && !isClosed) {
                    record(number + " <- " + frame);
                    answer(frame).ifPresent(this::reply);
                }
            });
        }

        private void reply(ClientFrame.ToClient frame) {
            schedule(LATENCY, () -> {
                if (!isPartitioned && !isClosed) {
                    record(number + " -> " + frame);
                    receiver.onFrame(frame);
                }
            });
        }

        private Optional<ClientFrame.ToClient> answer(ClientFrame.ToService frame) {
            return switch (frame) {
                case ClientFrame.Hello hello ->
                    Optional.of(new ClientFrame.Welcome(
                            ClientFrame.VERSION, "c1", "n1", List.of(endpoint.toString(), endpoint.toString()), true));
                case ClientFrame.Request(Message.OpenSession open) ->
                    reply(new Message.SessionOpened(open.nonce(), ++sessionCount));
                case ClientFrame.Request(Message.Renew(var id, var renewal)) ->
                    reply(id == sessionCount ? new Message.Renewed(id, renewal) : new Message.SessionExpired(id));
                case ClientFrame.Request(Message.Submit(var id, var request, var upTo, var operation)) ->
                    reply(new Message.Result(id, request, result(id, request, operation)));
                case ClientFrame.ToService other -> Optional.empty();
            };
        }

        private static Optional<ClientFrame.ToClient> reply(Message.ServerReply reply) {
            return Optional.of(new ClientFrame.Reply(reply));
        }

        private static OperationResult result(long session, long request, Operation operation) {
            return switch (operation) {
                case Operation.Acquire acquire -> new OperationResult.Granted(100 * session + request);
                case Operation.Release release -> new OperationResult.Released();
                case Operation.Close close -> new OperationResult.Closed();
                case Operation.Transfer transfer -> new OperationResult.Released();
                case Operation.Abandon abandon -> new OperationResult.Closed();
            };
        }

        @Override
        public void close() {
            isClosed = true;
            record("connection " + number + " closed");
        }
    }
}
