package habemus.fenced;

import habemus.fenced.Session.Alarm;
import habemus.fenced.Session.State;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
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
 * <p>It reads no clock. A deadline is an alarm that is set when a renewal is <i>sent</i>; there are two of them in turn.
 * When the renewal is acknowledged, the earlier one is calmed, and the later one counts. So what counts is the sending
 * of the last renewal that was acknowledged, however long the acknowledgement took. A renewal that is repeated keeps
 * the deadline of its first sending.
 *
 * @param person whose session it is
 * @param lease after which the service ends it, if it hears nothing; the deadline is a tenth earlier
 * @param nonce drawn by whoever starts it; attempts to open count up from it
 */
public record Session(Person person, Duration lease, long nonce)
        implements Timed<State, Talk, Alarm>, Watchful<State, Talk> {

    public enum Alarm {
        RENEW,
        RETRY,
        DEADLINE,
        OTHER_DEADLINE;

        private Alarm other() {
            return this == DEADLINE ? OTHER_DEADLINE : DEADLINE;
        }
    }

    public sealed interface Phase {
        record Opening(long nonce) implements Phase {}

        record Live(long id, long nonce) implements Phase {}

        record Over(Why why) implements Phase {}
    }

    public enum Why {
        /** The deadline has passed: the service may have ended it. */
        OVERDUE,
        /** The service has ended it. */
        GONE,
        /** Its client has. */
        CLOSED
    }

    /**
     * A request without a last answer.
     *
     * @param heard whether it is known to have arrived, and waits in line
     */
    public record Pending(Wish wish, boolean heard) {}

    /**
     * @param number of the last renewal that was sent
     * @param owed whether it is not acknowledged
     * @param again whether it was repeated
     * @param deadline which alarm counts; while a renewal is owed the other one is set too
     */
    public record Renewal(long number, boolean owed, boolean again, Alarm deadline) {}

    /**
     * @param nodes of the service
     * @param at which of them it speaks with
     * @param last the number of its last request
     * @param pending requests by number
     * @param held the fences of what was granted and not given back, by the number of the request
     */
    public record State(
            List<NodeId> nodes,
            int at,
            Phase phase,
            Renewal renewal,
            long last,
            Tree<Long, Pending> pending,
            Tree<Long, Long> held) {

        public NodeId node() {
            return nodes.get(at);
        }

        public boolean isOver() {
            return phase instanceof Phase.Over;
        }

        /** No acknowledgement for a while: it will be lost soon, if none comes. */
        public boolean isInJeopardy() {
            return renewal.owed && renewal.again;
        }

        /** Up to which number every request is known to have arrived. */
        long settled() {
            long settled = last;
            for (long number : pending.keys()) {
                if (!pending.get(number).orElseThrow().heard) {
                    return number - 1;
                }
            }
            return settled;
        }

        State in(Phase next) {
            return new State(nodes, at, next, renewal, last, pending, held);
        }

        State renewing(Renewal next) {
            return new State(nodes, at, phase, next, last, pending, held);
        }

        State movedOn() {
            return new State(nodes, (at + 1) % nodes.size(), phase, renewal, last, pending, held);
        }

        State waitingFor(long number, Pending request) {
            return new State(nodes, at, phase, renewal, Math.max(last, number), pending.with(number, request), held);
        }

        State answered(long number) {
            return new State(nodes, at, phase, renewal, last, pending.without(number), held);
        }

        State holding(Tree<Long, Long> next) {
            return new State(nodes, at, phase, renewal, last, pending, next);
        }
    }

    /** How long a lease is good by the client's clock, which may run a tenth slower than the service's. */
    public static Duration deadline(Duration lease) {
        return lease.minus(lease.dividedBy(10));
    }

    /** How often it is renewed. */
    public static Duration beat(Duration lease) {
        return lease.dividedBy(4);
    }

    /** After which silence it tries another node. */
    public static Duration patience(Duration lease) {
        var eighth = lease.dividedBy(8);
        return eighth.compareTo(Duration.ofSeconds(1)) < 0 ? eighth : Duration.ofSeconds(1);
    }

    /** Its neighbours are the nodes of the service; it begins with the first. */
    @Override
    public Step<State, Talk> start(Place place) {
        var renewal = new Renewal(0, false, false, Alarm.DEADLINE);
        return open(new State(
                place.neighbours(), 0, new Phase.Opening(nonce), renewal, 0, Tree.empty(), Tree.empty()));
    }

    /** The application wants something; the number of the request is {@code last} of the state after. */
    public Step<State, Talk> ask(State s, Wish wish) {
        ProtocolBug.unless(!s.isOver(), "asking", s);
        long number = s.last + 1;
        var asked = s.waitingFor(number, new Pending(wish, false));
        var kept = wish instanceof Wish.Release(var claim) ? asked.holding(asked.held.without(claim)) : asked;
        return s.phase instanceof Phase.Live ? send(kept, number).wake(Alarm.RETRY, patience(lease)) : to(kept);
    }

    @Override
    public Step<State, Talk> receive(State s, NodeId from, Talk message) {
        return switch (message) {
            case Talk.Opened(var asked, var id) when s.phase.equals(new Phase.Opening(asked)) ->
                begin(s.in(new Phase.Live(id, asked)));
            case Talk.Renewed(var id, var number) when isLive(s, id) -> renewed(s, number);
            case Talk.Answered(var id, var number, var answer) when isLive(s, id) -> answered(s, number, answer);
            case Talk.Gone(var id) when isLive(s, id) -> over(s, Why.GONE);
            case Talk.Reply late -> to(s);
            case Talk.Request foreign -> throw new ProtocolBug(foreign.toString(), s);
            case Talk.OfLog foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    @Override
    public Step<State, Talk> elapsed(State s, Alarm alarm) {
        return switch (alarm) {
            case RENEW -> renew(s);
            case RETRY -> move(s);
            case DEADLINE, OTHER_DEADLINE -> s.phase instanceof Phase.Live ? over(s, Why.OVERDUE) : move(s);
        };
    }

    /** The connection to that node broke. */
    @Override
    public Step<State, Talk> suspect(State s, NodeId peer) {
        return s.isOver() || !peer.equals(s.node()) ? to(s) : move(s);
    }

    @Override
    public Step<State, Talk> restore(State s, NodeId peer) {
        return to(s);
    }

    private static boolean isLive(State s, long id) {
        return s.phase instanceof Phase.Live(var own, var nonce) && own == id;
    }

    private Step<State, Talk> open(State s) {
        var opening = (Phase.Opening) s.phase;
        return to(s).send(s.node(), new Talk.Open(opening.nonce, person, lease))
                .wake(Alarm.DEADLINE, deadline(lease))
                .wake(Alarm.RETRY, patience(lease));
    }

    private Step<State, Talk> begin(State s) {
        return to(s).calm(Alarm.RETRY).wake(Alarm.RENEW, beat(lease)).then(this::sendPending);
    }

    /** The first time it sets the other deadline; again, it does not. */
    private Step<State, Talk> renew(State s) {
        var live = (Phase.Live) s.phase;
        var renewal = s.renewal.owed
                ? new Renewal(s.renewal.number, true, true, s.renewal.deadline)
                : new Renewal(s.renewal.number + 1, true, false, s.renewal.deadline);
        var sent = to(s.renewing(renewal))
                .send(s.node(), new Talk.Renew(live.id, renewal.number))
                .wake(Alarm.RENEW, beat(lease))
                .wake(Alarm.RETRY, patience(lease));
        return s.renewal.owed ? sent : sent.wake(renewal.deadline.other(), deadline(lease));
    }

    private Step<State, Talk> renewed(State s, long number) {
        if (!s.renewal.owed || s.renewal.number != number) {
            return to(s);
        }
        var paid = s.renewing(new Renewal(number, false, false, s.renewal.deadline.other()));
        var calmed = rest(paid).calm(s.renewal.deadline);
        return s.renewal.again ? calmed.then(this::renew) : calmed;
    }

    private Step<State, Talk> answered(State s, long number, Answer answer) {
        var pending = s.pending.get(number);
        return switch (answer) {
            case Answer.Waiting() when pending.isPresent() ->
                rest(s.waitingFor(number, new Pending(pending.get().wish, true)));
            case Answer.Granted(var fence) when pending.isPresent() ->
                rest(s.answered(number).holding(isGivenUp(s, number) ? s.held : s.held.with(number, fence)));
            case Answer.Revoked revoked -> rest(s.answered(number).holding(s.held.without(number)));
            case Answer.Closed() -> over(s, Why.CLOSED);
            case Answer last -> rest(s.answered(number));
        };
    }

    /** It was let in after it had asked not to be. */
    private static boolean isGivenUp(State s, long claim) {
        return s.pending.values().stream().anyMatch(request -> request.wish.equals(new Wish.Release(claim)));
    }

    /** Nobody is silent to whom nothing was said. */
    private Step<State, Talk> rest(State s) {
        boolean waits = s.renewal.owed || s.pending.values().stream().anyMatch(request -> !request.heard);
        return waits ? to(s) : to(s).calm(Alarm.RETRY);
    }

    private Step<State, Talk> move(State s) {
        var next = s.movedOn();
        return switch (s.phase) {
            case Phase.Opening(var asked) -> open(next.in(new Phase.Opening(asked + 1)));
            case Phase.Live(var id, var known) -> {
                var attached = to(next).send(next.node(), new Talk.Attach(id, known)).wake(Alarm.RETRY, patience(lease));
                yield (s.renewal.owed ? attached.then(this::renew) : attached).then(this::sendPending);
            }
            case Phase.Over over -> to(s);
        };
    }

    private Step<State, Talk> sendPending(State s) {
        var step = to(s);
        for (long number : s.pending.keys()) {
            step = step.then(state -> send(state, number)).wake(Alarm.RETRY, patience(lease));
        }
        return step;
    }

    private Step<State, Talk> send(State s, long number) {
        var live = (Phase.Live) s.phase;
        var wish = s.pending.get(number).orElseThrow().wish;
        return to(s).send(s.node(), new Talk.Ask(live.id, number, s.settled(), wish));
    }

    private Step<State, Talk> over(State s, Why why) {
        return to(s.in(new Phase.Over(why)).holding(Tree.empty()))
                .calm(Alarm.RENEW)
                .calm(Alarm.RETRY)
                .calm(Alarm.DEADLINE)
                .calm(Alarm.OTHER_DEADLINE)
                .lost();
    }
}
