package habemus.lockservice.protocol;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.Quotas;
import habemus.lockservice.protocol.LockServer.State;
import habemus.lockservice.protocol.LockServer.Timer;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.Notification;
import habemus.lockservice.table.PersistentSortedMap;
import habemus.lockservice.table.SessionEntry;
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
import java.util.function.Predicate;

/**
 * The state machine of one node of the lock service. It proposes clients' requests to the log, replies with the
 * results of committed commands, and expires sessions that do not renew.
 *
 * <p>The lock server never waits for the log. A proposal may be lost; then the client submits again. The table contains
 * committed commands only. So a server that lags behind, or wrongly believes to be the leader, knows less than others,
 * but nothing false.
 *
 * <p>The server collects renewals and proposes them in one command; it acknowledges each when that command is applied.
 * With every tick the leader compares the last renewal of each session with the one it saw before, and counts the ticks
 * since. After a whole lease it proposes to expire the session as of that renewal. The table expires the session only
 * if no later renewal is in the log. So a session with an acknowledged later renewal stays, whichever node leads.
 *
 * @param tickInterval how often the leader checks leases
 * @param renewalFlushInterval how long renewals are collected
 * @param quotas which the table gets when this server leads
 */
public record LockServer(Duration tickInterval, Duration renewalFlushInterval, Quotas quotas)
        implements Timed<State, Message, Timer> {

    /** The node id of the replicated log, for every lock server. */
    public static final NodeId LOG = new NodeId(1);

    /** Ticks after which the leader proposes an expiry again, because the proposal may have been lost. */
    private static final int REPROPOSE_AFTER_TICKS = 4;

    public enum Timer {
        TICK,
        FLUSH_RENEWALS
    }

    /** A client that attaches to a session that is not in the table of this server yet. */
    public record PendingAttach(NodeId client, long nonce) {
        /** Does not show the nonce. */
        @Override
        public String toString() {
            return "PendingAttach(" + client + ")";
        }
    }

    /**
     * A running lease.
     *
     * @param lastRenewedAt index of the last renewal
     * @param dueTick the tick at which the leader proposes to expire the session
     */
    public record LeaseCountdown(long lastRenewedAt, long dueTick) {}

    /**
     * The leases that a leader counts.
     *
     * @param isLeader whether this server believes to be the leader
     * @param ticks number of ticks so far
     * @param countdowns by session
     */
    public record Leases(boolean isLeader, long ticks, PersistentSortedMap<Long, LeaseCountdown> countdowns) {

        private static final Leases NONE = new Leases(false, 0, PersistentSortedMap.empty());

        /** A new leader starts all countdowns with its next tick. */
        private Leases withLeader(boolean leader) {
            return new Leases(leader, ticks, leader && !isLeader ? PersistentSortedMap.empty() : countdowns);
        }

        private Leases restarted() {
            return new Leases(isLeader, ticks, PersistentSortedMap.empty());
        }

        private Leases without(long session) {
            return new Leases(isLeader, ticks, countdowns.without(session));
        }
    }

    /**
     * The clients that are connected to this server.
     *
     * @param opening clients that wait for their session to open, by nonce
     * @param attaching clients that wait for their session to appear in the table, by session
     * @param attached clients by session
     * @param watchers clients that are notified of every change
     */
    public record Connections(
            PersistentSortedMap<Long, NodeId> opening,
            PersistentSortedMap<Long, PendingAttach> attaching,
            PersistentSortedMap<Long, NodeId> attached,
            NodeSet watchers) {

        private static final Connections NONE = new Connections(
                PersistentSortedMap.empty(), PersistentSortedMap.empty(), PersistentSortedMap.empty(), NodeSet.NONE);

        /** Does not show the nonces. */
        @Override
        public String toString() {
            return "Connections[opening=" + opening.size() + ", attaching=" + attaching + ", attached=" + attached
                    + ", watchers=" + watchers + "]";
        }

        private Connections withOpening(PersistentSortedMap<Long, NodeId> next) {
            return new Connections(next, attaching, attached, watchers);
        }

        private Connections withAttaching(PersistentSortedMap<Long, PendingAttach> next) {
            return new Connections(opening, next, attached, watchers);
        }

        private Connections withAttached(long session, NodeId client) {
            return new Connections(opening, attaching, attached.with(session, client), watchers);
        }

        private Connections withWatchers(NodeSet next) {
            return new Connections(opening, attaching, attached, next);
        }

        private Connections withoutSession(long session) {
            return new Connections(opening, attaching.without(session), attached.without(session), watchers);
        }

        private Connections withoutClients(NodeSet clients) {
            return new Connections(
                    filter(opening, client -> !clients.contains(client)),
                    filter(attaching, pending -> !clients.contains(pending.client)),
                    filter(attached, client -> !clients.contains(client)),
                    watchers.without(clients));
        }

        private static <V> PersistentSortedMap<Long, V> filter(PersistentSortedMap<Long, V> map, Predicate<V> keep) {
            var filtered = map;
            for (long key : map.keys()) {
                filtered = keep.test(map.get(key).orElseThrow()) ? filtered : filtered.without(key);
            }
            return filtered;
        }
    }

    /** @param renewals not proposed yet: the latest number of each session */
    public record State(
            LockTable table, Leases leases, Connections connections, PersistentSortedMap<Long, Long> renewals) {

        public boolean isLeader() {
            return leases.isLeader;
        }

        private State withTable(LockTable next) {
            return new State(next, leases, connections, renewals);
        }

        private State withLeases(Leases next) {
            return new State(table, next, connections, renewals);
        }

        private State withConnections(Connections next) {
            return new State(table, leases, next, renewals);
        }

        private State withRenewals(PersistentSortedMap<Long, Long> next) {
            return new State(table, leases, connections, next);
        }

        private boolean countsLeases() {
            return leases.isLeader && !table.sessions().isEmpty();
        }

        private boolean isAttached(long session, NodeId client) {
            return connections.attached.get(session).equals(Optional.of(client));
        }

        private Optional<SessionEntry> session(long id) {
            return table.sessions().get(id);
        }
    }

    /** A new server has an empty table until the log delivers entries or a snapshot. */
    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(LockTable.EMPTY, Leases.NONE, Connections.NONE, PersistentSortedMap.empty()));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.OpenSession open -> openSession(s, from, open);
            case Message.Attach(var session, var nonce) -> attach(s, from, session, nonce);
            case Message.Renew(var session, var number) when s.isAttached(session, from) -> renew(s, session, number);
            case Message.Submit submit when s.isAttached(submit.session(), from) -> submit(s, from, submit);
            case Message.Renew unattached -> to(s);
            case Message.Submit unattached -> to(s);
            case Message.Watch() ->
                to(s.withConnections(s.connections.withWatchers(s.connections.watchers.with(from))));
            case Message.Committed(var batch) -> withTickTimer(s, apply(s, batch));
            case Message.LeadershipChanged(var isLeader) ->
                withTickTimer(s, to(s.withLeases(s.leases.withLeader(isLeader))).then(this::proposeQuotas));
            case Message.SnapshotInstalled(var table) -> withTickTimer(s, install(s, table));
            case Message.Propose unexpected -> throw new ProtocolBug(unexpected.toString(), s);
            case Message.ServerReply unexpected -> throw new ProtocolBug(unexpected.toString(), s);
        };
    }

    /** Forgets the connections of these clients. The clients attach again, here or at another node. */
    public Step<State, Message> onDisconnected(State s, NodeSet clients) {
        return to(s.withConnections(s.connections.withoutClients(clients)));
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return switch (timer) {
            case TICK -> tick(s);
            case FLUSH_RENEWALS -> propose(s, List.of());
        };
    }

    /** Proposes the commands together with all collected renewals. */
    private Step<State, Message> propose(State s, List<Command> commands) {
        var all = new ArrayList<>(commands);
        if (!s.renewals.isEmpty()) {
            all.add(new Command.RenewSessions(s.renewals.map(Command.Renewal::new)));
        }
        return all.isEmpty()
                ? to(s)
                : to(s.withRenewals(PersistentSortedMap.empty())).send(LOG, new Message.Propose(List.copyOf(all)));
    }

    /** The proposal may be lost. So the leader makes it with every tick until the table has its quotas. */
    private Step<State, Message> proposeQuotas(State s) {
        return s.leases.isLeader && !quotas.equals(s.table.quotas())
                ? propose(s, List.of(new Command.SetQuotas(quotas)))
                : to(s);
    }

    private Step<State, Message> openSession(State s, NodeId client, Message.OpenSession open) {
        var opening = s.connections.opening.with(open.nonce(), client);
        return propose(
                s.withConnections(s.connections.withOpening(opening)),
                List.of(new Command.OpenSession(open.nonce(), open.client(), open.lease(), open.origin())));
    }

    /**
     * Attaches a client to its session. If the table is beyond the opening of the session and does not contain it, the
     * session has expired. If the table is not that far yet, the client waits until the log delivers the session.
     */
    private Step<State, Message> attach(State s, NodeId client, long id, long nonce) {
        var session = s.session(id);
        if (session.isPresent() && session.get().nonce() == nonce) {
            var effects = new ArrayList<Effect<Message>>();
            var attached = s.withConnections(s.connections.withAttached(id, client));
            sendRevocations(attached, id, effects);
            return new Step<>(attached, List.copyOf(effects));
        }
        if (session.isPresent() || id <= s.table.index()) {
            return to(s).send(client, new Message.SessionExpired(id));
        }
        var attaching = s.connections.attaching.with(id, new PendingAttach(client, nonce));
        return propose(
                s.withConnections(s.connections.withAttaching(attaching)),
                List.of(new Command.RenewSessions(List.of(new Command.Renewal(id, 0)))));
    }

    private Step<State, Message> renew(State s, long session, long number) {
        long latest = Math.max(number, s.renewals.get(session).orElse(number));
        var collected = to(s.withRenewals(s.renewals.with(session, latest)));
        return s.renewals.isEmpty() ? collected.setTimer(Timer.FLUSH_RENEWALS, renewalFlushInterval) : collected;
    }

    /** Replies from the table if the result is known; else proposes the request. */
    private Step<State, Message> submit(State s, NodeId client, Message.Submit submit) {
        long id = submit.session();
        long number = submit.number();
        var known = s.session(id).flatMap(session -> session.resultOf(number));
        if (known.isPresent()) {
            return to(s).send(client, new Message.Result(id, number, known.get()));
        }
        return propose(s, List.of(new Command.Submit(id, number, submit.acknowledgedUpTo(), submit.operation())));
    }

    /** Countdowns of sessions renewed since the last tick start with this one: only whole ticks count. */
    private Step<State, Message> tick(State s) {
        long now = s.leases.ticks + 1;
        var expired = new ArrayList<Command>();
        var changed = new TreeMap<Long, LeaseCountdown>();
        s.table.sessions().forEach((id, session) -> {
            long renewedAt = session.lastRenewedAt();
            var countdown = s.leases.countdowns.get(id).filter(running -> running.lastRenewedAt == renewedAt);
            if (countdown.isEmpty()) {
                changed.put(id, new LeaseCountdown(renewedAt, now + ticksOf(session.lease())));
            } else if (countdown.get().dueTick <= now) {
                changed.put(id, new LeaseCountdown(renewedAt, now + REPROPOSE_AFTER_TICKS));
                expired.add(new Command.ExpireSession(id, renewedAt));
            }
        });
        var countdowns = s.leases.countdowns;
        for (var countdown : changed.sequencedEntrySet()) {
            countdowns = countdowns.with(countdown.getKey(), countdown.getValue());
        }
        var step =
                to(s.withLeases(new Leases(s.leases.isLeader, now, countdowns))).setTimer(Timer.TICK, tickInterval);
        var checked = step.then(this::proposeQuotas);
        return expired.isEmpty() ? checked : checked.then(after -> propose(after, expired));
    }

    private long ticksOf(Duration lease) {
        return Math.ceilDiv(lease.toNanos(), tickInterval.toNanos());
    }

    /** Keeps the tick timer set as long as this server counts leases. */
    private Step<State, Message> withTickTimer(State before, Step<State, Message> step) {
        boolean counts = step.state().countsLeases();
        return counts == before.countsLeases()
                ? step
                : counts ? step.setTimer(Timer.TICK, tickInterval) : step.cancelTimer(Timer.TICK);
    }

    /** After a snapshot there are no notifications for the skipped entries, so clients get the current results. */
    private Step<State, Message> install(State s, LockTable table) {
        var effects = new ArrayList<Effect<Message>>();
        var next = s.withTable(table);
        for (long id : table.sessions().keys()) {
            var session = table.sessions().get(id).orElseThrow();
            if (s.connections.opening.contains(session.nonce())) {
                next = publish(next, new Notification.SessionOpened(session.nonce(), id), effects);
            }
            next = completeAttach(next, id);
            if (next.connections.attached.contains(id)) {
                for (long number : session.acquires().keys()) {
                    var result = session.resultOf(number).orElseThrow();
                    next = publish(next, new Notification.Result(id, number, result), effects);
                }
            }
        }
        for (long id : next.connections.attached.keys()) {
            next = table.sessions().contains(id) ? next : publish(next, new Notification.SessionExpired(id), effects);
        }
        for (long id : next.connections.attaching.keys()) {
            next = id > table.index() ? next : publish(next, new Notification.SessionExpired(id), effects);
        }
        return new Step<>(next.withLeases(next.leases.restarted()), List.copyOf(effects));
    }

    private Step<State, Message> apply(State s, CommandBatch batch) {
        var applied = s.table.apply(batch);
        var effects = new ArrayList<Effect<Message>>();
        var next = s.withTable(applied.table());
        for (var notification : applied.notifications()) {
            next = publish(next, notification, effects);
        }
        return new Step<>(next, List.copyOf(effects));
    }

    /** Sends a notification to the clients that it concerns, if they are connected here. */
    private static State publish(State s, Notification notification, List<Effect<Message>> effects) {
        return switch (notification) {
            case Notification.SessionOpened(var nonce, var session) -> {
                var client = s.connections.opening.get(nonce);
                client.ifPresent(
                        known -> effects.add(new Effect.Send<>(known, new Message.SessionOpened(nonce, session))));
                var opened = s.connections.withOpening(s.connections.opening.without(nonce));
                boolean isOpen = s.table.sessions().contains(session); // else it is of a ticket that has ended
                yield s.withConnections(client.filter(known -> isOpen)
                        .map(known -> opened.withAttached(session, known))
                        .orElse(opened));
            }
            case Notification.SessionRefused(var nonce, var reason) -> refuse(s, nonce, reason, effects);
            case Notification.SessionRenewed(var session, var number) -> {
                var attached = completeAttach(s, session);
                sendRevocations(attached, session, effects);
                send(attached, session, new Message.Renewed(session, number), effects);
                yield attached;
            }
            case Notification.Result(var session, var number, var result) -> {
                send(s, session, new Message.Result(session, number, result), effects);
                yield s;
            }
            case Notification.SessionExpired(var session) -> {
                var expired = new Message.SessionExpired(session);
                send(s, session, expired, effects);
                var attaching = s.connections.attaching.get(session);
                attaching.ifPresent(pending -> effects.add(new Effect.Send<>(pending.client, expired)));
                yield s.withConnections(s.connections.withoutSession(session))
                        .withRenewals(s.renewals.without(session))
                        .withLeases(s.leases.without(session));
            }
            case Notification.ResourceChanged(var name) -> {
                s.connections.watchers.forEach(
                        client -> effects.add(new Effect.Send<>(client, new Message.ResourceChanged(name))));
                yield s;
            }
        };
    }

    private static State refuse(State s, long nonce, RejectionReason reason, List<Effect<Message>> effects) {
        s.connections
                .opening
                .get(nonce)
                .ifPresent(client -> effects.add(new Effect.Send<>(client, new Message.SessionRefused(nonce, reason))));
        return s.withConnections(s.connections.withOpening(s.connections.opening.without(nonce)));
    }

    /** Repeats revocations until the client releases the holds. It may have been disconnected when they happened. */
    private static void sendRevocations(State s, long session, List<Effect<Message>> effects) {
        s.session(session)
                .ifPresent(entry -> entry.revoked()
                        .forEach((number, result) ->
                                send(s, session, new Message.Result(session, number, result), effects)));
    }

    /** Attaches a client that came before its session was in the table, if its nonce is right. */
    private static State completeAttach(State s, long session) {
        var pending = s.connections.attaching.get(session);
        if (pending.isEmpty()) {
            return s;
        }
        long nonce = pending.get().nonce;
        var next = s.connections.withAttaching(s.connections.attaching.without(session));
        boolean isNonceRight =
                s.session(session).filter(entry -> entry.nonce() == nonce).isPresent();
        return s.withConnections(isNonceRight ? next.withAttached(session, pending.get().client) : next);
    }

    private static void send(State s, long session, Message reply, List<Effect<Message>> effects) {
        var client = s.connections.attached.get(session);
        client.ifPresent(known -> effects.add(new Effect.Send<>(known, reply)));
    }
}
