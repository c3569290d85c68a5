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
 * Drives the {@link LockServer} of a node: one thing at a time, by whoever brings it, and never waiting for the log.
 *
 * <p>Whatever has come together is taken together: what it puts into the log becomes one entry, and what it says to one
 * connection is said at once. An alarm that is due comes before anything else that waits.
 */
public final class LockServerLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LockServerLoop.class);

    /** How often it looks for sessions of which nothing is heard. */
    private static final Duration EXPIRY_CHECK_INTERVAL = Duration.ofMillis(250);

    /** How long renewals are gathered. */
    private static final Duration RENEWAL_FLUSH_INTERVAL = Duration.ofMillis(100);

    /** Events that are taken together. */
    private static final int MAX_EVENTS_PER_BATCH = 4_096;

    /** Whom a connection serves. */
    public interface ReplyListener {

        /** In this order. By whichever thread is at it, which must not be kept. */
        void onReplies(List<Message.ServerReply> serverReplies);
    }

    private final NodeId self;
    private final ReplicatedLog replicatedLog;
    private final LockServer lockServer = new LockServer(EXPIRY_CHECK_INTERVAL, RENEWAL_FLUSH_INTERVAL);
    private final AccessPolicy accessPolicy;
    private final AdmissionControl admissionControl;
    private final ServerCounters serverCounters = new ServerCounters();
    private final ProposalBatcher proposalBatcher;
    private final ConnectionIdPool connectionIdPool;
    private final TimerQueue timerQueue;
    private final CombiningQueue<ServerEvent> queue = new CombiningQueue<>(this::runBatch, this::flushLog);
    private final Map<NodeId, ClientConnection> clientConnections = new HashMap<>();
    private final List<ClientConnection> connectionsToFlush = new ArrayList<>(); // to whom something is to be said
    private final List<ClientConnection> disconnecting = new ArrayList<>();
    private final CompletableFuture<NodeFailure> nodeFailure = new CompletableFuture<>();
    private final ReplicaStateMachine replicaStateMachine = new ReplicaStateMachine(this);
    private LockServer.State state;
    private boolean stopped;
    private volatile LockTable lockTable = LockTable.EMPTY;
    private volatile int localSessions;
    private volatile Optional<NodeId> leader = Optional.empty();
    private volatile Runnable leaderListener = () -> {};

    public LockServerLoop(
            NodeId me, ReplicatedLog replicatedLog, AccessPolicy accessPolicy, ServerLimits serverLimits) {
        this(me, replicatedLog, accessPolicy, serverLimits, System::nanoTime);
    }

    /** @param nanos a clock that never goes back */
    LockServerLoop(
            NodeId me,
            ReplicatedLog replicatedLog,
            AccessPolicy accessPolicy,
            ServerLimits serverLimits,
            LongSupplier nanos) {
        this.self = me;
        this.replicatedLog = replicatedLog;
        this.accessPolicy = accessPolicy;
        admissionControl = new AdmissionControl(serverLimits);
        connectionIdPool = new ConnectionIdPool(serverLimits.connections());
        proposalBatcher = new ProposalBatcher(
                replicatedLog, nanos, serverCounters, asks -> submit(new ServerEvent.ProposalLost(asks)));
        timerQueue = new TimerQueue(nanos);
        state = lockServer.start(new Neighbourhood(me, List.of())).state();
    }

    /** Begins, with what the log knows. */
    public void start() {
        queue.start(Thread.ofPlatform().name("reception").daemon().factory());
        replicatedLog.start(replicaStateMachine);
    }

    /** Nothing if there are too many already. */
    public Optional<ClientConnection> connect(Principal principal, ReplyListener replyListener) {
        return connectionIdPool.acquire().map(number -> new ClientConnection(this, number, principal, replyListener));
    }

    /** How everything is, as far as this node knows. Nobody waits for it, and it never changes. */
    public LockTable table() {
        return lockTable;
    }

    /** Who leads, as far as one can know. */
    public Optional<NodeId> leader() {
        return leader;
    }

    /** Calls this, as it calls a {@link ReplyListener}, whenever somebody else leads. */
    public void setLeaderListener(Runnable told) {
        leaderListener = told;
    }

    /** An operator interferes; gives the table after that. Fails as {@link ReplicatedLog#propose} does. */
    public CompletableFuture<LockTable> submitAdminCommand(Command.AdminCommand adminCommand) {
        var done = new CompletableFuture<LockTable>();
        submit(new ServerEvent.AdminRequested(adminCommand, done));
        return done;
    }

    public ServerStats stats() {
        return serverCounters.stats(lockTable, localSessions, connectionIdPool.usedCount());
    }

    /** Completed, with why, if it has stopped by itself. */
    public CompletableFuture<NodeFailure> failure() {
        return nodeFailure;
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

    void submit(ServerEvent serverEvent) {
        queue.submit(serverEvent);
    }

    /** Whoever has brought all for now {@linkplain #runPending attends} to it. */
    void enqueue(ServerEvent serverEvent) {
        queue.enqueue(serverEvent);
    }

    void runPending() {
        queue.drain();
    }

    /** Whether who attends to it will be at it for a while, with what others have brought. */
    boolean isBusy() {
        return replicatedLog.hasPendingWrites();
    }

    AdmissionControl admission() {
        return admissionControl;
    }

    AccessPolicy policy() {
        return accessPolicy;
    }

    ServerCounters counters() {
        return serverCounters;
    }

    /** How many sessions have their clients here, or soon will. */
    int localSessions() {
        return localSessions;
    }

    void fail(RuntimeException why) {
        var reason = new NodeFailure(why, state);
        if (nodeFailure.complete(reason)) {
            LOG.error("{} stops: {}", self, reason, why);
        }
    }

    private long runBatch() {
        try {
            handleBatch();
        } catch (RuntimeException why) {
            stopped = true;
            fail(why);
        }
        if (stopped) {
            replicaStateMachine.stop();
            queue.stop();
        }
        return Math.max(0, Math.min(timerQueue.nanosUntilNext(), proposalBatcher.nanosUntilFlush()));
    }

    /** Nobody waits at the reception while it is written. */
    private void flushLog() {
        replicatedLog.runPending();
    }

    private void handleBatch() {
        for (int taken = 0; taken < MAX_EVENTS_PER_BATCH; taken++) {
            var serverEvent = nextEvent();
            if (serverEvent == null) {
                break;
            }
            handle(serverEvent);
        }
        removeDisconnected();
        proposalBatcher.flushIfDue();
        lockTable = state.lockTable(); // before anybody is told of it
        localSessions = state.clients().size() + state.pendingOpens().size();
        connectionsToFlush.forEach(this::flush);
        connectionsToFlush.clear();
    }

    /** What waits, after the alarms that are due. */
    private @Nullable ServerEvent nextEvent() {
        for (var timer = timerQueue.pollDue(); timer.isPresent(); timer = timerQueue.pollDue()) {
            execute(lockServer.timeout(state, timer.get()));
        }
        return queue.poll();
    }

    private void handle(ServerEvent serverEvent) {
        if (stopped) {
            return; // nobody is served any more
        }
        switch (serverEvent) {
            case ServerEvent.RequestReceived(var from, var clientRequest) -> onRequest(from, clientRequest);
            case ServerEvent.LimitExceeded(var from, var submit) -> cancelForLimit(from, submit);
            case ServerEvent.RequestRejected(var from, var serverReply) -> {
                from.releasePermit();
                serverCounters.rejected.increment();
                addReply(from, serverReply);
            }
            case ServerEvent.Disconnected(var who) -> onDisconnected(who);
            case ServerEvent.Committed(var commandBatch) -> onCommitted(commandBatch);
            case ServerEvent.ProposalLost(var asks) -> proposalBatcher.repropose(asks);
            case ServerEvent.SnapshotRestored(var restored) ->
                execute(receiveFromLog(new Message.SnapshotInstalled(restored)));
            case ServerEvent.LeaderChanged(var who) -> {
                LOG.info("{}: {} leads", self, who.map(NodeId::toString).orElse("nobody"));
                leader = who;
                execute(receiveFromLog(new Message.LeadershipChanged(who.equals(Optional.of(self)))));
                leaderListener.run();
            }
            case ServerEvent.AdminRequested(var adminCommand, var done) -> proposeAdminCommand(adminCommand, done);
            case ServerEvent.TableRead(var answer) -> answer.complete(state.lockTable());
            case ServerEvent.Stop() -> stopped = true;
        }
    }

    private Step<LockServer.State, Message> receiveFromLog(Message.LogMessage word) {
        return lockServer.receive(state, LockServer.LOG, word);
    }

    private void onRequest(ClientConnection from, Message.ClientRequest clientRequest) {
        from.releasePermit();
        serverCounters.requests.increment();
        if (!from.isDisconnected()) {
            clientConnections.putIfAbsent(from.id(), from);
            execute(lockServer.receive(state, from.id(), clientRequest));
        }
    }

    private void cancelForLimit(ClientConnection from, Message.Submit submit) {
        serverCounters.rejected.increment();
        if (from.markCancelled(
                new RequestId(submit.session(), submit.number()),
                admissionControl.serverLimits().requestWindow())) {
            var instead = new Operation.Release(submit.number());
            onRequest(from, new Message.Submit(submit.session(), submit.number(), submit.acknowledgedUpTo(), instead));
        } else {
            from.releasePermit();
        }
    }

    private void onDisconnected(ClientConnection who) {
        disconnecting.add(who);
        who.markDisconnected();
    }

    /** All at once: it takes a look at everybody who is here. */
    private void removeDisconnected() {
        if (!disconnecting.isEmpty()) {
            var known = disconnecting.stream()
                    .map(ClientConnection::id)
                    .filter(clientConnections::containsKey)
                    .toList();
            clientConnections.keySet().removeAll(known);
            execute(lockServer.onDisconnected(state, NodeSet.of(known)));
            disconnecting.forEach(who -> connectionIdPool.release(who.id()));
            disconnecting.clear();
        }
    }

    private void onCommitted(CommandBatch commandBatch) {
        var before = state.lockTable();
        execute(receiveFromLog(new Message.Committed(commandBatch)));
        serverCounters.applied.increment();
        replicaStateMachine.releasePermit();
        for (var command : commandBatch.commands()) {
            if (command instanceof Command.ExpireSession expireSession) {
                serverCounters.countExpiry(expireSession, before, state.lockTable());
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only puts something into the inbox
    private void proposeAdminCommand(Command.AdminCommand adminCommand, CompletableFuture<LockTable> done) {
        proposalBatcher.add(adminCommand).whenComplete((nothing, why) -> {
            if (why == null) {
                submit(new ServerEvent.TableRead(done)); // what was committed is before it
            } else {
                done.completeExceptionally(why);
            }
        });
    }

    private void execute(Step<LockServer.State, Message> step) {
        state = step.state();
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Send<Message>(var to, Message.Propose(var commands)) -> commands.forEach(this::propose);
                case Effect.Send<Message>(var to, Message.ServerReply serverReply) -> addReply(to, serverReply);
                case Effect.SetTimer<Message> setTimer ->
                    timerQueue.set((LockServer.Timer) setTimer.timer(), setTimer.atLeast());
                case Effect.CancelTimer<Message> cancelTimer ->
                    timerQueue.cancel((LockServer.Timer) cancelTimer.timer());
                case Effect<Message> foreign -> throw new ProtocolBug(foreign.toString(), state);
            }
        }
    }

    /**
     * And forgets it: if it is lost, it will be asked for again. Only where all come by, at the leader's, is it known
     * what somebody waits for: elsewhere it may be free already.
     */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void propose(Command command) {
        if (state.isLeader()
                && command instanceof Command.Submit submit
                && state.lockTable().mustWait(submit.operation())) {
            proposalBatcher.addLazily(command);
        } else {
            proposalBatcher.add(command);
        }
    }

    private void addReply(NodeId to, Message.ServerReply serverReply) {
        var clientConnection = clientConnections.get(to);
        if (clientConnection != null) {
            addReply(clientConnection, serverReply);
        }
    }

    private void addReply(ClientConnection to, Message.ServerReply serverReply) {
        if (serverReply instanceof Message.Renewed) {
            serverCounters.renewals.increment();
        }
        if (!to.isDisconnected() && to.addReply(serverReply)) {
            connectionsToFlush.add(to);
        }
    }

    /** One that cannot be told is its own trouble, and nobody else's. */
    private void flush(ClientConnection clientConnection) {
        try {
            clientConnection.flushReplies();
        } catch (RuntimeException broken) {
            LOG.warn("{}: cannot tell {}", self, clientConnection, broken);
            clientConnection.close();
        }
    }
}
