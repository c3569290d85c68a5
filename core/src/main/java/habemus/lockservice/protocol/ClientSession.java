package habemus.lockservice.protocol;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
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

/**
 * A client's side of its session: it speaks with one node of the service, with another if that one is silent, and
 * knows by itself when the service may have given up on it.
 *
 * <pre>
 *   ·       ── start ────▶ Opening
 *   Opening ── Opened ───▶ Live
 *   Opening ── RETRY ────▶ Opening    with another node, and another nonce
 *   Live    ── Renewed ──▶ Live       the earlier deadline is calmed
 *   Live    ── DEADLINE ─▶ Over
 *   Live    ── Gone ─────▶ Over
 *   Live    ── Closed ───▶ Over
 * </pre>
 *
 * <p>It reads no clock. A deadline is an alarm that is set when a renewal is <i>sent</i>; there are two of them in
 * turn. When the renewal is acknowledged, the earlier one is calmed, and the later one counts. So what counts is the
 * sending of the last renewal that was acknowledged, however long the acknowledgement took. A renewal that is repeated
 * keeps the deadline of its first sending.
 *
 * <p>What is not answered is asked again: of another node if this one has said nothing for a while, else of the same
 * one, because single requests are lost too when the service changes its leader. What waits in line is asked for again
 * with every renewal, which costs the service a look into its table.
 *
 * @param client whose session it is
 * @param lease after which the service ends it, if it hears nothing; the deadline is a tenth earlier
 * @param nonce drawn by whoever starts it; attempts to open count up from it
 */
public record ClientSession(ClientInfo client, Duration lease, long nonce)
        implements Timed<State, Message, Timer>, FailureAware<State, Message> {

    public enum Timer {
        RENEW,
        RETRY,
        DEADLINE,
        OTHER_DEADLINE;

        private Timer other() {
            return this == DEADLINE ? OTHER_DEADLINE : DEADLINE;
        }

        /** Whether all is lost when it rings. */
        public boolean isDeadline() {
            return this == DEADLINE || this == OTHER_DEADLINE;
        }
    }

    @WireTags({Phase.Live.class, Phase.Opening.class, Phase.Ended.class})
    public sealed interface Phase {
        /** @param nonce of the last attempt */
        record Opening(long nonce) implements Phase {}

        record Live(long id, long nonce) implements Phase {}

        record Ended(EndReason reason) implements Phase {}
    }

    public enum EndReason {
        /** The deadline has passed: the service may have ended it. */
        LEASE_EXPIRED,
        /** The service has ended it. */
        SESSION_UNKNOWN,
        /** Its client has. */
        CLOSED
    }

    /**
     * A request of which it is not known whether it has arrived.
     *
     * @param isOld whether it was under way already when the last patience began
     */
    public record UnansweredRequest(Operation operation, boolean isOld) {}

    /**
     * @param number of the last renewal that was sent
     * @param isUnacknowledged whether it is not acknowledged
     * @param isRepeated whether it was repeated
     * @param deadline which alarm counts; while a renewal is owed the other one is set too
     */
    public record Renewal(long number, boolean isUnacknowledged, boolean isRepeated, Timer deadline) {}

    /**
     * @param nodes of the service
     * @param nodeIndex which of them it speaks with
     * @param isSilent whether that one has said nothing since the last patience began
     * @param lastRequest the number of its last request
     * @param unanswered requests without any answer, by number
     * @param queued requests that are known to wait there
     * @param heldFences the fences of what was granted and not given back, by the number of the request
     */
    public record State(
            List<NodeId> nodes,
            int nodeIndex,
            boolean isSilent,
            Phase phase,
            Renewal renewal,
            long lastRequest,
            PersistentSortedMap<Long, UnansweredRequest> unanswered,
            PersistentSortedMap<Long, Operation> queued,
            PersistentSortedMap<Long, Long> heldFences) {

        public NodeId node() {
            return nodes.get(nodeIndex);
        }

        public boolean isEnded() {
            return phase instanceof Phase.Ended;
        }

        /** Whether its client has asked for its end: there is nothing more to ask for, and nothing else is. */
        public boolean isClosing() {
            return !isEnded()
                    && unanswered
                            .firstValue()
                            .filter(request -> request.operation instanceof Operation.Close)
                            .isPresent();
        }

        /** Whether a last answer to this request is still to come. */
        public boolean isPending(long number) {
            return unanswered.contains(number) || queued.contains(number);
        }

        /** No acknowledgement for a while: it will be lost soon, if none comes. */
        public boolean isInJeopardy() {
            return renewal.isUnacknowledged && renewal.isRepeated;
        }

        /** Whether something is said of which the other side owes an answer. */
        boolean awaitsReply() {
            return renewal.isUnacknowledged || !unanswered.isEmpty();
        }

        /** Up to which number every request is known to have arrived, or was given up. */
        long acknowledgedUpTo() {
            return unanswered.firstKey().map(number -> number - 1).orElse(lastRequest);
        }

        State withPhase(Phase next) {
            return new State(nodes, nodeIndex, isSilent, next, renewal, lastRequest, unanswered, queued, heldFences);
        }

        State withRenewal(Renewal next) {
            return new State(nodes, nodeIndex, isSilent, phase, next, lastRequest, unanswered, queued, heldFences);
        }

        State withNode(NodeId node) {
            int index = nodes.indexOf(node);
            return new State(
                    nodes,
                    index < 0 ? nodeIndex : index,
                    isSilent,
                    phase,
                    renewal,
                    lastRequest,
                    unanswered,
                    queued,
                    heldFences);
        }

        State withNextNode() {
            return withNode(nodes.get((nodeIndex + 1) % nodes.size()));
        }

        State withSilent(boolean next) {
            return new State(nodes, nodeIndex, next, phase, renewal, lastRequest, unanswered, queued, heldFences);
        }

        State withUnanswered(PersistentSortedMap<Long, UnansweredRequest> next) {
            return new State(nodes, nodeIndex, isSilent, phase, renewal, lastRequest, next, queued, heldFences);
        }

        State withQueued(PersistentSortedMap<Long, Operation> next) {
            return new State(nodes, nodeIndex, isSilent, phase, renewal, lastRequest, unanswered, next, heldFences);
        }

        State withoutRequest(long number) {
            return withUnanswered(unanswered.without(number)).withQueued(queued.without(number));
        }

        State withLastRequest(long number) {
            return new State(nodes, nodeIndex, isSilent, phase, renewal, number, unanswered, queued, heldFences);
        }

        State withHeldFences(PersistentSortedMap<Long, Long> next) {
            return new State(nodes, nodeIndex, isSilent, phase, renewal, lastRequest, unanswered, queued, next);
        }
    }

    /** How long a lease is good by the client's clock, which may run a tenth slower than the service's. */
    public static Duration localLease(Duration lease) {
        return lease.minus(lease.dividedBy(10));
    }

    /** How often it is renewed. */
    public static Duration renewInterval(Duration lease) {
        return lease.dividedBy(4);
    }

    /** After which silence it tries another node. */
    public static Duration retryTimeout(Duration lease) {
        var eighth = lease.dividedBy(8);
        return eighth.compareTo(Duration.ofSeconds(1)) < 0 ? eighth : Duration.ofSeconds(1);
    }

    /** Its neighbours are the nodes of the service; it begins with the first. */
    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return open(ended(neighbourhood.neighbours()).withPhase(new Phase.Opening(nonce)));
    }

    /** One that is over before it began. */
    public static State ended(List<NodeId> nodes) {
        var renewal = new Renewal(0, false, false, Timer.DEADLINE);
        return new State(
                nodes,
                0,
                true,
                new Phase.Ended(EndReason.CLOSED),
                renewal,
                0,
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty());
    }

    /**
     * The application wants something; the number of the request is {@code last} of the state after. What it gives back
     * it does not hold from now on, and a claim that it takes back is not answered any more: only the taking back is.
     */
    public Step<State, Message> submit(State s, Operation operation) {
        ProtocolBug.unless(!s.isEnded() && !s.isClosing(), "asking", s);
        long number = s.lastRequest + 1;
        var kept = switch (operation) {
            case Operation.Release(var claim) -> s.withoutRequest(claim).withHeldFences(s.heldFences.without(claim));
            case Operation.Close() ->
                s.withUnanswered(PersistentSortedMap.empty())
                        .withQueued(PersistentSortedMap.empty())
                        .withHeldFences(PersistentSortedMap.empty());
            case Operation.Acquire acquire -> s;
            case Operation.Transfer transfer -> s;
        };
        var asked = kept.withLastRequest(number)
                .withUnanswered(kept.unanswered.with(number, new UnansweredRequest(operation, false)));
        return s.phase instanceof Phase.Live
                ? withRetryTimer(s, new Step<>(asked, List.of(submission(asked, number, operation))))
                : to(asked);
    }

    /** The client does not wait for the end that it has asked for, or asks for none. */
    public Step<State, Message> abandon(State s) {
        return end(s, EndReason.CLOSED);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.SessionOpened(var asked, var id)
            when isOwnNonce(s, asked) -> onOpened(s.withNode(from).withPhase(new Phase.Live(id, asked)));
            case Message.Renewed(var id, var number) when isLive(s, id) -> onRenewed(s.withSilent(false), number);
            case Message.Result(var id, var number, var operationResult)
            when isLive(s, id) -> onResult(s.withSilent(false), number, operationResult);
            case Message.SessionExpired(var id) when isLive(s, id) -> end(s, EndReason.SESSION_UNKNOWN);
            case Message.ServerReply late -> to(s);
            case Message.ClientRequest foreign -> throw new ProtocolBug(foreign.toString(), s);
            case Message.LogMessage foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return switch (timer) {
            case RENEW -> renew(s).then(ClientSession::sendQueued);
            case RETRY -> s.isSilent ? switchNode(s) : resendOld(s);
            case DEADLINE, OTHER_DEADLINE ->
                s.phase instanceof Phase.Live ? end(s, EndReason.LEASE_EXPIRED) : switchNode(s);
        };
    }

    @Override
    public boolean isUrgent(Enum<?> alarm) {
        return alarm instanceof Timer ours && ours.isDeadline();
    }

    /** The connection to that node broke. */
    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        return s.isEnded() || !peer.equals(s.node()) ? to(s) : switchNode(s);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return to(s);
    }

    /** Any of our attempts will do: whatever we are granted in it we ask for later than we set the deadline. */
    private boolean isOwnNonce(State s, long asked) {
        return s.phase instanceof Phase.Opening(var latest) && nonce <= asked && asked <= latest;
    }

    private static boolean isLive(State s, long id) {
        return s.phase instanceof Phase.Live(var own, var nonce) && own == id;
    }

    private Step<State, Message> open(State s) {
        var opening = (Phase.Opening) s.phase;
        return to(s).send(s.node(), new Message.OpenSession(opening.nonce, client, lease))
                .setTimer(Timer.DEADLINE, localLease(lease))
                .setTimer(Timer.RETRY, retryTimeout(lease));
    }

    private Step<State, Message> onOpened(State s) {
        var begun = to(s.withSilent(true)).cancelTimer(Timer.RETRY).setTimer(Timer.RENEW, renewInterval(lease));
        return s.unanswered.isEmpty()
                ? begun
                : begun.then(ClientSession::sendUnanswered).setTimer(Timer.RETRY, retryTimeout(lease));
    }

    /** Patience begins with the first that is not answered. */
    private Step<State, Message> withRetryTimer(State before, Step<State, Message> step) {
        return before.awaitsReply()
                ? step
                : step.then(s -> to(s.withSilent(true)).setTimer(Timer.RETRY, retryTimeout(lease)));
    }

    /** The first time it sets the other deadline; again, it does not. */
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
        var paid = s.withRenewal(new Renewal(number, false, false, s.renewal.deadline.other()));
        var calmed = cancelRetryIfIdle(paid).cancelTimer(s.renewal.deadline);
        return s.renewal.isRepeated ? calmed.then(this::renew) : calmed;
    }

    private Step<State, Message> onResult(State s, long number, OperationResult operationResult) {
        var operation =
                s.unanswered.get(number).map(UnansweredRequest::operation).or(() -> s.queued.get(number));
        var done = s.withoutRequest(number);
        return switch (operationResult) {
            case OperationResult.Waiting()
            when operation.isPresent() -> cancelRetryIfIdle(done.withQueued(done.queued.with(number, operation.get())));
            case OperationResult.Granted(var fence)
            when operation.isPresent() -> cancelRetryIfIdle(done.withHeldFences(s.heldFences.with(number, fence)));
            case OperationResult.Revoked revoked ->
                cancelRetryIfIdle(done.withHeldFences(s.heldFences.without(number)));
            case OperationResult.Closed() -> end(s, EndReason.CLOSED);
            case OperationResult last -> operation.isPresent() ? cancelRetryIfIdle(done) : to(s);
        };
    }

    /** Nobody is silent to whom nothing was said. */
    private Step<State, Message> cancelRetryIfIdle(State s) {
        return s.awaitsReply() ? to(s) : to(s).cancelTimer(Timer.RETRY);
    }

    /** A renewal shows whether the next one speaks for us. */
    private Step<State, Message> switchNode(State s) {
        var next = s.withNextNode().withSilent(true);
        return switch (s.phase) {
            case Phase.Opening(var asked) -> open(next.withPhase(new Phase.Opening(asked + 1)));
            case Phase.Live(var id, var known) ->
                to(next).send(next.node(), new Message.Attach(id, known))
                        .then(this::renew)
                        .then(ClientSession::sendQueued)
                        .then(ClientSession::sendUnanswered)
                        .setTimer(Timer.RETRY, retryTimeout(lease));
            case Phase.Ended ended -> to(s);
        };
    }

    /** The node answers, but what is old it has not: that was lost. */
    private Step<State, Message> resendOld(State s) {
        var older = s.unanswered;
        var lost = s.unanswered;
        for (long number : s.unanswered.keys()) {
            var request = s.unanswered.get(number).orElseThrow();
            older = request.isOld ? older : older.with(number, new UnansweredRequest(request.operation, true));
            lost = request.isOld ? lost : lost.without(number);
        }
        var repeated = lost.map((number, request) -> submission(s, number, request.operation));
        return new Step<>(s.withSilent(true).withUnanswered(older), repeated)
                .setTimer(Timer.RETRY, retryTimeout(lease));
    }

    private static Step<State, Message> sendQueued(State s) {
        return new Step<>(s, s.queued.map((number, operation) -> submission(s, number, operation)));
    }

    private static Step<State, Message> sendUnanswered(State s) {
        return new Step<>(s, s.unanswered.map((number, request) -> submission(s, number, request.operation)));
    }

    private static Effect<Message> submission(State s, long number, Operation operation) {
        var live = (Phase.Live) s.phase;
        return new Effect.Send<>(s.node(), new Message.Submit(live.id, number, s.acknowledgedUpTo(), operation));
    }

    private Step<State, Message> end(State s, EndReason endReason) {
        return to(s.withPhase(new Phase.Ended(endReason)).withHeldFences(PersistentSortedMap.empty()))
                .cancelTimer(Timer.RENEW)
                .cancelTimer(Timer.RETRY)
                .cancelTimer(Timer.DEADLINE)
                .cancelTimer(Timer.OTHER_DEADLINE)
                .lost();
    }
}
