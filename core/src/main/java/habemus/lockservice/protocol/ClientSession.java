package habemus.lockservice.protocol;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.protocol.ClientSession.State;
import habemus.lockservice.protocol.ClientSession.Timer;
import habemus.lockservice.table.PersistentSortedMap;
import habemus.protocol.Effect;
import habemus.protocol.FailureAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The client's side of its session. The session talks to one node of the service, and switches to another if that one
 * is silent. From its own timers it knows when the service may have expired it.
 *
 * <pre>
 *   ·       ── start ──────────▶ Opening
 *   Opening ── SessionOpened ──▶ Live
 *   Opening ── RETRY ──────────▶ Opening    at another node, with another nonce
 *   Opening ── SessionRefused ─▶ Ended
 *   Live    ── Renewed ────────▶ Live       cancels the earlier deadline
 *   Live    ── DEADLINE ───────▶ Ended
 *   Live    ── SessionExpired ─▶ Ended
 *   Live    ── Closed ─────────▶ Ended
 * </pre>
 *
 * <p>The session reads no clock. It sets a deadline timer when it <i>sends</i> a renewal; two such timers alternate.
 * When the renewal is acknowledged, the session cancels the earlier timer, and the later one becomes the deadline. So
 * the deadline counts from the sending of the last acknowledged renewal, however long the acknowledgement took. A
 * repeated renewal keeps the deadline of its first sending.
 *
 * <p>The session sends unanswered requests again, because a leader change can lose single requests. It sends them to
 * another node if this one was silent for the retry timeout, else to the same node. It sends queued requests again with
 * every renewal; the server replies to these from its table.
 *
 * @param client the client of this session
 * @param lease after which the service expires the session without renewal; the local deadline is a tenth earlier
 * @param nonce a random number; every attempt to open the session adds one to it
 */
public record ClientSession(ClientInfo client, Duration lease, long nonce)
        implements Timed<State, Message, Timer>, FailureAware<State, Message> {

    /** Does not show the nonce. */
    @Override
    public String toString() {
        return "ClientSession[client=" + client + ", lease=" + lease + "]";
    }

    public enum Timer {
        RENEW,
        RETRY,
        DEADLINE,
        OTHER_DEADLINE;

        private Timer other() {
            return this == DEADLINE ? OTHER_DEADLINE : DEADLINE;
        }

        /** Whether the session ends when this timer fires. */
        private boolean isDeadline() {
            return this == DEADLINE || this == OTHER_DEADLINE;
        }
    }

    @WireTags({Phase.Live.class, Phase.Opening.class, Phase.Ended.class})
    public sealed interface Phase {
        /** @param nonce of the last attempt */
        record Opening(long nonce, SessionOrigin origin) implements Phase {
            /** Does not show the nonce. */
            @Override
            public String toString() {
                return "Opening";
            }
        }

        record Live(long id, long nonce) implements Phase {
            /** Does not show the nonce. */
            @Override
            public String toString() {
                return "Live(" + id + ")";
            }
        }

        /** @param next the origin of the next session of this client */
        record Ended(EndReason reason, SessionOrigin next) implements Phase {}
    }

    public enum EndReason {
        /** The local deadline has passed: the service may have expired the session. */
        LEASE_EXPIRED,
        /** The service does not know the session any more. */
        SESSION_UNKNOWN,
        /** The client closed the session. */
        CLOSED,
        /** The service did not open the session. */
        REFUSED
    }

    /**
     * The nodes of the service, and the one to which the session talks.
     *
     * @param isSilent whether the current node has not replied since the retry timer was set
     */
    public record Nodes(List<NodeId> all, int currentIndex, boolean isSilent) {

        private NodeId current() {
            return all.get(currentIndex);
        }

        private Nodes withCurrent(NodeId node) {
            int index = all.indexOf(node);
            return index < 0 ? this : new Nodes(all, index, isSilent);
        }

        private Nodes next() {
            return new Nodes(all, (currentIndex + 1) % all.size(), true);
        }

        private Nodes withSilent(boolean silent) {
            return new Nodes(all, currentIndex, silent);
        }
    }

    /**
     * The last renewal that was sent.
     *
     * @param deadline the timer that ends the session; while the renewal is unacknowledged the other one is set too
     */
    public record Renewal(long number, boolean isUnacknowledged, boolean isRepeated, Timer deadline) {}

    /**
     * A request without any result.
     *
     * @param isOld whether it was sent before the retry timer was set
     */
    public record UnansweredRequest(Operation operation, boolean isOld) {}

    /**
     * The requests of the session, by number.
     *
     * @param last number of the last request
     * @param unanswered requests without any result
     * @param queued requests that wait in a queue of the service
     * @param fences of the granted requests that the client has not released
     */
    public record Requests(
            long last,
            PersistentSortedMap<Long, UnansweredRequest> unanswered,
            PersistentSortedMap<Long, Operation> queued,
            PersistentSortedMap<Long, Long> fences) {

        private static final Requests NONE =
                new Requests(0, PersistentSortedMap.empty(), PersistentSortedMap.empty(), PersistentSortedMap.empty());

        /** Up to this number the client has every result, or does not want it any more. */
        private long acknowledgedUpTo() {
            return unanswered.firstKey().map(number -> number - 1).orElse(last);
        }

        private Requests submitted(Operation operation) {
            var request = new UnansweredRequest(operation, false);
            return new Requests(last + 1, unanswered.with(last + 1, request), queued, fences);
        }

        private Requests withUnanswered(PersistentSortedMap<Long, UnansweredRequest> next) {
            return new Requests(last, next, queued, fences);
        }

        private Requests withQueued(long number, Operation operation) {
            return new Requests(last, unanswered, queued.with(number, operation), fences);
        }

        private Requests withFence(long number, long fence) {
            return new Requests(last, unanswered, queued, fences.with(number, fence));
        }

        private Requests withoutFence(long number) {
            return new Requests(last, unanswered, queued, fences.without(number));
        }

        private Requests withoutFences() {
            return new Requests(last, unanswered, queued, PersistentSortedMap.empty());
        }

        private Requests without(long number) {
            return new Requests(last, unanswered.without(number), queued.without(number), fences);
        }

        private Requests cleared() {
            return new Requests(
                    last, PersistentSortedMap.empty(), PersistentSortedMap.empty(), PersistentSortedMap.empty());
        }
    }

    public record State(Nodes nodes, Phase phase, Renewal renewal, Requests requests) {

        /** {@return the node to which the session talks} */
        public NodeId node() {
            return nodes.current();
        }

        public long lastRequest() {
            return requests.last;
        }

        /** {@return the fence of a request that is granted and not released} */
        public Optional<Long> fence(long number) {
            return requests.fences.get(number);
        }

        public boolean isLive() {
            return phase instanceof Phase.Live;
        }

        /** {@return the origin of the next session, after this one has ended} */
        public SessionOrigin nextOrigin() {
            return ((Phase.Ended) phase).next;
        }

        public boolean isEnded() {
            return phase instanceof Phase.Ended;
        }

        /** {@return whether the client has submitted {@link Operation.Close}, which is then the only request} */
        public boolean isClosing() {
            return !isEnded()
                    && requests.unanswered
                            .firstValue()
                            .filter(request -> request.operation instanceof Operation.Close)
                            .isPresent();
        }

        /** {@return whether the request has no final result yet} */
        public boolean isPending(long number) {
            return requests.unanswered.contains(number) || requests.queued.contains(number);
        }

        private boolean awaitsReply() {
            return renewal.isUnacknowledged || !requests.unanswered.isEmpty();
        }

        private State withNodes(Nodes next) {
            return new State(next, phase, renewal, requests);
        }

        private State withSilent(boolean silent) {
            return withNodes(nodes.withSilent(silent));
        }

        private State withPhase(Phase next) {
            return new State(nodes, next, renewal, requests);
        }

        private State withRenewal(Renewal next) {
            return new State(nodes, phase, next, requests);
        }

        private State withRequests(Requests next) {
            return new State(nodes, phase, renewal, next);
        }
    }

    /** {@return the lease by the client's clock, which may run up to a tenth slower than the service's} */
    public static Duration localLease(Duration lease) {
        return lease.minus(lease.dividedBy(10));
    }

    /** {@return the time between two renewals} */
    public static Duration renewInterval(Duration lease) {
        return lease.dividedBy(4);
    }

    /** {@return how long a node may be silent before the session tries another: an eighth of the lease, at most 1 s} */
    public static Duration retryTimeout(Duration lease) {
        var eighth = lease.dividedBy(8);
        return eighth.compareTo(Duration.ofSeconds(1)) < 0 ? eighth : Duration.ofSeconds(1);
    }

    /** Opens the session at the first neighbour. All neighbours are nodes of the service. */
    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return start(neighbourhood, new SessionOrigin.FirstSession());
    }

    /** Opens the session after an earlier one of the same client. */
    public Step<State, Message> start(Neighbourhood neighbourhood, SessionOrigin origin) {
        return open(ended(neighbourhood.neighbours()).withPhase(new Phase.Opening(nonce, origin)));
    }

    /** {@return the state of a session that was never opened} */
    public static State ended(List<NodeId> nodes) {
        var renewal = new Renewal(0, false, false, Timer.DEADLINE);
        var closed = new Phase.Ended(EndReason.CLOSED, new SessionOrigin.FirstSession());
        return new State(new Nodes(nodes, 0, true), closed, renewal, Requests.NONE);
    }

    /**
     * Submits an operation of the application. The number of the request is {@link State#lastRequest} of the new state.
     * A released hold is not held any more; a cancelled acquire gets no result, only its cancellation does.
     */
    public Step<State, Message> submit(State s, Operation operation) {
        ProtocolBug.unless(!s.isEnded() && !s.isClosing(), "submit after close", s);
        var kept = switch (operation) {
            case Operation.Release(var acquire, var fence) ->
                s.requests.without(acquire).withoutFence(acquire);
            case Operation.Close() -> s.requests.cleared();
            case Operation.Acquire acquire -> s.requests;
            case Operation.Transfer transfer -> s.requests;
            case Operation.Abandon unexpected -> throw new ProtocolBug("tickets have no client session", s);
        };
        var next = s.withRequests(kept.submitted(operation));
        return s.isLive()
                ? withRetryTimer(s, new Step<>(next, List.of(submission(next, next.requests.last, operation))))
                : to(next);
    }

    /** Ends the session locally, without waiting for the service. */
    public Step<State, Message> abandon(State s) {
        return end(s, EndReason.CLOSED);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.SessionOpened(var opened, var id)
            when isOwnNonce(s, opened) ->
                onOpened(s.withNodes(s.nodes.withCurrent(from)).withPhase(new Phase.Live(id, opened)));
            case Message.SessionRefused(var refused, var reason)
            when isOwnNonce(s, refused) -> stop(s, EndReason.REFUSED);
            case Message.Renewed(var id, var number) when isLive(s, id) -> onRenewed(s.withSilent(false), number);
            case Message.Result(var id, var number, var result)
            when isLive(s, id) -> onResult(s.withSilent(false), number, result);
            case Message.SessionExpired(var id)
            when isLive(s, id) -> end(s, EndReason.SESSION_UNKNOWN, new SessionOrigin.FirstSession());
            case Message.ServerReply late -> to(s);
            case Message.ClientRequest unexpected -> throw new ProtocolBug(unexpected.toString(), s);
            case Message.LogMessage unexpected -> throw new ProtocolBug(unexpected.toString(), s);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return switch (timer) {
            case RENEW -> renew(s).then(ClientSession::sendQueued);
            case RETRY -> s.nodes.isSilent ? switchNode(s) : resendOld(s);
            case DEADLINE, OTHER_DEADLINE -> s.isLive() ? end(s, EndReason.LEASE_EXPIRED) : switchNode(s);
        };
    }

    @Override
    public boolean isUrgent(Enum<?> timer) {
        return timer instanceof Timer own && own.isDeadline();
    }

    /** Switches to another node if the connection to the current one broke. */
    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        return s.isEnded() || !peer.equals(s.node()) ? to(s) : switchNode(s);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return to(s);
    }

    /** Any attempt will do: requests are sent after the deadline was set, and every request renews the session. */
    private boolean isOwnNonce(State s, long opened) {
        return s.phase instanceof Phase.Opening(var latest, var origin) && nonce <= opened && opened <= latest;
    }

    private static boolean isLive(State s, long id) {
        return s.phase instanceof Phase.Live live && live.id == id;
    }

    private Step<State, Message> open(State s) {
        var opening = (Phase.Opening) s.phase;
        return to(s).send(s.node(), new Message.OpenSession(opening.nonce, client, lease, opening.origin))
                .setTimer(Timer.DEADLINE, localLease(lease))
                .setTimer(Timer.RETRY, retryTimeout(lease));
    }

    private Step<State, Message> onOpened(State s) {
        var opened = to(s.withSilent(true)).cancelTimer(Timer.RETRY).setTimer(Timer.RENEW, renewInterval(lease));
        return s.requests.unanswered.isEmpty()
                ? opened
                : opened.then(ClientSession::sendUnanswered).setTimer(Timer.RETRY, retryTimeout(lease));
    }

    /** Sets the retry timer with the first message that awaits a reply; later messages do not postpone it. */
    private Step<State, Message> withRetryTimer(State before, Step<State, Message> step) {
        return before.awaitsReply()
                ? step
                : step.then(s -> to(s.withSilent(true)).setTimer(Timer.RETRY, retryTimeout(lease)));
    }

    /** Sends a renewal. A new one sets the other deadline; a repeated one does not. */
    private Step<State, Message> renew(State s) {
        var live = (Phase.Live) s.phase;
        var renewal = s.renewal.isUnacknowledged
                ? new Renewal(s.renewal.number, true, true, s.renewal.deadline)
                : new Renewal(s.renewal.number + 1, true, false, s.renewal.deadline);
        var sent = to(s.withRenewal(renewal))
                .send(s.node(), new Message.Renew(live.id, renewal.number))
                .setTimer(Timer.RENEW, renewInterval(lease));
        return s.renewal.isUnacknowledged
                ? sent
                : withRetryTimer(s, sent.setTimer(renewal.deadline.other(), localLease(lease)));
    }

    private Step<State, Message> onRenewed(State s, long number) {
        if (!s.renewal.isUnacknowledged || s.renewal.number != number) {
            return to(s);
        }
        var next = s.withRenewal(new Renewal(number, false, false, s.renewal.deadline.other()));
        var renewed = cancelRetryIfIdle(next).cancelTimer(s.renewal.deadline);
        return s.renewal.isRepeated ? renewed.then(this::renew) : renewed;
    }

    private Step<State, Message> onResult(State s, long number, OperationResult result) {
        var operation = s.requests.unanswered.get(number).map(UnansweredRequest::operation);
        var pending = operation.or(() -> s.requests.queued.get(number));
        var requests = s.requests.without(number);
        return switch (result) {
            case OperationResult.Waiting()
            when pending.isPresent() -> cancelRetryIfIdle(s.withRequests(requests.withQueued(number, pending.get())));
            case OperationResult.Granted(var fence)
            when pending.isPresent() -> cancelRetryIfIdle(s.withRequests(requests.withFence(number, fence)));
            case OperationResult.Revoked revoked -> cancelRetryIfIdle(s.withRequests(requests.withoutFence(number)));
            case OperationResult.Closed() -> end(s, EndReason.CLOSED, new SessionOrigin.FirstSession());
            case OperationResult last -> pending.isPresent() ? cancelRetryIfIdle(s.withRequests(requests)) : to(s);
        };
    }

    private Step<State, Message> cancelRetryIfIdle(State s) {
        return s.awaitsReply() ? to(s) : to(s).cancelTimer(Timer.RETRY);
    }

    /** Attaches to the next node. The acknowledgement of a renewal shows that the node serves this session. */
    private Step<State, Message> switchNode(State s) {
        var next = s.withNodes(s.nodes.next());
        return switch (s.phase) {
            case Phase.Opening(var latest, var origin) -> open(next.withPhase(new Phase.Opening(latest + 1, origin)));
            case Phase.Live(var id, var opened) ->
                to(next).send(next.node(), new Message.Attach(id, opened))
                        .then(this::renew)
                        .then(ClientSession::sendQueued)
                        .then(ClientSession::sendUnanswered)
                        .setTimer(Timer.RETRY, retryTimeout(lease));
            case Phase.Ended ended -> to(s);
        };
    }

    /** Sends old requests again: the node has replied to others since, so these were lost. */
    private Step<State, Message> resendOld(State s) {
        var unanswered = s.requests.unanswered;
        var lost = s.requests.unanswered;
        for (long number : s.requests.unanswered.keys()) {
            var request = s.requests.unanswered.get(number).orElseThrow();
            unanswered = unanswered.with(number, new UnansweredRequest(request.operation, true));
            lost = request.isOld ? lost : lost.without(number);
        }
        var resent = lost.map((number, request) -> submission(s, number, request.operation));
        var next = s.withSilent(true).withRequests(s.requests.withUnanswered(unanswered));
        return new Step<>(next, resent).setTimer(Timer.RETRY, retryTimeout(lease));
    }

    private static Step<State, Message> sendQueued(State s) {
        return new Step<>(s, s.requests.queued.map((number, operation) -> submission(s, number, operation)));
    }

    private static Step<State, Message> sendUnanswered(State s) {
        return new Step<>(s, s.requests.unanswered.map((number, request) -> submission(s, number, request.operation)));
    }

    private static Effect<Message> submission(State s, long number, Operation operation) {
        var live = (Phase.Live) s.phase;
        long acknowledgedUpTo = s.requests.acknowledgedUpTo();
        return new Effect.Send<>(s.node(), new Message.Submit(live.id, number, acknowledgedUpTo, operation));
    }

    /** Ends the session without knowing what the service makes of it: the next session has to end it there. */
    private Step<State, Message> end(State s, EndReason reason) {
        return stop(s, reason).lost();
    }

    private Step<State, Message> stop(State s, EndReason reason) {
        return stop(
                s,
                reason,
                switch (s.phase) {
                    case Phase.Opening opening -> opening.origin;
                    case Phase.Live live -> new SessionOrigin.Successor(live.id, live.nonce, s.requests.fences.keys());
                    case Phase.Ended ended -> ended.next;
                });
    }

    private Step<State, Message> end(State s, EndReason reason, SessionOrigin next) {
        return stop(s, reason, next).lost();
    }

    private Step<State, Message> stop(State s, EndReason reason, SessionOrigin next) {
        return to(s.withPhase(new Phase.Ended(reason, next)).withRequests(s.requests.withoutFences()))
                .cancelTimer(Timer.RENEW)
                .cancelTimer(Timer.RETRY)
                .cancelTimer(Timer.DEADLINE)
                .cancelTimer(Timer.OTHER_DEADLINE);
    }
}
