package habemus.lockservice.protocol;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.protocol.LockServer.State;
import habemus.lockservice.protocol.LockServer.Timer;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.Notification;
import habemus.lockservice.table.PersistentSortedMap;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
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
 * @param tickInterval how often time is looked at
 * @param renewalFlushInterval how long renewals are gathered
 */
public record LockServer(Duration tickInterval, Duration renewalFlushInterval) implements Timed<State, Message, Timer> {

    /** Where the log is, for every node of the service. */
    public static final NodeId LOG = new NodeId(1);

    /** How many ticks it waits for what it proposed, before it does so again: it may have been lost. */
    private static final int REPROPOSE_AFTER_TICKS = 4;

    public enum Timer {
        TICK,
        FLUSH_RENEWALS
    }

    /** A client that wants to speak for a session of which this node has not heard yet. */
    public record PendingAttach(NodeId client, long nonce) {}

    /**
     * A lease that runs.
     *
     * @param lastRenewedAt the command by which the session was last heard of
     * @param dueTick the tick at which its end is proposed
     */
    public record LeaseCountdown(long lastRenewedAt, long dueTick) {}

    /**
     * @param isLeader whether it believes so
     * @param ticks that it has counted
     * @param countdowns by session
     * @param pendingOpens clients whose session is on its way, by nonce
     * @param clients who speaks for a session here
     * @param pendingAttaches by session
     * @param pendingRenewals that wait for the next beat: the latest of each session
     * @param watchers clients who want to be told of changes
     */
    public record State(
            LockTable lockTable,
            boolean isLeader,
            long ticks,
            PersistentSortedMap<Long, LeaseCountdown> countdowns,
            PersistentSortedMap<Long, NodeId> pendingOpens,
            PersistentSortedMap<Long, NodeId> clients,
            PersistentSortedMap<Long, PendingAttach> pendingAttaches,
            PersistentSortedMap<Long, Long> pendingRenewals,
            NodeSet watchers) {

        State withTable(LockTable next) {
            return new State(
                    next,
                    isLeader,
                    ticks,
                    countdowns,
                    pendingOpens,
                    clients,
                    pendingAttaches,
                    pendingRenewals,
                    watchers);
        }

        State withLeader(boolean next) {
            return new State(
                    lockTable,
                    next,
                    ticks,
                    countdowns,
                    pendingOpens,
                    clients,
                    pendingAttaches,
                    pendingRenewals,
                    watchers);
        }

        State withCountdowns(long next, PersistentSortedMap<Long, LeaseCountdown> running) {
            return new State(
                    lockTable,
                    isLeader,
                    next,
                    running,
                    pendingOpens,
                    clients,
                    pendingAttaches,
                    pendingRenewals,
                    watchers);
        }

        State withPendingOpens(PersistentSortedMap<Long, NodeId> next) {
            return new State(
                    lockTable, isLeader, ticks, countdowns, next, clients, pendingAttaches, pendingRenewals, watchers);
        }

        State withClients(PersistentSortedMap<Long, NodeId> next) {
            return new State(
                    lockTable,
                    isLeader,
                    ticks,
                    countdowns,
                    pendingOpens,
                    next,
                    pendingAttaches,
                    pendingRenewals,
                    watchers);
        }

        State withPendingAttaches(PersistentSortedMap<Long, PendingAttach> next) {
            return new State(
                    lockTable, isLeader, ticks, countdowns, pendingOpens, clients, next, pendingRenewals, watchers);
        }

        State withPendingRenewals(PersistentSortedMap<Long, Long> next) {
            return new State(
                    lockTable, isLeader, ticks, countdowns, pendingOpens, clients, pendingAttaches, next, watchers);
        }

        State withWatchers(NodeSet next) {
            return new State(
                    lockTable,
                    isLeader,
                    ticks,
                    countdowns,
                    pendingOpens,
                    clients,
                    pendingAttaches,
                    pendingRenewals,
                    next);
        }

        /** Whether somebody's lease runs here. */
        private boolean countsLeases() {
            return isLeader && !lockTable.sessions().isEmpty();
        }

        private boolean isAttached(long session, NodeId client) {
            return clients.get(session).equals(Optional.of(client));
        }
    }

    /** It lags behind, until the log says more. */
    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(
                LockTable.EMPTY,
                false,
                0,
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty(),
                NodeSet.NONE));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.OpenSession(var nonce, var clientInfo, var lease) ->
                propose(
                        s.withPendingOpens(s.pendingOpens.with(nonce, from)),
                        List.of(new Command.OpenSession(nonce, clientInfo, lease)));
            case Message.Attach(var session, var nonce) -> attach(s, from, session, nonce);
            case Message.Renew(var session, var number) when s.isAttached(session, from) -> renew(s, session, number);
            case Message.Submit submit when s.isAttached(submit.session(), from) -> submit(s, from, submit);
            case Message.Renew unattached -> to(s);
            case Message.Submit unattached -> to(s);
            case Message.Watch() -> to(s.withWatchers(s.watchers.with(from)));
            case Message.Committed(var commandBatch) -> withTickTimer(s, apply(s, commandBatch));
            case Message.LeadershipChanged(var leads) ->
                withTickTimer(s, to(leads && !s.isLeader ? restartLeases(s.withLeader(true)) : s.withLeader(leads)));
            case Message.SnapshotInstalled(var lockTable) -> withTickTimer(s, install(s, lockTable));
            case Message.Propose foreign -> throw new ProtocolBug(foreign.toString(), s);
            case Message.ServerReply foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    /** The connections to these clients broke: they will attach again, here or elsewhere. */
    public Step<State, Message> onDisconnected(State s, NodeSet gone) {
        return to(s.withPendingOpens(without(s.pendingOpens, gone, client -> client))
                .withClients(without(s.clients, gone, client -> client))
                .withPendingAttaches(without(s.pendingAttaches, gone, PendingAttach::client))
                .withWatchers(s.watchers.without(gone)));
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return switch (timer) {
            case TICK -> tick(s);
            case FLUSH_RENEWALS -> propose(s, List.of());
        };
    }

    private static <V> PersistentSortedMap<Long, V> without(
            PersistentSortedMap<Long, V> all, NodeSet gone, Function<V, NodeId> client) {
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
    private Step<State, Message> propose(State s, List<Command> commands) {
        var all = new ArrayList<>(commands);
        if (!s.pendingRenewals.isEmpty()) {
            var renewals = new ArrayList<Command.Renewal>();
            s.pendingRenewals.forEach((session, number) -> renewals.add(new Command.Renewal(session, number)));
            all.add(new Command.RenewSessions(List.copyOf(renewals)));
        }
        return all.isEmpty()
                ? to(s)
                : to(s.withPendingRenewals(PersistentSortedMap.empty()))
                        .send(LOG, new Message.Propose(List.copyOf(all)));
    }

    /** Who is not in the table although its beginning is, is over; else it is yet to come, and the log brings it. */
    private Step<State, Message> attach(State s, NodeId client, long session, long nonce) {
        var sessionEntry = s.lockTable.sessions().get(session);
        if (sessionEntry.isPresent() && sessionEntry.get().nonce() == nonce) {
            var effects = new ArrayList<Effect<Message>>();
            var attached = s.withClients(s.clients.with(session, client));
            sendRevocations(attached, session, effects);
            return new Step<>(attached, List.copyOf(effects));
        }
        if (sessionEntry.isPresent() || session <= s.lockTable.index()) {
            return to(s).send(client, new Message.SessionExpired(session));
        }
        var knocking = s.withPendingAttaches(s.pendingAttaches.with(session, new PendingAttach(client, nonce)));
        return propose(knocking, List.of(new Command.RenewSessions(List.of(new Command.Renewal(session, 0)))));
    }

    private Step<State, Message> renew(State s, long session, long number) {
        long latest = Math.max(number, s.pendingRenewals.get(session).orElse(number));
        var gathered = to(s.withPendingRenewals(s.pendingRenewals.with(session, latest)));
        return s.pendingRenewals.isEmpty() ? gathered.setTimer(Timer.FLUSH_RENEWALS, renewalFlushInterval) : gathered;
    }

    /** What was answered before is not put into the log again. */
    private Step<State, Message> submit(State s, NodeId client, Message.Submit submit) {
        var known = s.lockTable
                .sessions()
                .get(submit.session())
                .flatMap(sessionEntry -> sessionEntry.resultOf(submit.number()));
        return known.isPresent()
                ? to(s).send(client, new Message.Result(submit.session(), submit.number(), known.get()))
                : propose(
                        s,
                        List.of(new Command.Submit(
                                submit.session(), submit.number(), submit.acknowledgedUpTo(), submit.operation())));
    }

    /** What was heard of since the last tick counts from this one: a part of a tick is no tick. */
    private Step<State, Message> tick(State s) {
        long now = s.ticks + 1;
        var overdue = new ArrayList<Command>();
        var changed = new TreeMap<Long, LeaseCountdown>();
        s.lockTable.sessions().forEach((session, sessionEntry) -> {
            long heard = sessionEntry.lastRenewedAt();
            var leaseCountdown = s.countdowns.get(session).filter(one -> one.lastRenewedAt == heard);
            if (leaseCountdown.isEmpty()) {
                changed.put(session, new LeaseCountdown(heard, now + ticksOf(sessionEntry.lease())));
            } else if (leaseCountdown.get().dueTick <= now) {
                changed.put(session, new LeaseCountdown(heard, now + REPROPOSE_AFTER_TICKS));
                overdue.add(new Command.ExpireSession(session, heard));
            }
        });
        var counts = s.countdowns;
        for (var one : changed.sequencedEntrySet()) {
            counts = counts.with(one.getKey(), one.getValue());
        }
        var step = to(s.withCountdowns(now, counts)).setTimer(Timer.TICK, tickInterval);
        return overdue.isEmpty() ? step : step.then(after -> propose(after, overdue));
    }

    private long ticksOf(Duration lease) {
        return Math.ceilDiv(lease.toNanos(), tickInterval.toNanos());
    }

    /** Time is looked at only as long as somebody's lease runs. */
    private Step<State, Message> withTickTimer(State before, Step<State, Message> step) {
        boolean counts = step.state().countsLeases();
        return counts == before.countsLeases()
                ? step
                : counts ? step.setTimer(Timer.TICK, tickInterval) : step.cancelTimer(Timer.TICK);
    }

    /** All leases begin with the next tick. */
    private static State restartLeases(State s) {
        return s.withCountdowns(s.ticks, PersistentSortedMap.empty());
    }

    /** What was skipped is not told by anybody else: who is attached hears how it stands with all that is its own. */
    private Step<State, Message> install(State s, LockTable lockTable) {
        var effects = new ArrayList<Effect<Message>>();
        var next = s.withTable(lockTable);
        for (long session : lockTable.sessions().keys()) {
            var sessionEntry = lockTable.sessions().get(session).orElseThrow();
            if (s.pendingOpens.contains(sessionEntry.nonce())) {
                next = publish(next, new Notification.SessionOpened(sessionEntry.nonce(), session), effects);
            }
            next = completeAttach(next, session);
            if (next.clients.contains(session)) {
                for (long number : sessionEntry.acquires().keys()) {
                    var operationResult = sessionEntry.resultOf(number).orElseThrow();
                    next = publish(next, new Notification.Result(session, number, operationResult), effects);
                }
            }
        }
        for (long session : next.clients.keys()) {
            next = lockTable.sessions().contains(session)
                    ? next
                    : publish(next, new Notification.SessionExpired(session), effects);
        }
        for (long session : next.pendingAttaches.keys()) {
            next = session > lockTable.index()
                    ? next
                    : publish(next, new Notification.SessionExpired(session), effects);
        }
        return new Step<>(restartLeases(next), List.copyOf(effects));
    }

    private Step<State, Message> apply(State s, CommandBatch commandBatch) {
        var applyResult = s.lockTable.apply(commandBatch);
        var effects = new ArrayList<Effect<Message>>();
        var next = s.withTable(applyResult.lockTable());
        for (var notification : applyResult.notifications()) {
            next = publish(next, notification, effects);
        }
        return new Step<>(next, List.copyOf(effects));
    }

    private static State publish(State s, Notification notification, List<Effect<Message>> effects) {
        return switch (notification) {
            case Notification.SessionOpened(var nonce, var session) -> {
                var client = s.pendingOpens.get(nonce);
                client.ifPresent(
                        known -> effects.add(new Effect.Send<>(known, new Message.SessionOpened(nonce, session))));
                var spoken = client.map(known -> s.clients.with(session, known)).orElse(s.clients);
                yield s.withPendingOpens(s.pendingOpens.without(nonce)).withClients(spoken);
            }
            case Notification.SessionRenewed(var session, var number) -> {
                var let = completeAttach(s, session);
                sendRevocations(let, session, effects);
                send(let, session, new Message.Renewed(session, number), effects);
                yield let;
            }
            case Notification.Result(var session, var number, var operationResult) -> {
                send(s, session, new Message.Result(session, number, operationResult), effects);
                yield s;
            }
            case Notification.SessionExpired(var session) -> {
                send(s, session, new Message.SessionExpired(session), effects);
                s.pendingAttaches
                        .get(session)
                        .ifPresent(pendingAttach -> effects.add(
                                new Effect.Send<>(pendingAttach.client, new Message.SessionExpired(session))));
                yield s.withClients(s.clients.without(session))
                        .withPendingAttaches(s.pendingAttaches.without(session))
                        .withPendingRenewals(s.pendingRenewals.without(session))
                        .withCountdowns(s.ticks, s.countdowns.without(session));
            }
            case Notification.ResourceChanged(var resourceName) -> {
                s.watchers.forEach(
                        client -> effects.add(new Effect.Send<>(client, new Message.ResourceChanged(resourceName))));
                yield s;
            }
        };
    }

    /**
     * What operators have taken from it, until it gives that back: when they did, the client may have been with another
     * node, or with none.
     */
    private static void sendRevocations(State s, long session, List<Effect<Message>> effects) {
        s.lockTable
                .sessions()
                .get(session)
                .ifPresent(sessionEntry -> sessionEntry
                        .revoked()
                        .forEach((number, operationResult) ->
                                send(s, session, new Message.Result(session, number, operationResult), effects)));
    }

    /** Who knocked before its session was known here. */
    private static State completeAttach(State s, long session) {
        var pendingAttach = s.pendingAttaches.get(session);
        if (pendingAttach.isEmpty()) {
            return s;
        }
        long nonce = pendingAttach.get().nonce;
        boolean right = s.lockTable
                .sessions()
                .get(session)
                .filter(sessionEntry -> sessionEntry.nonce() == nonce)
                .isPresent();
        return s.withPendingAttaches(s.pendingAttaches.without(session))
                .withClients(right ? s.clients.with(session, pendingAttach.get().client) : s.clients);
    }

    private static void send(State s, long session, Message reply, List<Effect<Message>> effects) {
        s.clients.get(session).ifPresent(client -> effects.add(new Effect.Send<>(client, reply)));
    }
}
