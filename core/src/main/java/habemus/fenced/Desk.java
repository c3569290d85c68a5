package habemus.fenced;

import habemus.fenced.Desk.Alarm;
import habemus.fenced.Desk.State;
import habemus.protocol.Effect;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A node of the service: it puts into the log what clients ask for, tells them what came of it, and gives up those of
 * whom nothing is heard.
 *
 * <p>It waits for nothing: what it proposes may be lost, and then the client will ask again. Its table is what the log
 * says, so a node that lags behind, or believes wrongly that it leads, only knows less, and nothing wrong.
 *
 * <p>Renewals are gathered and put into the log together; each is acknowledged when that entry is applied. Whoever
 * leads looks with every tick by which command each session was last heard of, and counts ticks since it saw that one.
 * After a whole lease it proposes to end the session as of that command; the table does so only if there is no later
 * one. So whoever was acknowledged anything later lives on, whoever leads.
 *
 * @param tick how often time is looked at
 * @param beat how long renewals are gathered
 */
public record Desk(Duration tick, Duration beat) implements Timed<State, Talk, Alarm> {

    /** Where the log is, for every node of the service. */
    public static final NodeId LOG = new NodeId(1);

    /** How many ticks it waits for what it proposed, before it does so again: it may have been lost. */
    private static final int AGAIN = 4;

    public enum Alarm {
        TICK,
        BEAT
    }

    /** A client that wants to speak for a session of which this node has not heard yet. */
    public record Knock(NodeId client, long nonce) {}

    /**
     * A lease that runs.
     *
     * @param heard the command by which the session was last heard of
     * @param due the tick at which its end is proposed
     */
    public record Count(long heard, long due) {}

    /**
     * @param leads whether it believes so
     * @param ticks that it has counted
     * @param counts by session
     * @param opening clients whose session is on its way, by nonce
     * @param clients who speaks for a session here
     * @param knocks by session
     * @param renewals that wait for the next beat: the latest of each session
     * @param watching clients who want to be told of changes
     */
    public record State(
            Table table,
            boolean leads,
            long ticks,
            Tree<Long, Count> counts,
            Tree<Long, NodeId> opening,
            Tree<Long, NodeId> clients,
            Tree<Long, Knock> knocks,
            Tree<Long, Long> renewals,
            NodeSet watching) {

        State at(Table next) {
            return new State(next, leads, ticks, counts, opening, clients, knocks, renewals, watching);
        }

        State leading(boolean next) {
            return new State(table, next, ticks, counts, opening, clients, knocks, renewals, watching);
        }

        State counting(long next, Tree<Long, Count> running) {
            return new State(table, leads, next, running, opening, clients, knocks, renewals, watching);
        }

        State opening(Tree<Long, NodeId> next) {
            return new State(table, leads, ticks, counts, next, clients, knocks, renewals, watching);
        }

        State spokenForBy(Tree<Long, NodeId> next) {
            return new State(table, leads, ticks, counts, opening, next, knocks, renewals, watching);
        }

        State knocking(Tree<Long, Knock> next) {
            return new State(table, leads, ticks, counts, opening, clients, next, renewals, watching);
        }

        State renewing(Tree<Long, Long> next) {
            return new State(table, leads, ticks, counts, opening, clients, knocks, next, watching);
        }

        State watchedBy(NodeSet next) {
            return new State(table, leads, ticks, counts, opening, clients, knocks, renewals, next);
        }

        /** Whether somebody's lease runs here. */
        private boolean isCounting() {
            return leads && !table.sessions().isEmpty();
        }

        private boolean isSpokenForBy(long session, NodeId client) {
            return clients.get(session).equals(Optional.of(client));
        }
    }

    /** It lags behind, until the log says more. */
    @Override
    public Step<State, Talk> start(Place place) {
        return to(new State(
                Table.EMPTY,
                false,
                0,
                Tree.empty(),
                Tree.empty(),
                Tree.empty(),
                Tree.empty(),
                Tree.empty(),
                NodeSet.NONE));
    }

    @Override
    public Step<State, Talk> receive(State s, NodeId from, Talk message) {
        return switch (message) {
            case Talk.Open(var nonce, var person, var lease) ->
                propose(s.opening(s.opening.with(nonce, from)), List.of(new Command.Open(nonce, person, lease)));
            case Talk.Attach(var session, var nonce) -> attach(s, from, session, nonce);
            case Talk.Renew(var session, var number) when s.isSpokenForBy(session, from) -> renew(s, session, number);
            case Talk.Ask ask when s.isSpokenForBy(ask.session(), from) -> ask(s, from, ask);
            case Talk.Renew unattached -> to(s);
            case Talk.Ask unattached -> to(s);
            case Talk.Watch() -> to(s.watchedBy(s.watching.with(from)));
            case Talk.Committed(var entry) -> counting(s, apply(s, entry));
            case Talk.Leading(var leads) ->
                counting(s, to(leads && !s.leads ? anew(s.leading(true)) : s.leading(leads)));
            case Talk.Installed(var table) -> counting(s, install(s, table));
            case Talk.Propose foreign -> throw new ProtocolBug(foreign.toString(), s);
            case Talk.Reply foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    /** The connections to these clients broke: they will attach again, here or elsewhere. */
    public Step<State, Talk> left(State s, NodeSet gone) {
        return to(s.opening(without(s.opening, gone, client -> client))
                .spokenForBy(without(s.clients, gone, client -> client))
                .knocking(without(s.knocks, gone, Knock::client))
                .watchedBy(s.watching.without(gone)));
    }

    @Override
    public Step<State, Talk> elapsed(State s, Alarm alarm) {
        return switch (alarm) {
            case TICK -> tick(s);
            case BEAT -> propose(s, List.of());
        };
    }

    private static <V> Tree<Long, V> without(Tree<Long, V> all, NodeSet gone, Function<V, NodeId> client) {
        var keys = new ArrayList<Long>();
        all.forEach((key, value) -> {
            if (gone.contains(client.apply(value))) {
                keys.add(key);
            }
        });
        var left = all;
        for (long key : keys) {
            left = left.without(key);
        }
        return left;
    }

    /** Renewals that wait ride along. */
    private Step<State, Talk> propose(State s, List<Command> commands) {
        var all = new ArrayList<>(commands);
        if (!s.renewals.isEmpty()) {
            var renewals = new ArrayList<Command.Renewal>();
            s.renewals.forEach((session, number) -> renewals.add(new Command.Renewal(session, number)));
            all.add(new Command.Beat(List.copyOf(renewals)));
        }
        return all.isEmpty() ? to(s) : to(s.renewing(Tree.empty())).send(LOG, new Talk.Propose(List.copyOf(all)));
    }

    /** Who is not in the table although its beginning is, is over; else it is yet to come, and the log brings it. */
    private Step<State, Talk> attach(State s, NodeId client, long session, long nonce) {
        var guest = s.table.sessions().get(session);
        if (guest.isPresent() && guest.get().nonce() == nonce) {
            var effects = new ArrayList<Effect<Talk>>();
            var attached = s.spokenForBy(s.clients.with(session, client));
            tellTaken(attached, session, effects);
            return new Step<>(attached, List.copyOf(effects));
        }
        if (guest.isPresent() || session <= s.table.index()) {
            return to(s).send(client, new Talk.Gone(session));
        }
        var knocking = s.knocking(s.knocks.with(session, new Knock(client, nonce)));
        return propose(knocking, List.of(new Command.Beat(List.of(new Command.Renewal(session, 0)))));
    }

    private Step<State, Talk> renew(State s, long session, long number) {
        long latest = Math.max(number, s.renewals.get(session).orElse(number));
        var gathered = to(s.renewing(s.renewals.with(session, latest)));
        return s.renewals.isEmpty() ? gathered.wake(Alarm.BEAT, beat) : gathered;
    }

    /** What was answered before is not put into the log again. */
    private Step<State, Talk> ask(State s, NodeId client, Talk.Ask ask) {
        var known = s.table.sessions().get(ask.session()).flatMap(guest -> guest.answerTo(ask.number()));
        return known.isPresent()
                ? to(s).send(client, new Talk.Answered(ask.session(), ask.number(), known.get()))
                : propose(s, List.of(new Command.Ask(ask.session(), ask.number(), ask.settled(), ask.wish())));
    }

    /** What was heard of since the last tick counts from this one: a part of a tick is no tick. */
    private Step<State, Talk> tick(State s) {
        long now = s.ticks + 1;
        var overdue = new ArrayList<Command>();
        var changed = new TreeMap<Long, Count>();
        s.table.sessions().forEach((session, guest) -> {
            long heard = guest.heard();
            var count = s.counts.get(session).filter(one -> one.heard == heard);
            if (count.isEmpty()) {
                changed.put(session, new Count(heard, now + ticksOf(guest.lease())));
            } else if (count.get().due <= now) {
                changed.put(session, new Count(heard, now + AGAIN));
                overdue.add(new Command.Expire(session, heard));
            }
        });
        var counts = s.counts;
        for (var one : changed.sequencedEntrySet()) {
            counts = counts.with(one.getKey(), one.getValue());
        }
        var step = to(s.counting(now, counts)).wake(Alarm.TICK, tick);
        return overdue.isEmpty() ? step : step.then(after -> propose(after, overdue));
    }

    private long ticksOf(Duration lease) {
        return Math.ceilDiv(lease.toNanos(), tick.toNanos());
    }

    /** Time is looked at only as long as somebody's lease runs. */
    private Step<State, Talk> counting(State before, Step<State, Talk> step) {
        boolean counts = step.state().isCounting();
        return counts == before.isCounting() ? step : counts ? step.wake(Alarm.TICK, tick) : step.calm(Alarm.TICK);
    }

    /** All leases begin with the next tick. */
    private static State anew(State s) {
        return s.counting(s.ticks, Tree.empty());
    }

    /** What was skipped is not told by anybody else: who is attached hears how it stands with all that is its own. */
    private Step<State, Talk> install(State s, Table table) {
        var effects = new ArrayList<Effect<Talk>>();
        var next = s.at(table);
        for (long session : table.sessions().keys()) {
            var guest = table.sessions().get(session).orElseThrow();
            if (s.opening.contains(guest.nonce())) {
                next = tell(next, new News.Opened(guest.nonce(), session), effects);
            }
            next = letIn(next, session);
            if (next.clients.contains(session)) {
                for (long number : guest.bids().keys()) {
                    var answer = guest.answerTo(number).orElseThrow();
                    next = tell(next, new News.Answered(session, number, answer), effects);
                }
            }
        }
        for (long session : next.clients.keys()) {
            next = table.sessions().contains(session) ? next : tell(next, new News.Gone(session), effects);
        }
        for (long session : next.knocks.keys()) {
            next = session > table.index() ? next : tell(next, new News.Gone(session), effects);
        }
        return new Step<>(anew(next), List.copyOf(effects));
    }

    private Step<State, Talk> apply(State s, Entry entry) {
        var applied = s.table.apply(entry);
        var effects = new ArrayList<Effect<Talk>>();
        var next = s.at(applied.table());
        for (var news : applied.news()) {
            next = tell(next, news, effects);
        }
        return new Step<>(next, List.copyOf(effects));
    }

    private static State tell(State s, News news, List<Effect<Talk>> effects) {
        return switch (news) {
            case News.Opened(var nonce, var session) -> {
                var client = s.opening.get(nonce);
                client.ifPresent(known -> effects.add(new Effect.Send<>(known, new Talk.Opened(nonce, session))));
                var spoken = client.map(known -> s.clients.with(session, known)).orElse(s.clients);
                yield s.opening(s.opening.without(nonce)).spokenForBy(spoken);
            }
            case News.Heard(var session, var number) -> {
                var let = letIn(s, session);
                tellTaken(let, session, effects);
                send(let, session, new Talk.Renewed(session, number), effects);
                yield let;
            }
            case News.Answered(var session, var number, var answer) -> {
                send(s, session, new Talk.Answered(session, number, answer), effects);
                yield s;
            }
            case News.Gone(var session) -> {
                send(s, session, new Talk.Gone(session), effects);
                s.knocks
                        .get(session)
                        .ifPresent(knock -> effects.add(new Effect.Send<>(knock.client, new Talk.Gone(session))));
                yield s.spokenForBy(s.clients.without(session))
                        .knocking(s.knocks.without(session))
                        .renewing(s.renewals.without(session))
                        .counting(s.ticks, s.counts.without(session));
            }
            case News.Changed(var name) -> {
                s.watching.forEach(client -> effects.add(new Effect.Send<>(client, new Talk.Changed(name))));
                yield s;
            }
        };
    }

    /**
     * What operators have taken from it, until it gives that back: when they did, the client may have been with another
     * node, or with none.
     */
    private static void tellTaken(State s, long session, List<Effect<Talk>> effects) {
        s.table
                .sessions()
                .get(session)
                .ifPresent(guest -> guest.taken()
                        .forEach((number, answer) ->
                                send(s, session, new Talk.Answered(session, number, answer), effects)));
    }

    /** Who knocked before its session was known here. */
    private static State letIn(State s, long session) {
        var knock = s.knocks.get(session);
        if (knock.isEmpty()) {
            return s;
        }
        long nonce = knock.get().nonce;
        boolean right = s.table
                .sessions()
                .get(session)
                .filter(guest -> guest.nonce() == nonce)
                .isPresent();
        return s.knocking(s.knocks.without(session))
                .spokenForBy(right ? s.clients.with(session, knock.get().client) : s.clients);
    }

    private static void send(State s, long session, Talk reply, List<Effect<Talk>> effects) {
        s.clients.get(session).ifPresent(client -> effects.add(new Effect.Send<>(client, reply)));
    }
}
