package habemus.fenced;

import habemus.fenced.Session.Alarm;
import habemus.fenced.Session.State;
import habemus.protocol.Effect;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
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

        /** Whether all is lost when it rings. */
        public boolean isDeadline() {
            return this == DEADLINE || this == OTHER_DEADLINE;
        }
    }

    @WireTags({Phase.Live.class, Phase.Opening.class, Phase.Over.class})
    public sealed interface Phase {
        /** @param nonce of the last attempt */
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
     * A request of which it is not known whether it has arrived.
     *
     * @param old whether it was under way already when the last patience began
     */
    public record Asked(Wish wish, boolean old) {}

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
     * @param silent whether that one has said nothing since the last patience began
     * @param last the number of its last request
     * @param asked requests without any answer, by number
     * @param inLine requests that are known to wait there
     * @param held the fences of what was granted and not given back, by the number of the request
     */
    public record State(
            List<NodeId> nodes,
            int at,
            boolean silent,
            Phase phase,
            Renewal renewal,
            long last,
            Tree<Long, Asked> asked,
            Tree<Long, Wish> inLine,
            Tree<Long, Long> held) {

        public NodeId node() {
            return nodes.get(at);
        }

        public boolean isOver() {
            return phase instanceof Phase.Over;
        }

        /** Whether its client has asked for its end: there is nothing more to ask for, and nothing else is. */
        public boolean isClosing() {
            return !isOver()
                    && asked.first()
                            .filter(request -> request.wish instanceof Wish.Close)
                            .isPresent();
        }

        /** Whether a last answer to this request is still to come. */
        public boolean isPending(long number) {
            return asked.contains(number) || inLine.contains(number);
        }

        /** No acknowledgement for a while: it will be lost soon, if none comes. */
        public boolean isInJeopardy() {
            return renewal.owed && renewal.again;
        }

        /** Whether something is said of which the other side owes an answer. */
        boolean isWaiting() {
            return renewal.owed || !asked.isEmpty();
        }

        /** Up to which number every request is known to have arrived, or was given up. */
        long settled() {
            return asked.firstKey().map(number -> number - 1).orElse(last);
        }

        State in(Phase next) {
            return new State(nodes, at, silent, next, renewal, last, asked, inLine, held);
        }

        State renewing(Renewal next) {
            return new State(nodes, at, silent, phase, next, last, asked, inLine, held);
        }

        State speakingWith(NodeId node) {
            int index = nodes.indexOf(node);
            return new State(nodes, index < 0 ? at : index, silent, phase, renewal, last, asked, inLine, held);
        }

        State movedOn() {
            return speakingWith(nodes.get((at + 1) % nodes.size()));
        }

        State silent(boolean next) {
            return new State(nodes, at, next, phase, renewal, last, asked, inLine, held);
        }

        State asking(Tree<Long, Asked> next) {
            return new State(nodes, at, silent, phase, renewal, last, next, inLine, held);
        }

        State waiting(Tree<Long, Wish> next) {
            return new State(nodes, at, silent, phase, renewal, last, asked, next, held);
        }

        State without(long number) {
            return asking(asked.without(number)).waiting(inLine.without(number));
        }

        State numbering(long number) {
            return new State(nodes, at, silent, phase, renewal, number, asked, inLine, held);
        }

        State holding(Tree<Long, Long> next) {
            return new State(nodes, at, silent, phase, renewal, last, asked, inLine, next);
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
        return open(none(place.neighbours()).in(new Phase.Opening(nonce)));
    }

    /** One that is over before it began. */
    public static State none(List<NodeId> nodes) {
        var renewal = new Renewal(0, false, false, Alarm.DEADLINE);
        return new State(
                nodes, 0, true, new Phase.Over(Why.CLOSED), renewal, 0, Tree.empty(), Tree.empty(), Tree.empty());
    }

    /**
     * The application wants something; the number of the request is {@code last} of the state after. What it gives back
     * it does not hold from now on, and a claim that it takes back is not answered any more: only the taking back is.
     */
    public Step<State, Talk> ask(State s, Wish wish) {
        ProtocolBug.unless(!s.isOver() && !s.isClosing(), "asking", s);
        long number = s.last + 1;
        var kept = switch (wish) {
            case Wish.Release(var claim) -> s.without(claim).holding(s.held.without(claim));
            case Wish.Close() -> s.asking(Tree.empty()).waiting(Tree.empty()).holding(Tree.empty());
            case Wish.Acquire acquire -> s;
            case Wish.Transfer transfer -> s;
        };
        var asked = kept.numbering(number).asking(kept.asked.with(number, new Asked(wish, false)));
        return s.phase instanceof Phase.Live
                ? patiently(s, new Step<>(asked, List.of(again(asked, number, wish))))
                : to(asked);
    }

    /** The client does not wait for the end that it has asked for, or asks for none. */
    public Step<State, Talk> abandon(State s) {
        return over(s, Why.CLOSED);
    }

    @Override
    public Step<State, Talk> receive(State s, NodeId from, Talk message) {
        return switch (message) {
            case Talk.Opened(var asked, var id)
            when isOurs(s, asked) -> begin(s.speakingWith(from).in(new Phase.Live(id, asked)));
            case Talk.Renewed(var id, var number) when isLive(s, id) -> renewed(s.silent(false), number);
            case Talk.Answered(var id, var number, var answer)
            when isLive(s, id) -> answered(s.silent(false), number, answer);
            case Talk.Gone(var id) when isLive(s, id) -> over(s, Why.GONE);
            case Talk.Reply late -> to(s);
            case Talk.Request foreign -> throw new ProtocolBug(foreign.toString(), s);
            case Talk.OfLog foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    @Override
    public Step<State, Talk> elapsed(State s, Alarm alarm) {
        return switch (alarm) {
            case RENEW -> renew(s).then(Session::sendInLine);
            case RETRY -> s.silent ? move(s) : repeat(s);
            case DEADLINE, OTHER_DEADLINE -> s.phase instanceof Phase.Live ? over(s, Why.OVERDUE) : move(s);
        };
    }

    @Override
    public boolean isUrgent(Enum<?> alarm) {
        return alarm instanceof Alarm ours && ours.isDeadline();
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

    /** Any of our attempts will do: whatever we are granted in it we ask for later than we set the deadline. */
    private boolean isOurs(State s, long asked) {
        return s.phase instanceof Phase.Opening(var latest) && nonce <= asked && asked <= latest;
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
        var begun = to(s.silent(true)).calm(Alarm.RETRY).wake(Alarm.RENEW, beat(lease));
        return s.asked.isEmpty() ? begun : begun.then(Session::sendAsked).wake(Alarm.RETRY, patience(lease));
    }

    /** Patience begins with the first that is not answered. */
    private Step<State, Talk> patiently(State before, Step<State, Talk> step) {
        return before.isWaiting() ? step : step.then(s -> to(s.silent(true)).wake(Alarm.RETRY, patience(lease)));
    }

    /** The first time it sets the other deadline; again, it does not. */
    private Step<State, Talk> renew(State s) {
        var live = (Phase.Live) s.phase;
        var renewal = s.renewal.owed
                ? new Renewal(s.renewal.number, true, true, s.renewal.deadline)
                : new Renewal(s.renewal.number + 1, true, false, s.renewal.deadline);
        var sent = to(s.renewing(renewal))
                .send(s.node(), new Talk.Renew(live.id, renewal.number))
                .wake(Alarm.RENEW, beat(lease));
        return s.renewal.owed ? sent : patiently(s, sent.wake(renewal.deadline.other(), deadline(lease)));
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
        var wish = s.asked.get(number).map(Asked::wish).or(() -> s.inLine.get(number));
        var done = s.without(number);
        return switch (answer) {
            case Answer.Waiting() when wish.isPresent() -> rest(done.waiting(done.inLine.with(number, wish.get())));
            case Answer.Granted(var fence) when wish.isPresent() -> rest(done.holding(s.held.with(number, fence)));
            case Answer.Revoked revoked -> rest(done.holding(s.held.without(number)));
            case Answer.Closed() -> over(s, Why.CLOSED);
            case Answer last -> wish.isPresent() ? rest(done) : to(s);
        };
    }

    /** Nobody is silent to whom nothing was said. */
    private Step<State, Talk> rest(State s) {
        return s.isWaiting() ? to(s) : to(s).calm(Alarm.RETRY);
    }

    /** A renewal shows whether the next one speaks for us. */
    private Step<State, Talk> move(State s) {
        var next = s.movedOn().silent(true);
        return switch (s.phase) {
            case Phase.Opening(var asked) -> open(next.in(new Phase.Opening(asked + 1)));
            case Phase.Live(var id, var known) ->
                to(next).send(next.node(), new Talk.Attach(id, known))
                        .then(this::renew)
                        .then(Session::sendInLine)
                        .then(Session::sendAsked)
                        .wake(Alarm.RETRY, patience(lease));
            case Phase.Over over -> to(s);
        };
    }

    /** The node answers, but what is old it has not: that was lost. */
    private Step<State, Talk> repeat(State s) {
        var older = s.asked;
        var lost = s.asked;
        for (long number : s.asked.keys()) {
            var request = s.asked.get(number).orElseThrow();
            older = request.old ? older : older.with(number, new Asked(request.wish, true));
            lost = request.old ? lost : lost.without(number);
        }
        var repeated = lost.map((number, request) -> again(s, number, request.wish));
        return new Step<>(s.silent(true).asking(older), repeated).wake(Alarm.RETRY, patience(lease));
    }

    private static Step<State, Talk> sendInLine(State s) {
        return new Step<>(s, s.inLine.map((number, wish) -> again(s, number, wish)));
    }

    private static Step<State, Talk> sendAsked(State s) {
        return new Step<>(s, s.asked.map((number, request) -> again(s, number, request.wish)));
    }

    private static Effect<Talk> again(State s, long number, Wish wish) {
        var live = (Phase.Live) s.phase;
        return new Effect.Send<>(s.node(), new Talk.Ask(live.id, number, s.settled(), wish));
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
