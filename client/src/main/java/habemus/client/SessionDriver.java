package habemus.client;

import habemus.concurrent.CombiningQueue;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the session of a client: takes what happens, one thing at a time, lets the session decide, and carries out
 * what it wants. When a session is over, the next request opens another one.
 *
 * <p>An alarm that is due rings before anything that waits: after a long pause the acknowledgement that came too late
 * must not be taken for one in time.
 */
final class SessionDriver implements NodeConnection.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(Habemus.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TOGETHER = 256; // by one who came for another reason

    /** The session talks to one of two nodes, and then to the other; {@link NodeConnections} knows which these are. */
    private static final Neighbourhood PLACE = new Neighbourhood(new NodeId(3), List.of(new NodeId(1), new NodeId(2)));

    private final ClientOptions clientOptions;
    private final ClientInfo clientInfo;
    private final CombiningQueue<Runnable> combiningQueue = new CombiningQueue<>(this::attend, this::flush);
    private final PendingQueries pendingQueries = new PendingQueries();
    private final NodeConnections nodeConnections;
    private final ClientMetrics clientMetrics =
            ClientMetrics.INSTANCE; // found now, because later there is no time for it
    private final List<CompletableFuture<Void>> awaitingLife = new ArrayList<>();
    private Optional<ActiveSession> activeSession = Optional.empty();
    private boolean closing;
    private boolean ended;
    private volatile boolean faultTolerant = true;
    private volatile String troubles = "";

    SessionDriver(ClientOptions clientOptions, ClientInfo clientInfo) {
        this.clientOptions = clientOptions;
        this.clientInfo = clientInfo;
        nodeConnections = new NodeConnections(clientOptions, this, pendingQueries);
    }

    void start() {
        combiningQueue.start(
                Thread.ofVirtual().name("habemus-" + clientInfo.name()).factory());
    }

    static IllegalStateException closedException() {
        return new IllegalStateException("this client is closed");
    }

    /** What was last wrong with the nodes; maybe nothing. */
    String describeFailures() {
        return troubles;
    }

    /** For the driver's thread. */
    boolean isLive() {
        return activeSession.filter(ActiveSession::isLive).isPresent();
    }

    boolean isFaultTolerant() {
        return faultTolerant;
    }

    Duration requestTimeout() {
        return clientOptions.connectTimeout();
    }

    /** To be done in its turn, maybe at once. */
    void post(Runnable event) {
        combiningQueue.submit(event);
    }

    private long attend() {
        try {
            for (int taken = 0; taken < TOGETHER; taken++) {
                ring();
                var event = combiningQueue.poll();
                if (event == null) {
                    break;
                }
                event.run();
            }
        } catch (RuntimeException | Error bug) {
            LOG.error("The client {} has met a bug and ends; all that it held is lost", clientInfo, bug);
            end();
        }
        return Math.min(
                CombiningQueue.IDLE_NANOS,
                activeSession
                        .map(current -> current.nanosUntilNextTimer(System.nanoTime()))
                        .orElse(CombiningQueue.IDLE_NANOS));
    }

    private void flush() {
        nodeConnections.flush();
    }

    private void end() {
        if (!ended) {
            ended = true;
            closing = true;
            lose(new LossReason.ClientClosed());
            combiningQueue.stop();
        }
    }

    /** One after the other, since each may calm or set others. */
    private void ring() {
        while (activeSession.isPresent()) {
            var current = activeSession.get();
            var due = current.pollDueTimer(System.nanoTime());
            if (due.isEmpty()) {
                return;
            }
            perform(current, current.machine().timeout(current.state(), due.get()));
        }
    }

    /** In the session there is, or in a new one. */
    void submit(PendingRequest pendingRequest) {
        if (closing) {
            pendingRequest.onFailed(closedException());
        } else {
            submit(open(), pendingRequest);
        }
    }

    /** In this session, or not at all. */
    void submit(ActiveSession asked, PendingRequest pendingRequest) {
        if (!activeSession.equals(Optional.of(asked)) || closing && !(pendingRequest instanceof CloseRequest)) {
            pendingRequest.onSessionLost(closing ? new LossReason.ClientClosed() : new LossReason.SessionExpired());
            return;
        }
        var step = asked.machine().submit(asked.state(), pendingRequest.operation());
        asked.addRequest(step.state().lastRequest(), pendingRequest);
        pendingRequest.onSubmitted(asked, step.state().lastRequest());
        perform(asked, step);
    }

    /** Completed when there is a session. */
    CompletableFuture<Void> awaitSession() {
        var live = new CompletableFuture<Void>();
        post(() -> {
            if (closing) {
                live.completeExceptionally(closedException());
            } else if (open().isLive()) {
                live.complete(null);
            } else {
                awaitingLife.add(live);
            }
        });
        return live;
    }

    CompletableFuture<ResourceStatus> describe(ResourceName resourceName) {
        return see(number -> new ClientFrame.Describe(number, resourceName), ResourceStatus.class);
    }

    CompletableFuture<PendingQueries.Deadlocks> listDeadlocks() {
        return see(ClientFrame.ListDeadlocks::new, PendingQueries.Deadlocks.class);
    }

    private <T> CompletableFuture<T> see(LongFunction<ClientFrame.ToService> question, Class<T> type) {
        var seen = new CompletableFuture<T>();
        post(() -> {
            if (closing) {
                seen.completeExceptionally(closedException());
                return;
            }
            open(); // first, because a new line asks all that is open
            nodeConnections.send(pendingQueries.ask(question, answer -> answer(seen, type, answer), seen::isDone));
        });
        return seen;
    }

    private static <T> void answer(CompletableFuture<T> seen, Class<T> type, Object answer) {
        if (answer instanceof RequestRejectedException requestRejectedException) {
            seen.completeExceptionally(requestRejectedException);
        } else {
            seen.complete(type.cast(answer));
        }
    }

    void watch(PendingQueries.Watcher watcher) {
        post(() -> {
            if (!closing) {
                open();
                pendingQueries.add(watcher);
                nodeConnections.send(new ClientFrame.Request(new Message.Watch()));
                watcher.onChangesMissed();
            }
        });
    }

    void unwatch(PendingQueries.Watcher watcher) {
        post(() -> pendingQueries.remove(watcher));
    }

    /** Gives everything back; what is not confirmed in time ends with the lease. */
    CompletableFuture<Void> close() {
        var closeRequest = new CloseRequest();
        post(() -> {
            boolean first = !closing;
            closing = true;
            awaitingLife.forEach(waiting -> waiting.completeExceptionally(closedException()));
            if (first && isLive()) {
                var leaving = activeSession.get();
                leaving.requests()
                        .forEach(pendingRequest -> pendingRequest.onSessionLost(new LossReason.ClientClosed()));
                submit(leaving, closeRequest);
            } else {
                closeRequest.onFailed(closedException());
            }
        });
        return closeRequest.outcome();
    }

    void stop() {
        post(this::end);
    }

    private ActiveSession open() {
        if (activeSession.isEmpty()) {
            var machine = new ClientSession(clientInfo, clientOptions.lease(), RANDOM.nextLong() >>> 1);
            var step = machine.start(PLACE);
            activeSession = Optional.of(new ActiveSession(machine, step.state()));
            perform(activeSession.get(), step);
        }
        return activeSession.orElseThrow();
    }

    private void perform(ActiveSession current, Step<ClientSession.State, Message> step) {
        long now = System.nanoTime(); // before anything is sent, so that deadlines are early rather than late
        boolean wasLive = current.isLive();
        current.setState(step.state());
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Send<Message>(var to, var message) ->
                    nodeConnections.send(to, new ClientFrame.Request((Message.ClientRequest) message));
                case Effect.SetTimer<Message>(var alarm, var atLeast, var atMost) ->
                    current.setTimer((Timer) alarm, now + atLeast.toNanos());
                case Effect.CancelTimer<Message>(var alarm) -> current.cancelTimer((Timer) alarm);
                case Effect.Lost<Message>() -> lost(current);
                case Effect<Message> other -> throw new ProtocolBug(other.toString(), step.state());
            }
        }
        current.publishDeadline();
        troubles = nodeConnections.describeFailures();
        if (!wasLive && current.isLive()) {
            LOG.debug("The session of {} is {}", clientInfo, current.state().phase());
            awaitingLife.forEach(waiting -> waiting.complete(null));
            awaitingLife.clear();
            nodeConnections.probeLeader(other(current));
        }
    }

    /** What the session will call the next node. */
    private static NodeId other(ActiveSession current) {
        return PLACE.neighbours().get(current.state().node().equals(PLACE.next()) ? 1 : 0);
    }

    private void lost(ActiveSession current) {
        var endReason = ((Phase.Ended) current.state().phase()).reason();
        if (endReason != ClientSession.EndReason.CLOSED && !closing) {
            LOG.warn("The session of {} is over: {}. {}", clientInfo, endReason, nodeConnections.describeFailures());
        }
        lose(
                switch (endReason) {
                    case LEASE_EXPIRED -> new LossReason.LeaseExpired();
                    case SESSION_UNKNOWN -> new LossReason.SessionExpired();
                    case CLOSED -> new LossReason.ClientClosed();
                });
    }

    /** First it is over for all; then each is told, and may ask anew. */
    private void lose(LossReason why) {
        var over = activeSession;
        activeSession = Optional.empty();
        nodeConnections.disconnectAll();
        over.ifPresent(ActiveSession::end);
        over.ifPresent(last -> last.requests().forEach(pendingRequest -> pendingRequest.onSessionLost(why)));
        if (!closing && (pendingQueries.hasQueriesOrWatchers() || !awaitingLife.isEmpty())) {
            open();
        }
    }

    @Override
    public void onBroken(NodeConnection broken, String why) {
        post(() -> {
            if (nodeConnections.onBroken(broken, why) && activeSession.isPresent()) {
                LOG.debug("{} cannot talk to {}: {}", clientInfo, broken, why);
                var current = activeSession.get();
                perform(current, current.machine().suspect(current.state(), broken.node()));
            }
        });
    }

    @Override
    public void onFrame(NodeConnection from, ClientFrame.ToClient parcel) {
        post(() -> activeSession.ifPresent(current -> take(current, from, parcel)));
    }

    private void take(ActiveSession current, NodeConnection from, ClientFrame.ToClient parcel) {
        var before = current.state().node();
        if (parcel instanceof ClientFrame.Welcome && nodeConnections.switchToLeader(from, other(current))) {
            perform(current, current.machine().suspect(current.state(), before));
        }
        if (!nodeConnections.isOpen(from)) {
            return; // of one that was given up
        }
        if (!(parcel instanceof ClientFrame.Welcome || parcel instanceof ClientFrame.ConnectionRejected)) {
            nodeConnections.onAnswer(from, current.state().node());
        }
        switch (parcel) {
            case ClientFrame.Welcome welcome -> welcomed(current, from, welcome);
            case ClientFrame.Reply(Message.ResourceChanged(var resourceName)) ->
                pendingQueries.notifyChanged(resourceName);
            case ClientFrame.Reply(var serverReply) -> told(current, from, serverReply);
            case ClientFrame.Description(var number, var resourceStatus) -> pendingQueries.seen(number, resourceStatus);
            case ClientFrame.DeadlockList(var number, var circles) ->
                pendingQueries.seen(number, new PendingQueries.Deadlocks(circles));
            case ClientFrame.QueryDenied(var number, var why) -> pendingQueries.seen(number, Rejections.of(why));
            case ClientFrame.ConnectionRejected connectionRejected -> refused(current, from, connectionRejected);
        }
    }

    private void welcomed(ActiveSession current, NodeConnection from, ClientFrame.Welcome welcome) {
        if (welcome.version() != ClientFrame.VERSION) {
            var message = "the node speaks version " + welcome.version() + ", and this client " + ClientFrame.VERSION;
            refused(
                    current,
                    from,
                    new ClientFrame.ConnectionRejected("version", message, "use a client of the same version"));
            return;
        }
        nodeConnections.onWelcome(from, welcome);
        if (faultTolerant && !welcome.faultTolerant()) {
            LOG.warn("The service has a single node ({}): it is NOT fault tolerant", welcome.node());
        }
        faultTolerant = welcome.faultTolerant();
        if (current.isLive()) {
            nodeConnections.probeLeader(other(current));
        }
    }

    private void told(ActiveSession current, NodeConnection from, Message.ServerReply serverReply) {
        var left = current.remaining();
        perform(current, current.machine().receive(current.state(), from.node(), serverReply));
        if (serverReply instanceof Message.Renewed) {
            clientMetrics.recordRenewalMargin(left);
            nodeConnections.probeLeader(other(current));
        } else if (serverReply instanceof Message.Result(var id, var number, var operationResult)
                && current.isSession(id)) {
            current.request(number)
                    .filter(pendingRequest -> !pendingRequest.onResult(operationResult))
                    .ifPresent(done -> current.removeRequest(number));
        }
    }

    /** Before there is a session all who wait for one are told; later another node may be of another opinion. */
    private void refused(
            ActiveSession current, NodeConnection from, ClientFrame.ConnectionRejected connectionRejected) {
        LOG.warn("{} refuses {}: {} ({})", from, clientInfo, connectionRejected.message(), connectionRejected.hint());
        if (current.isLive()) {
            onBroken(from, connectionRejected.message());
            return;
        }
        var why = Rejections.of(connectionRejected);
        var waiting = List.copyOf(awaitingLife);
        awaitingLife.clear();
        activeSession = Optional.empty();
        nodeConnections.disconnectAll();
        current.end();
        waiting.forEach(one -> one.completeExceptionally(why));
        current.requests().forEach(pendingRequest -> pendingRequest.onFailed(why));
    }
}
