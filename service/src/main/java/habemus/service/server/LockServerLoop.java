package habemus.service.server;

import habemus.concurrent.EventLoop;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.RequestId;
import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.service.log.ReplicatedLog;
import habemus.service.metrics.NodeMetrics;
import habemus.service.recording.ServerInput;
import habemus.service.recording.ServerRecorder;
import habemus.service.runtime.LoopTimers;
import habemus.service.runtime.NodeFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the {@link LockServer} state machine of a node on the event loop that also runs its log and its client
 * connections. The loop never waits for the log.
 *
 * <p>Events of one turn of the event loop are handled as one batch. Their commands become one log entry, and their
 * replies to one connection one write.
 */
public final class LockServerLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LockServerLoop.class);

    /** How often the leader looks for sessions whose lease has expired. */
    private static final Duration EXPIRY_CHECK_INTERVAL = Duration.ofMillis(250);

    /** How long renewals are collected before they are proposed. */
    private static final Duration RENEWAL_FLUSH_INTERVAL = Duration.ofMillis(100);

    /** How long denied requests are collected before they are proposed. */
    private static final Duration DENIAL_FLUSH_INTERVAL = Duration.ofSeconds(1);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_EVENTS_PER_BATCH = 4_096;

    /** Receives the replies to a connection. */
    public interface ReplyListener {

        /** Called on the event loop, in the order of the replies. Must not block. */
        void onReplies(List<Message.ServerReply> replies);
    }

    /**
     * Where a lock server runs: real, or simulated.
     *
     * @param wallClock gives the times that operators read; no decision depends on them
     * @param heap the node refuses growth while it is nearly full
     * @param recorder records the steps of the machine
     */
    public record Environment(
            EventLoop eventLoop,
            InstantSource wallClock,
            HeapGuard heap,
            ServerRecorder recorder,
            NodeMetrics metrics) {}

    private final NodeId self;
    private final EventLoop eventLoop;
    private final ServerRecorder recorder;
    private final ReplicatedLog log;
    private final LockServer lockServer;
    private final AccessPolicy policy;
    private final AdmissionControl admission;
    private final ServerCounters counters;
    private final DenialAudit denials = new DenialAudit();
    private final ProposalBatcher batcher;
    private final ConnectionIdPool connectionIds;
    private final Queue<ServerEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isRunScheduled = new AtomicBoolean();
    private final CompletableFuture<NodeFailure> failure = new CompletableFuture<>();
    private final LoopTimers timers; // this and all below: only on the event loop
    private final Map<NodeId, ClientConnection> connections = new HashMap<>();
    private final List<ClientConnection> connectionsToFlush = new ArrayList<>();
    private final List<ClientConnection> disconnecting = new ArrayList<>();
    private LockServer.State state;
    private volatile boolean isStopped; // this and all below: read by any thread
    private volatile LockTable lockTable = LockTable.EMPTY;
    private volatile int localSessions;
    private volatile Optional<NodeId> leader = Optional.empty();
    private volatile Runnable leaderListener = () -> {};

    public LockServerLoop(
            NodeId self, Environment environment, ReplicatedLog log, AccessPolicy policy, ServerLimits limits) {
        this.self = self;
        this.log = log;
        this.policy = policy;
        eventLoop = environment.eventLoop;
        recorder = environment.recorder;
        counters = new ServerCounters(environment.metrics);
        lockServer = new LockServer(EXPIRY_CHECK_INTERVAL, RENEWAL_FLUSH_INTERVAL, limits.quotas());
        admission = new AdmissionControl(limits, environment.heap);
        connectionIds = new ConnectionIdPool(limits.connections());
        batcher = new ProposalBatcher(log, environment, counters);
        timers = new LoopTimers(eventLoop, timer -> guard(() -> onTimeout((LockServer.Timer) timer)));
        state = lockServer.start(new Neighbourhood(self, List.of())).state();
        recorder.onStart(lockServer);
        policy.setDenialListener(this::onDenied);
    }

    /**
     * Starts with the state of the log. Waits, so not on the event loop.
     *
     * @param firstFence every fence of a new cluster is larger
     */
    public void start(long firstFence) {
        log.start(new ReplicaStateMachine(this, firstFence));
    }

    /** Empty if the node has as many connections as it may have. */
    public Optional<ClientConnection> connect(Principal principal, ReplyListener replyListener) {
        return connectionIds.acquire().map(id -> new ClientConnection(this, id, principal, replyListener));
    }

    /** The lock table as of the last applied batch: immutable, and read without waiting. */
    public LockTable table() {
        return lockTable;
    }

    /** The leader, as far as this node knows. */
    public Optional<NodeId> leader() {
        return leader;
    }

    /** @param listener called on the event loop when the leader changes; must not block */
    public void setLeaderListener(Runnable listener) {
        leaderListener = listener;
    }

    /** Proposes a command. Completes with the table after it, or fails as {@link ReplicatedLog#propose} does. */
    public CompletableFuture<LockTable> submitAdminCommand(Command.AdminCommand command) {
        var done = new CompletableFuture<LockTable>();
        submit(new ServerEvent.AdminRequested(command, done));
        return done;
    }

    public ServerStats stats() {
        return counters.stats(lockTable, localSessions, connectionIds.usedCount());
    }

    /** Completes if the loop has stopped by itself. */
    public CompletableFuture<NodeFailure> failure() {
        return failure;
    }

    /** Returns when the last event is handled, or at once on the event loop. */
    @Override
    public void close() {
        var stopped = new CompletableFuture<Void>();
        submit(new ServerEvent.Stop(stopped));
        if (!eventLoop.inEventLoop()) {
            stopped.completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
    }

    /** Handles an event at the end of the current turn of the event loop. May be called by any thread. */
    void submit(ServerEvent event) {
        events.add(event);
        try {
            if (isRunScheduled.compareAndSet(false, true)) {
                eventLoop.execute(this::run);
            }
        } catch (RejectedExecutionException closed) {
            discardEvents();
        }
    }

    /** Whether so many commands are in the log and not committed that more would only wait there. */
    boolean isBusy() {
        return batcher.isBusy();
    }

    AdmissionControl admission() {
        return admission;
    }

    AccessPolicy policy() {
        return policy;
    }

    ServerCounters counters() {
        return counters;
    }

    /** Number of sessions whose client is connected here, including those that are being opened. */
    int localSessions() {
        return localSessions;
    }

    private void run() {
        isRunScheduled.set(false); // before the queue is read, so that an event added later is not forgotten
        guard(() -> {
            for (int handled = 0; handled < MAX_EVENTS_PER_BATCH; handled++) {
                var event = events.poll();
                if (event == null) {
                    break;
                }
                handle(event);
            }
            if (!events.isEmpty() && isRunScheduled.compareAndSet(false, true)) {
                eventLoop.execute(this::run);
            }
            finishBatch();
        });
    }

    /** Stops the lock server if a task fails: its state may be wrong. */
    private void guard(Runnable task) {
        if (isStopped) {
            discardEvents();
            return;
        }
        try {
            task.run();
        } catch (RuntimeException cause) {
            fail(cause);
        } catch (OutOfMemoryError full) {
            fail(outOfMemory(full));
        }
    }

    private static IllegalStateException outOfMemory(OutOfMemoryError full) {
        return new IllegalStateException(
                "the heap is full: " + Runtime.getRuntime().maxMemory() + " bytes\nhint: start with a larger -Xmx",
                full);
    }

    private void fail(RuntimeException cause) {
        isStopped = true;
        if (failure.complete(new NodeFailure("lock server", cause, state))) {
            LOG.error("lock server failed node={}", self, cause);
        }
        discardEvents();
    }

    private void discardEvents() {
        for (var event = events.poll(); event != null; event = events.poll()) {
            switch (event) {
                case ServerEvent.AdminRequested(var command, var done) ->
                    done.completeExceptionally(stoppedException());
                case ServerEvent.Stop(var stopped) -> stopped.complete(null);
                case ServerEvent other -> {} // its client connects to another node
            }
        }
    }

    private static IllegalStateException stoppedException() {
        return new IllegalStateException("the node has stopped");
    }

    private void onTimeout(LockServer.Timer timer) {
        execute(new ServerInput.TimedOut(timer), lockServer.timeout(state, timer));
        finishBatch();
    }

    /** Proposes the commands of the batch, publishes the table, and sends the replies. */
    void finishBatch() {
        removeDisconnected();
        batcher.flushIfUrgent();
        lockTable = state.table(); // before a client learns of it
        localSessions = state.connections().attached().size()
                + state.connections().opening().size();
        connectionsToFlush.forEach(this::flush);
        connectionsToFlush.clear();
    }

    private void handle(ServerEvent event) {
        switch (event) {
            case ServerEvent.RequestReceived(var connection, var request) -> onRequest(connection, request);
            case ServerEvent.LimitExceeded(var connection, var submit, var limit) ->
                cancelForLimit(connection, submit, limit);
            case ServerEvent.RequestRejected(var connection, var reply) -> {
                addReply(connection, reply);
            }
            case ServerEvent.Disconnected(var connection) -> onDisconnected(connection);
            case ServerEvent.AdminRequested(var command, var done) -> proposeAdminCommand(command, done);
            case ServerEvent.DenialsCollected collected ->
                eventLoop.schedule(DENIAL_FLUSH_INTERVAL, () -> guard(this::proposeDenials));
            case ServerEvent.Stop(var stopped) -> {
                isStopped = true;
                stopped.complete(null);
            }
        }
    }

    /** The table, for a snapshot. Only on the event loop. */
    LockTable currentTable() {
        if (isStopped) {
            throw stoppedException();
        }
        return state.table();
    }

    void onRestored(LockTable restored) {
        runForLog(() -> receiveFromLog(new Message.SnapshotInstalled(restored)));
        finishBatch();
    }

    void onLeaderChanged(Optional<NodeId> newLeader) {
        leader = newLeader;
        newLeader.ifPresent(elected -> counters.leaderChanges.increment());
        runForLog(() -> receiveFromLog(new Message.LeadershipChanged(newLeader.equals(Optional.of(self)))));
        finishBatch();
        leaderListener.run();
    }

    /** Runs a callback of the log. If it fails, the log stops too. */
    private void runForLog(Runnable task) {
        if (isStopped) {
            throw stoppedException();
        }
        try {
            task.run();
        } catch (RuntimeException cause) {
            fail(cause);
            throw cause;
        } catch (OutOfMemoryError full) {
            var cause = outOfMemory(full);
            fail(cause);
            throw cause;
        }
    }

    private void receiveFromLog(Message.LogMessage message) {
        execute(ServerInput.FROM_LOG, lockServer.receive(state, LockServer.LOG, message));
    }

    private void onRequest(ClientConnection connection, Message.ClientRequest request) {
        counters.requests.increment();
        if (!connection.isDisconnected()) {
            connections.putIfAbsent(connection.id(), connection);
            if (request instanceof Message.Submit submit && submit.operation() instanceof Operation.Acquire acquire) {
                connection.onAcquire(submit, acquire, eventLoop.nanoTime());
            }
            execute(
                    new ServerInput.Requested(connection.id(), request),
                    lockServer.receive(state, connection.id(), request));
        }
    }

    /** Releases the request number instead, so that the log decides whether the acquire or the limit came first. */
    private void cancelForLimit(ClientConnection connection, Message.Submit submit, RejectionReason limit) {
        counters.countRejection(ServerCounters.code(limit));
        if (connection.markCancelled(
                new RequestId(submit.session(), submit.number()),
                limit,
                admission.limits().requestWindow())) {
            var release = new Operation.Release(submit.number());
            onRequest(
                    connection,
                    new Message.Submit(submit.session(), submit.number(), submit.acknowledgedUpTo(), release));
        }
    }

    private void onDisconnected(ClientConnection connection) {
        disconnecting.add(connection);
        connection.markDisconnected();
    }

    /** Once per batch: the lock server scans all sessions for the removed connections. */
    private void removeDisconnected() {
        if (!disconnecting.isEmpty()) {
            var known = disconnecting.stream()
                    .map(ClientConnection::id)
                    .filter(connections::containsKey)
                    .toList();
            connections.keySet().removeAll(known);
            var clients = NodeSet.of(known);
            execute(new ServerInput.Disconnected(clients), lockServer.onDisconnected(state, clients));
            disconnecting.forEach(connection -> connectionIds.release(connection.id()));
            disconnecting.clear();
        }
    }

    void onCommitted(CommandBatch batch) {
        runForLog(() -> {
            var before = state.table();
            receiveFromLog(new Message.Committed(batch));
            counters.applied.increment();
            if (state.isLeader()) {
                counters.recordHolds(before, state.table());
            }
            for (var command : batch.commands()) {
                if (command instanceof Command.ExpireSession expireSession) {
                    counters.countExpiry(expireSession, before, state.table());
                }
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback completes the result
    private void proposeAdminCommand(Command.AdminCommand command, CompletableFuture<LockTable> done) {
        batcher.add(command).whenComplete((nothing, failed) -> {
            if (failed == null) {
                done.complete(state.table()); // the log completes a proposal after it has applied the command
            } else {
                done.completeExceptionally(failed);
            }
        });
    }

    private void onDenied(String client, String address, String request) {
        if (denials.add(client, address, request)) {
            submit(new ServerEvent.DenialsCollected());
        }
    }

    /** If they are not committed, the log of the node still has them. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void proposeDenials() {
        denials.drain().forEach(batcher::add);
        finishBatch();
    }

    private void execute(ServerInput input, Step<LockServer.State, Message> step) {
        recorder.onStep(input, step);
        state = step.state();
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Send<Message>(var to, Message.Propose(var commands)) -> commands.forEach(this::propose);
                case Effect.Send<Message>(var to, Message.ServerReply reply) -> addReply(to, reply);
                case Effect.SetTimer<Message> setTimer -> timers.set(setTimer.timer(), setTimer.atLeast());
                case Effect.CancelTimer<Message> cancelTimer -> timers.cancel(cancelTimer.timer());
                case Effect<Message> unexpected -> throw new ProtocolBug(unexpected.toString(), state);
            }
        }
    }

    /**
     * Proposes a command, lazily if it can only join a queue. Only the leader can tell: at a follower the table may be
     * old, and the lock free already. If the command is lost, the client sends it again.
     */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void propose(Command command) {
        if (state.isLeader()
                && command instanceof Command.Submit submit
                && state.table().mustWait(submit.operation())) {
            batcher.addLazily(command);
        } else {
            batcher.add(command);
        }
    }

    private void addReply(NodeId to, Message.ServerReply reply) {
        var connection = connections.get(to);
        if (connection != null) {
            addReply(connection, reply);
        }
    }

    private void addReply(ClientConnection to, Message.ServerReply reply) {
        switch (reply) {
            case Message.Renewed renewed -> counters.renewals.increment();
            case Message.Result(var session, var number, var result) ->
                measure(to, new RequestId(session, number), result);
            case Message.ServerReply other -> {}
        }
        if (!to.isDisconnected() && to.addReply(reply)) {
            connectionsToFlush.add(to);
        }
    }

    private void measure(ClientConnection connection, RequestId request, OperationResult result) {
        if (result instanceof OperationResult.Rejected(var reason)) {
            counters.countRejection(ServerCounters.code(reason));
        }
        if (!(result instanceof OperationResult.Waiting)) {
            connection
                    .takePendingAcquire(request)
                    .filter(acquire -> result instanceof OperationResult.Granted)
                    .ifPresent(acquire ->
                            counters.recordGrant(acquire.kind(), eventLoop.nanoTime() - acquire.startNanos()));
        }
    }

    /** A connection that fails is closed; the others are not affected. */
    private void flush(ClientConnection connection) {
        try {
            connection.flushReplies();
        } catch (RuntimeException failed) {
            LOG.warn("client disconnected reason=reply-failed node={} client={}", self, connection, failed);
            connection.close();
        }
    }
}
