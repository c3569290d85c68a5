package habemus.service.server;

import habemus.concurrent.CombiningQueue;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
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
import habemus.service.raft.ReplicatedLog;
import habemus.service.runtime.NodeFailure;
import habemus.service.runtime.TimerQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the {@link LockServer} state machine of a node, one event at a time. The submitting thread drains the queue if
 * no other thread is draining it. The loop never waits for the log.
 *
 * <p>The loop handles queued events in batches. Their commands become one log entry, and their replies to one
 * connection one write. A timer that is due fires before the next event.
 */
public final class LockServerLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LockServerLoop.class);

    /** How often the leader looks for sessions whose lease has expired. */
    private static final Duration EXPIRY_CHECK_INTERVAL = Duration.ofMillis(250);

    /** How long renewals are collected before they are proposed. */
    private static final Duration RENEWAL_FLUSH_INTERVAL = Duration.ofMillis(100);

    private static final int MAX_EVENTS_PER_BATCH = 4_096;

    /** Receives the replies to a connection. */
    public interface ReplyListener {

        /** Called in the order of the replies, by any thread. Must not block. */
        void onReplies(List<Message.ServerReply> replies);
    }

    private final NodeId self;
    private final ReplicatedLog log;
    private final LockServer lockServer = new LockServer(EXPIRY_CHECK_INTERVAL, RENEWAL_FLUSH_INTERVAL);
    private final AccessPolicy policy;
    private final AdmissionControl admission;
    private final ServerCounters counters = new ServerCounters();
    private final ProposalBatcher batcher;
    private final ConnectionIdPool connectionIds;
    private final TimerQueue<LockServer.Timer> timers;
    private final CombiningQueue<ServerEvent> queue = new CombiningQueue<>(this::runBatch, this::flushLog);
    private final Map<NodeId, ClientConnection> connections = new HashMap<>();
    private final List<ClientConnection> connectionsToFlush = new ArrayList<>();
    private final List<ClientConnection> disconnecting = new ArrayList<>();
    private final CompletableFuture<NodeFailure> failure = new CompletableFuture<>();
    private final ReplicaStateMachine stateMachine = new ReplicaStateMachine(this);
    private LockServer.State state;
    private boolean stopped;
    private volatile LockTable lockTable = LockTable.EMPTY;
    private volatile int localSessions;
    private volatile Optional<NodeId> leader = Optional.empty();
    private volatile Runnable leaderListener = () -> {};

    /** @param nanoClock a monotonic clock in nanoseconds */
    public LockServerLoop(
            NodeId self, ReplicatedLog log, AccessPolicy policy, ServerLimits limits, LongSupplier nanoClock) {
        this.self = self;
        this.log = log;
        this.policy = policy;
        admission = new AdmissionControl(limits);
        connectionIds = new ConnectionIdPool(limits.connections());
        batcher = new ProposalBatcher(
                log, nanoClock, counters, commands -> submit(new ServerEvent.ProposalLost(commands)));
        timers = new TimerQueue<>(nanoClock);
        state = lockServer.start(new Neighbourhood(self, List.of())).state();
    }

    /**
     * Starts with the state of the log.
     *
     * @param firstFence every fence of a new cluster is larger
     */
    public void start(long firstFence) {
        stateMachine.setFirstFence(firstFence);
        queue.start(Thread.ofPlatform().name("lock-server").daemon().factory());
        log.start(stateMachine);
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

    /** @param listener called when the leader changes, by any thread; must not block */
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

    @Override
    public void close() {
        submit(new ServerEvent.Stop());
        try {
            queue.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void submit(ServerEvent event) {
        queue.submit(event);
    }

    /** Queues an event. The caller has to {@linkplain #runPending run} the queue after its last one. */
    void enqueue(ServerEvent event) {
        queue.enqueue(event);
    }

    void runPending() {
        queue.drain();
    }

    /** Whether a thread that runs the queue may be busy for a while with writes of other connections. */
    boolean isBusy() {
        return log.hasPendingWrites();
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

    private void fail(RuntimeException cause) {
        if (failure.complete(new NodeFailure("lock server", cause, state))) {
            LOG.error("lock server failed node={}", self, cause);
        }
    }

    private long runBatch() {
        try {
            handleBatch();
        } catch (RuntimeException cause) {
            stopped = true;
            fail(cause);
        }
        if (stopped) {
            stateMachine.stop();
            queue.stop();
        }
        return Math.max(0, Math.min(timers.nanosUntilNext(), batcher.nanosUntilFlush()));
    }

    /** Writes the log after the batch, so that the next batch does not wait for the disk. */
    private void flushLog() {
        log.runPending();
    }

    private void handleBatch() {
        for (int handled = 0; handled < MAX_EVENTS_PER_BATCH; handled++) {
            var event = nextEvent();
            if (event == null) {
                break;
            }
            handle(event);
        }
        removeDisconnected();
        batcher.flushIfDue();
        lockTable = state.table(); // before a client learns of it
        localSessions = state.connections().attached().size()
                + state.connections().opening().size();
        connectionsToFlush.forEach(this::flush);
        connectionsToFlush.clear();
    }

    /** Fires the timers that are due, and polls the queue. */
    private @Nullable ServerEvent nextEvent() {
        for (var timer = timers.pollDue(); timer.isPresent(); timer = timers.pollDue()) {
            execute(lockServer.timeout(state, timer.get()));
        }
        return queue.poll();
    }

    private void handle(ServerEvent event) {
        if (stopped) {
            return;
        }
        switch (event) {
            case ServerEvent.RequestReceived(var connection, var request) -> onRequest(connection, request);
            case ServerEvent.LimitExceeded(var connection, var submit) -> cancelForLimit(connection, submit);
            case ServerEvent.RequestRejected(var connection, var reply) -> {
                connection.releasePermit();
                counters.rejected.increment();
                addReply(connection, reply);
            }
            case ServerEvent.Disconnected(var connection) -> onDisconnected(connection);
            case ServerEvent.Committed(var batch) -> onCommitted(batch);
            case ServerEvent.ProposalLost(var commands) -> batcher.repropose(commands);
            case ServerEvent.SnapshotRestored(var restored) ->
                execute(receiveFromLog(new Message.SnapshotInstalled(restored)));
            case ServerEvent.LeaderChanged(var newLeader) -> {
                LOG.debug(
                        "leader change handled node={} leader={}",
                        self,
                        newLeader.map(NodeId::toString).orElse("none"));
                leader = newLeader;
                execute(receiveFromLog(new Message.LeadershipChanged(newLeader.equals(Optional.of(self)))));
                leaderListener.run();
            }
            case ServerEvent.AdminRequested(var command, var done) -> proposeAdminCommand(command, done);
            case ServerEvent.TableRead(var result) -> result.complete(state.table());
            case ServerEvent.Stop() -> stopped = true;
        }
    }

    private Step<LockServer.State, Message> receiveFromLog(Message.LogMessage message) {
        return lockServer.receive(state, LockServer.LOG, message);
    }

    private void onRequest(ClientConnection connection, Message.ClientRequest request) {
        connection.releasePermit();
        counters.requests.increment();
        if (!connection.isDisconnected()) {
            connections.putIfAbsent(connection.id(), connection);
            execute(lockServer.receive(state, connection.id(), request));
        }
    }

    /** Releases the request number instead, so that the log decides whether the acquire or the limit came first. */
    private void cancelForLimit(ClientConnection connection, Message.Submit submit) {
        counters.rejected.increment();
        if (connection.markCancelled(
                new RequestId(submit.session(), submit.number()),
                admission.limits().requestWindow())) {
            var release = new Operation.Release(submit.number());
            onRequest(
                    connection,
                    new Message.Submit(submit.session(), submit.number(), submit.acknowledgedUpTo(), release));
        } else {
            connection.releasePermit();
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
            execute(lockServer.onDisconnected(state, NodeSet.of(known)));
            disconnecting.forEach(connection -> connectionIds.release(connection.id()));
            disconnecting.clear();
        }
    }

    private void onCommitted(CommandBatch batch) {
        var before = state.table();
        execute(receiveFromLog(new Message.Committed(batch)));
        counters.applied.increment();
        stateMachine.releasePermit();
        for (var command : batch.commands()) {
            if (command instanceof Command.ExpireSession expireSession) {
                counters.countExpiry(expireSession, before, state.table());
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback only queues an event
    private void proposeAdminCommand(Command.AdminCommand command, CompletableFuture<LockTable> done) {
        batcher.add(command).whenComplete((nothing, failed) -> {
            if (failed == null) {
                submit(new ServerEvent.TableRead(done)); // queued behind the committed command
            } else {
                done.completeExceptionally(failed);
            }
        });
    }

    private void execute(Step<LockServer.State, Message> step) {
        state = step.state();
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Send<Message>(var to, Message.Propose(var commands)) -> commands.forEach(this::propose);
                case Effect.Send<Message>(var to, Message.ServerReply reply) -> addReply(to, reply);
                case Effect.SetTimer<Message> setTimer ->
                    timers.set((LockServer.Timer) setTimer.timer(), setTimer.atLeast());
                case Effect.CancelTimer<Message> cancelTimer -> timers.cancel((LockServer.Timer) cancelTimer.timer());
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
        if (reply instanceof Message.Renewed) {
            counters.renewals.increment();
        }
        if (!to.isDisconnected() && to.addReply(reply)) {
            connectionsToFlush.add(to);
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
