package habemus.client;

import habemus.client.environment.ClientEnvironment;
import habemus.concurrent.EventLoop;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.ClientSession;
import habemus.lockservice.protocol.ClientSession.Phase;
import habemus.lockservice.protocol.ClientSession.Timer;
import habemus.lockservice.protocol.Message;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the {@link ClientSession} of a client. It handles events one at a time, passes them to the session, and
 * executes the effects. When a session has ended, the next request opens a new one.
 *
 * <p>Due timers fire before waiting events. So after a long pause a deadline ends the session before an acknowledgement
 * that came too late can renew it.
 */
final class SessionDriver implements NodeConnection.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(Habemus.class);

    /** The session alternates between two node numbers; {@link NodeConnections} maps them to real nodes. */
    private static final Neighbourhood NEIGHBOURHOOD =
            new Neighbourhood(new NodeId(3), List.of(new NodeId(1), new NodeId(2)));

    private final ClientOptions options;
    private final ClientInfo client;
    private final ClientEnvironment environment;
    private final EventLoop loop;
    private final PendingQueries queries = new PendingQueries();
    private final NodeConnections connections;
    private final ClientMetrics metrics =
            ClientMetrics.INSTANCE; // loaded now, because loading may take longer than a timer allows
    private final List<CompletableFuture<Void>> sessionWaiters = new ArrayList<>();
    private Optional<ActiveSession> session = Optional.empty();
    private SessionOrigin nextOrigin = new SessionOrigin.FirstSession();
    private Optional<EventLoop.Cancellable> wakeUp = Optional.empty();
    private long wakeUpNanos; // when the scheduled wake-up is due
    private boolean isClosing;
    private boolean isStopped;
    private volatile boolean faultTolerant = true;
    private volatile String failures = "";

    SessionDriver(ClientOptions options, ClientEnvironment environment) {
        this.options = options;
        this.environment = environment;
        loop = environment.loop();
        var process = environment.process();
        var name = options.name().isEmpty() ? process.name() : options.name();
        client = new ClientInfo(name, process.host(), process.pid(), options.owner());
        connections = new NodeConnections(options, environment, this, queries);
    }

    static IllegalStateException closedException() {
        return new IllegalStateException("this client is closed");
    }

    /** {@return the last failure of every endpoint; may be empty} */
    String describeFailures() {
        return failures;
    }

    /** To be called by the driver only. */
    boolean isLive() {
        return session.filter(ActiveSession::isLive).isPresent();
    }

    boolean isFaultTolerant() {
        return faultTolerant;
    }

    Duration requestTimeout() {
        return options.connectTimeout();
    }

    /** {@return the executor of the application's callbacks} */
    Executor callbackExecutor() {
        return environment.callbackExecutor();
    }

    /** Runs an event in the driver after the delay, unless it is cancelled before. */
    EventLoop.Cancellable postAfter(Duration delay, Runnable event) {
        return loop.schedule(delay, () -> run(event));
    }

    long nanoTime() {
        return loop.nanoTime();
    }

    /** {@return whether the caller may wait for the driver; on the event loop it would wait for itself} */
    boolean mayWait() {
        return !loop.inEventLoop();
    }

    /** @throws IllegalStateException if the caller must not wait */
    void checkMayWait() {
        if (!mayWait()) {
            throw new IllegalStateException("cannot wait on the event loop of the client\nhint: use acquireAsync");
        }
    }

    /** Runs an event in the driver, possibly at once on this thread. */
    void post(Runnable event) {
        loop.execute(() -> run(event));
    }

    private void run(Runnable event) {
        try {
            fireDueTimers();
            event.run();
        } catch (RuntimeException | Error bug) {
            LOG.error("client stopped by a bug, all grants are lost client={}", client, bug);
            end();
        }
        scheduleWakeUp();
    }

    /** Wakes the driver for the next timer. A wake-up that has become too early stays, because it costs little. */
    private void scheduleWakeUp() {
        var next = session.flatMap(ActiveSession::nextTimerNanos);
        if (next.isPresent() && (wakeUp.isEmpty() || next.get() - wakeUpNanos < 0)) {
            cancelWakeUp();
            wakeUpNanos = next.get();
            var delay = Duration.ofNanos(Math.max(0, wakeUpNanos - loop.nanoTime()));
            wakeUp = Optional.of(loop.schedule(delay, this::onWakeUp));
        }
    }

    private void onWakeUp() {
        wakeUp = Optional.empty();
        run(() -> {}); // fires the due timers
    }

    private void cancelWakeUp() {
        wakeUp.ifPresent(EventLoop.Cancellable::cancel);
        wakeUp = Optional.empty();
    }

    private void end() {
        if (!isStopped) {
            isStopped = true;
            isClosing = true;
            endSession(new LossReason.ClientClosed());
            cancelWakeUp();
        }
    }

    /** Fires one timer at a time, because each may set or cancel others. */
    private void fireDueTimers() {
        while (session.isPresent()) {
            var current = session.get();
            var due = current.pollDueTimer(loop.nanoTime());
            if (due.isEmpty()) {
                return;
            }
            execute(current, current.machine().timeout(current.state(), due.get()));
        }
    }

    /** Submits a request in the current session, or in a new one. */
    void submit(PendingRequest request) {
        if (isClosing) {
            request.onFailed(closedException());
        } else {
            submit(open(), request);
        }
    }

    /** Submits a request in the given session only. If that has ended, the request is lost. */
    void submit(ActiveSession target, PendingRequest request) {
        if (!session.equals(Optional.of(target)) || isClosing && !(request instanceof CloseRequest)) {
            request.onSessionLost(isClosing ? new LossReason.ClientClosed() : new LossReason.SessionExpired());
            return;
        }
        var step = target.machine().submit(target.state(), request.operation());
        target.addRequest(step.state().lastRequest(), request);
        request.onSubmitted(target, step.state().lastRequest());
        execute(target, step);
    }

    /** {@return completed when a session is open} */
    CompletableFuture<Void> awaitSession() {
        var opened = new CompletableFuture<Void>();
        post(() -> {
            if (isClosing) {
                opened.completeExceptionally(closedException());
            } else if (open().isLive()) {
                opened.complete(null);
            } else {
                sessionWaiters.add(opened);
            }
        });
        return opened;
    }

    CompletableFuture<ResourceStatus> describe(ResourceName name) {
        return query(number -> new ClientFrame.Describe(number, name), ResourceStatus.class);
    }

    CompletableFuture<PendingQueries.Deadlocks> listDeadlocks() {
        return query(ClientFrame.ListDeadlocks::new, PendingQueries.Deadlocks.class);
    }

    private <T> CompletableFuture<T> query(LongFunction<ClientFrame.ToService> frameOf, Class<T> type) {
        var reply = new CompletableFuture<T>();
        post(() -> {
            if (isClosing) {
                reply.completeExceptionally(closedException());
                return;
            }
            open(); // before the query is added, because a new connection sends all pending queries
            connections.send(queries.add(frameOf, value -> complete(reply, type, value), reply::isDone));
        });
        return reply;
    }

    private static <T> void complete(CompletableFuture<T> reply, Class<T> type, Object value) {
        if (value instanceof RequestRejectedException rejection) {
            reply.completeExceptionally(rejection);
        } else {
            reply.complete(type.cast(value));
        }
    }

    void watch(PendingQueries.Watcher watcher) {
        post(() -> {
            if (!isClosing) {
                open();
                queries.add(watcher);
                connections.send(new ClientFrame.Request(new Message.Watch()));
                watcher.onChangesMissed();
            }
        });
    }

    void unwatch(PendingQueries.Watcher watcher) {
        post(() -> queries.remove(watcher));
    }

    /** Closes the session, which releases everything. If this is not confirmed, it expires with its lease. */
    CompletableFuture<Void> close() {
        var close = new CloseRequest();
        post(() -> {
            boolean isFirst = !isClosing;
            isClosing = true;
            sessionWaiters.forEach(waiter -> waiter.completeExceptionally(closedException()));
            if (isFirst && isLive()) {
                var current = session.get();
                current.requests().forEach(request -> request.onSessionLost(new LossReason.ClientClosed()));
                submit(current, close);
            } else {
                close.onFailed(closedException());
            }
        });
        return close.outcome();
    }

    void stop() {
        post(this::end);
    }

    private ActiveSession open() {
        if (session.filter(current -> !current.state().isEnded()).isEmpty()) {
            var machine = new ClientSession(
                    client, options.lease(), environment.random().nextLong() >>> 1);
            var step = machine.start(NEIGHBOURHOOD, nextOrigin);
            session = Optional.of(new ActiveSession(machine, step.state(), loop));
            execute(session.get(), step);
        }
        return session.orElseThrow();
    }

    private void execute(ActiveSession current, Step<ClientSession.State, Message> step) {
        long now = loop.nanoTime(); // before sending, so that deadlines are early rather than late
        boolean wasLive = current.isLive();
        current.setState(step.state());
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Send<Message>(var to, var message) ->
                    connections.send(to, new ClientFrame.Request((Message.ClientRequest) message));
                case Effect.SetTimer<Message>(var timer, var atLeast, var atMost) ->
                    current.setTimer((Timer) timer, now + atLeast.toNanos());
                case Effect.CancelTimer<Message>(var timer) -> current.cancelTimer((Timer) timer);
                case Effect.Lost<Message>() -> onLost(current);
                case Effect<Message> other -> throw new ProtocolBug(other.toString(), step.state());
            }
        }
        current.publishDeadline();
        failures = connections.describeFailures();
        if (!wasLive && current.isLive()) {
            LOG.debug("session opened client={}", client);
            sessionWaiters.forEach(waiter -> waiter.complete(null));
            sessionWaiters.clear();
            connections.probeLeader(other(current));
        }
    }

    /** The node number that the session will use for the next node. */
    private static NodeId other(ActiveSession current) {
        return NEIGHBOURHOOD.neighbours().get(current.state().node().equals(NEIGHBOURHOOD.next()) ? 1 : 0);
    }

    private void onLost(ActiveSession current) {
        var reason = ((Phase.Ended) current.state().phase()).reason();
        if (reason != ClientSession.EndReason.CLOSED && !isClosing) {
            LOG.warn(
                    "session lost client={} reason={} failures=\"{}\"", client, reason, connections.describeFailures());
        }
        endSession(
                switch (reason) {
                    case LEASE_EXPIRED -> new LossReason.LeaseExpired();
                    case SESSION_UNKNOWN -> new LossReason.SessionExpired();
                    case CLOSED, REFUSED -> new LossReason.ClientClosed();
                });
    }

    /**
     * Ends the session completely before it notifies the requests, because these may submit again. If the service may
     * still execute a request of this session, the next one is opened at once: it ends this one there.
     */
    private void endSession(LossReason reason) {
        var ended = session;
        session = Optional.empty();
        ended.map(ActiveSession::state)
                .filter(ClientSession.State::isEnded)
                .ifPresent(last -> nextOrigin = last.nextOrigin());
        boolean mayHaveEffects = !(reason instanceof LossReason.ClientClosed)
                && nextOrigin instanceof SessionOrigin.Successor
                && ended.filter(last -> !last.requests().isEmpty()).isPresent();
        connections.disconnectAll();
        ended.ifPresent(ActiveSession::end);
        ended.ifPresent(last -> last.requests().forEach(request -> request.onSessionLost(reason)));
        if (!isClosing && (mayHaveEffects || queries.hasQueriesOrWatchers() || !sessionWaiters.isEmpty())) {
            open();
        }
    }

    @Override
    public void onBroken(NodeConnection connection, String reason) {
        post(() -> {
            if (!connection.isDisconnected()) {
                abandon(connection, reason);
            }
        });
    }

    /** Closes a connection. If it was the current one, the session tries another node. */
    private void abandon(NodeConnection connection, String reason) {
        boolean wasCurrent = connections.onBroken(connection, reason);
        connection.disconnect();
        if (wasCurrent && session.isPresent()) {
            LOG.debug("connection lost client={} endpoint={} reason=\"{}\"", client, connection, reason);
            var current = session.get();
            execute(current, current.machine().suspect(current.state(), connection.node()));
            if (current.state().isEnded() && queries.hasQueriesOrWatchers()) {
                open();
            }
        }
    }

    @Override
    public void onFrame(NodeConnection from, ClientFrame.ToClient frame) {
        post(() -> session.ifPresent(current -> handle(current, from, frame)));
    }

    private void handle(ActiveSession current, NodeConnection from, ClientFrame.ToClient frame) {
        var before = current.state().node();
        if (frame instanceof ClientFrame.Welcome && connections.switchToLeader(from, other(current))) {
            execute(current, current.machine().suspect(current.state(), before));
        }
        if (!connections.isOpen(from)) {
            return; // from a connection that was replaced
        }
        if (!(frame instanceof ClientFrame.Welcome || frame instanceof ClientFrame.ConnectionRejected)) {
            connections.onAnswer(from, current.state().node());
        }
        switch (frame) {
            case ClientFrame.Welcome welcome -> onWelcome(current, from, welcome);
            case ClientFrame.Reply(Message.ResourceChanged(var name)) -> queries.notifyChanged(name);
            case ClientFrame.Reply(var reply) -> onReply(current, from, reply);
            case ClientFrame.Description(var number, var status) -> queries.onReply(number, status);
            case ClientFrame.DeadlockList(var number, var deadlocks) ->
                queries.onReply(number, new PendingQueries.Deadlocks(deadlocks));
            case ClientFrame.QueryDenied(var number, var reason) -> queries.onReply(number, Rejections.of(reason));
            case ClientFrame.ConnectionRejected rejection -> onRejected(current, from, rejection);
        }
    }

    private void onWelcome(ActiveSession current, NodeConnection from, ClientFrame.Welcome welcome) {
        if (welcome.version() != ClientFrame.VERSION) {
            var message = "protocol version must be " + ClientFrame.VERSION + ", was " + welcome.version();
            onRejected(
                    current,
                    from,
                    new ClientFrame.ConnectionRejected(
                            "version", message, "use a client and nodes of the same version"));
            return;
        }
        if (!connections.isSameCluster(welcome)) {
            onRejected(
                    current,
                    from,
                    new ClientFrame.ConnectionRejected(
                            "wrong-cluster",
                            welcome.node() + " belongs to another cluster: " + welcome.clusterId(),
                            "list the nodes of one cluster only"));
            return;
        }
        connections.onWelcome(from, welcome);
        if (faultTolerant && !welcome.faultTolerant()) {
            LOG.warn("service is not fault tolerant node={}", welcome.node());
        }
        faultTolerant = welcome.faultTolerant();
        if (current.isLive()) {
            connections.probeLeader(other(current));
        }
    }

    private void onReply(ActiveSession current, NodeConnection from, Message.ServerReply reply) {
        var margin = current.remaining();
        execute(current, current.machine().receive(current.state(), from.node(), reply));
        if (reply instanceof Message.SessionRefused(var nonce, var reason)
                && current.state().isEnded()) {
            fail(current, Rejections.of(reason, "session of client " + client));
        } else if (reply instanceof Message.Renewed) {
            metrics.recordRenewalMargin(margin);
            connections.probeLeader(other(current));
        } else if (reply instanceof Message.Result(var id, var number, var result) && current.isSession(id)) {
            current.request(number)
                    .filter(request -> !request.onResult(result))
                    .ifPresent(done -> current.removeRequest(number));
        }
    }

    /** Fails all requests if the session is not open yet. An open session tries another node, which may accept it. */
    private void onRejected(ActiveSession current, NodeConnection from, ClientFrame.ConnectionRejected rejection) {
        LOG.warn(
                "connection rejected endpoint={} client={} message=\"{}\" hint=\"{}\"",
                from,
                client,
                rejection.message(),
                rejection.hint());
        if (current.isLive()) {
            abandon(from, rejection.message());
            return;
        }
        session = Optional.empty();
        connections.disconnectAll();
        fail(current, Rejections.of(rejection));
    }

    /** Fails all requests of a session that was not opened. */
    private void fail(ActiveSession current, RequestRejectedException failure) {
        var waiters = List.copyOf(sessionWaiters);
        sessionWaiters.clear();
        current.end();
        waiters.forEach(waiter -> waiter.completeExceptionally(failure));
        current.requests().forEach(request -> request.onFailed(failure));
    }
}
