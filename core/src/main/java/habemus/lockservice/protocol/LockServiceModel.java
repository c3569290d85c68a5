package habemus.lockservice.protocol;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.Quotas;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.LockServiceModel.Memory;
import habemus.lockservice.protocol.LockServiceModel.ModelMessage;
import habemus.lockservice.protocol.LockServiceModel.State;
import habemus.lockservice.protocol.LockServiceModel.Timer;
import habemus.lockservice.table.LockTable;
import habemus.protocol.ClientServer;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Envelope;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The production lock service as one protocol, for the simulator and the checker. Node n1 is the replicated log. The
 * next nodes are lock servers, each with its copy of the table. The others are clients, each with a session.
 *
 * <pre>
 *   ·       ── start ────────────────────▶ Log, Server, Idle
 *   ·       ── restart ──────────────────▶ Server, Idle
 *   Idle    ── acquire ──────────────────▶ Waiting
 *   Waiting ── Result ───────────────────▶ Holding
 *   Holding ── release ──────────────────▶ Idle
 *   Holding ── DEADLINE, OTHER_DEADLINE ─▶ Idle     not renewed in time
 *   Holding ── Result ───────────────────▶ Idle     revoked by an operator
 * </pre>
 *
 * <p>The modelled log guarantees no more than a real one. It orders proposals, loses the next proposal after a leader
 * change, and announces the leader, which an old leader may learn late. Like a majority of disks it never forgets.
 *
 * <p>Costs 6 messages an entry and 2 for every lock server, besides sessions and renewals. Survives message loss,
 * duplication, delay and partitions, crashes of clients, and crashes of lock servers as long as one is up. Two clients
 * hold the lock at once only if one is paused, and then its fence is older. Assumes clocks of about the same rate.
 *
 * @param servers number of lock servers
 * @param lease after which a client without renewals loses all it holds
 * @param leaderChangeInterval maximum time between two leader changes; zero for no changes
 * @param goal what every client acquires
 * @param revokeAfter time after which an operator revokes every hold; zero for never
 * @see <a href="https://doi.org/10.1145/74850.74870">Gray and Cheriton, SOSP 1989 (leases)</a>
 */
public record LockServiceModel(
        int servers, Duration lease, Duration leaderChangeInterval, Goal goal, Duration revokeAfter)
        implements Mutex<State, ModelMessage>,
                Timed<State, ModelMessage, Timer>,
                Durable<State, ModelMessage, Memory>,
                ClientServer<State, ModelMessage> {

    public enum Goal {
        /** One lock, the same for all clients. */
        ONE_LOCK,
        /** Two locks at once, one of them the same for all clients. */
        TWO_LOCKS,
        /** Leadership of one election; some clients have a higher rank. */
        LEADERSHIP
    }

    @WireTags({
        ModelMessage.CatchUp.class,
        ModelMessage.InstallSnapshot.class,
        ModelMessage.CommittedEntry.class,
        ModelMessage.ServiceMessage.class
    })
    public sealed interface ModelMessage {
        /** A message between client and lock server, or between lock server and log. */
        record ServiceMessage(Message content) implements ModelMessage, Envelope {}

        /** From the log to all lock servers. */
        record CommittedEntry(long index, CommandBatch batch) implements ModelMessage {
            @Override
            public String toString() {
                return "CommittedEntry(" + index + " " + Message.describe(batch.commands()) + ")";
            }
        }

        /** To the log, from a lock server that missed an entry. */
        record CatchUp(long appliedIndex) implements ModelMessage {}

        /** From the log to a lock server that missed entries. */
        record InstallSnapshot(long index, LockTable table) implements ModelMessage {
            @Override
            public String toString() {
                return "InstallSnapshot(" + index + ")";
            }
        }
    }

    /** The log has the first two, the client the third. The others are those of lock server and client session. */
    public enum Timer {
        CHANGE_LEADER,
        ADMIN_ACTION,
        CLOSE_SESSION,
        TICK,
        FLUSH_RENEWALS,
        RENEW,
        RETRY,
        DEADLINE,
        OTHER_DEADLINE
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Log.class, Phase.Server.class, Phase.Waiting.class})
    public sealed interface Phase {
        /**
         * @param lastIndex number of entries
         * @param leaderChanges number of leader changes so far
         * @param dropsNextProposal whether the log loses the next proposal
         */
        record Log(long lastIndex, LockTable table, int leaderChanges, boolean dropsNextProposal) implements Phase {
            @Override
            public String toString() {
                return "Log(" + lastIndex + ")";
            }
        }

        /** @param appliedIndex number of applied entries */
        record Server(long appliedIndex, LockServer.State server) implements Phase {
            @Override
            public String toString() {
                return "Server(" + appliedIndex + ")";
            }
        }

        record Idle() implements Phase {}

        /** @param request number of the acquire */
        record Waiting(long request) implements Phase {}

        record Holding(long request) implements Phase {}
    }

    /** @param sessionsOpened number of sessions a client has opened; it makes the nonces unique */
    public record Memory(long sessionsOpened) {}

    /** @param session of a client; ended for log and lock servers */
    public record State(Neighbourhood neighbourhood, Phase phase, long sessionsOpened, ClientSession.State session) {
        private State in(Phase next) {
            return new State(neighbourhood, next, sessionsOpened, session);
        }

        private State withSession(ClientSession.State next) {
            return new State(neighbourhood, phase, sessionsOpened, next);
        }

        private State withNextSession() {
            return new State(neighbourhood, phase, sessionsOpened + 1, session);
        }
    }

    @Override
    public boolean isClient(NodeId node) {
        return node.number() > 1 + servers;
    }

    /** The log and one lock server never crash. */
    @Override
    public boolean neverCrashes(NodeId node) {
        return node.number() <= 2;
    }

    @Override
    public Step<State, ModelMessage> start(Neighbourhood neighbourhood) {
        return startNode(neighbourhood, new Memory(0), true);
    }

    @Override
    public Memory durableState(State s) {
        return new Memory(s.sessionsOpened);
    }

    @Override
    public Step<State, ModelMessage> restart(Neighbourhood neighbourhood, Memory memory) {
        return startNode(neighbourhood, memory, false);
    }

    private Step<State, ModelMessage> startNode(Neighbourhood neighbourhood, Memory memory, boolean isFirst) {
        int number = neighbourhood.self().number();
        var blank = new State(
                neighbourhood,
                new Phase.Idle(),
                memory.sessionsOpened,
                ClientSession.ended(serverNodes(neighbourhood)));
        if (number == 1) {
            return to(blank.in(new Phase.Log(0, LockTable.EMPTY, 0, false)));
        }
        if (number > 1 + servers) {
            return to(blank);
        }
        var started = serverStep(blank, 0, server().start(neighbourhood));
        return isFirst && number == 2
                ? started.then(s -> deliverFromLog(s, new Message.LeadershipChanged(true)))
                : started;
    }

    private LockServer server() {
        return new LockServer(lease.dividedBy(10), lease.dividedBy(40), Quotas.UNLIMITED);
    }

    private ClientSession sessionOf(State s) {
        int number = s.neighbourhood.self().number();
        return new ClientSession(
                new ClientInfo("n" + number, "model", s.sessionsOpened),
                lease,
                (number * 1_000L + s.sessionsOpened) * 1_000);
    }

    /** The lock servers, rotated so that clients start with different ones. */
    private List<NodeId> serverNodes(Neighbourhood neighbourhood) {
        var nodes = new ArrayList<NodeId>();
        for (int i = 2; i <= 1 + servers; i++) {
            nodes.add(new NodeId(i));
        }
        Collections.rotate(nodes, neighbourhood.self().number());
        return List.copyOf(nodes);
    }

    @Override
    public Step<State, ModelMessage> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        return submitAcquire(s).cancelTimer(Timer.CLOSE_SESSION);
    }

    @Override
    public Step<State, ModelMessage> release(State s) {
        if (!(s.phase instanceof Phase.Holding(var request))) {
            throw new ProtocolBug("release", s);
        }
        return clientStep(s.in(new Phase.Idle()), sessionOf(s).submit(s.session, new Operation.Release(request)))
                .setTimer(Timer.CLOSE_SESSION, lease);
    }

    @Override
    public Step<State, ModelMessage> receive(State s, NodeId from, ModelMessage message) {
        return switch (s.phase) {
            case Phase.Log log -> receiveAtLog(s, log, from, message);
            case Phase.Server server -> receiveAtServer(s, server, from, message);
            case Phase client
            when message instanceof ModelMessage.ServiceMessage(var content) ->
                clientStep(s, sessionOf(s).receive(s.session, from, content));
            case Phase client -> throw new ProtocolBug(message.toString(), s);
        };
    }

    @Override
    public Step<State, ModelMessage> timeout(State s, Timer timer) {
        return switch (timer) {
            case CHANGE_LEADER -> changeLeader(s, (Phase.Log) s.phase);
            case ADMIN_ACTION -> administer(s, (Phase.Log) s.phase);
            case CLOSE_SESSION ->
                s.session.isEnded() ? to(s) : clientStep(s, sessionOf(s).submit(s.session, new Operation.Close()));
            case TICK, FLUSH_RENEWALS -> {
                var server = (Phase.Server) s.phase;
                yield serverStep(
                        s,
                        server.appliedIndex,
                        server().timeout(server.server, LockServer.Timer.valueOf(timer.name())));
            }
            case RENEW, RETRY, DEADLINE, OTHER_DEADLINE ->
                clientStep(s, sessionOf(s).timeout(s.session, ClientSession.Timer.valueOf(timer.name())));
        };
    }

    @Override
    public boolean isUrgent(Enum<?> timer) {
        return timer == Timer.DEADLINE || timer == Timer.OTHER_DEADLINE;
    }

    private Step<State, ModelMessage> receiveAtLog(State s, Phase.Log log, NodeId from, ModelMessage message) {
        return switch (message) {
            case ModelMessage.ServiceMessage(Message.Propose propose)
            when log.dropsNextProposal -> to(s.in(new Phase.Log(log.lastIndex, log.table, log.leaderChanges, false)));
            case ModelMessage.ServiceMessage(Message.Propose(var commands)) ->
                commit(s, log, new CommandBatch(0, commands));
            case ModelMessage.CatchUp(var index)
            when index < log.lastIndex -> to(s).send(from, new ModelMessage.InstallSnapshot(log.lastIndex, log.table));
            case ModelMessage.CatchUp late -> to(s);
            case ModelMessage unexpected -> throw new ProtocolBug(unexpected.toString(), s);
        };
    }

    /** Appends an entry. Leader changes start with the first session. */
    private Step<State, ModelMessage> commit(State s, Phase.Log log, CommandBatch batch) {
        var next = new Phase.Log(log.lastIndex + 1, log.table.apply(batch).table(), log.leaderChanges, false);
        boolean isFirstSession =
                log.table.sessions().isEmpty() && !next.table.sessions().isEmpty();
        var step = to(s.in(next))
                .sendAll(
                        NodeSet.of(serverNodes(s.neighbourhood)),
                        new ModelMessage.CommittedEntry(next.lastIndex, batch));
        var changing = isFirstSession && !leaderChangeInterval.isZero()
                ? step.setTimer(Timer.CHANGE_LEADER, lease, leaderChangeInterval)
                : step;
        boolean isGrant = fence(next.table) > fence(log.table);
        return isGrant && !revokeAfter.isZero() ? changing.setTimer(Timer.ADMIN_ACTION, revokeAfter) : changing;
    }

    private long fence(LockTable table) {
        return table.holders(sharedResource()).stream()
                .mapToLong(Holder::fence)
                .max()
                .orElse(0);
    }

    /** The operator submits every action twice, as one does without an immediate reply. */
    private Step<State, ModelMessage> administer(State s, Phase.Log log) {
        var command = new Command.AdminCommand(adminAction(log.table), "operator", "console", "impatience");
        return fence(log.table) == 0 ? to(s) : commit(s, log, CommandBatch.of(0, command, command));
    }

    /** Transfers leadership to the last candidate in the queue; without one, releases the resource. */
    private Command.AdminAction adminAction(LockTable table) {
        var waiters = table.waiters(sharedResource());
        return goal == Goal.LEADERSHIP && !waiters.isEmpty()
                ? new Command.AdminAction.Transfer(
                        sharedResource().text(),
                        fence(table),
                        waiters.getLast().client().name())
                : new Command.AdminAction.Release(sharedResource(), fence(table));
    }

    /** With every other change the old leader is not informed until the next change. */
    private Step<State, ModelMessage> changeLeader(State s, Phase.Log log) {
        int changes = log.leaderChanges + 1;
        var step = to(s.in(new Phase.Log(log.lastIndex, log.table, changes, true)));
        for (int i = 0; i < servers; i++) {
            boolean isLeader = i == changes % servers;
            boolean isUninformed = changes % 2 == 0 && i == log.leaderChanges % servers;
            step = isUninformed && !isLeader
                    ? step
                    : step.send(
                            new NodeId(2 + i),
                            new ModelMessage.ServiceMessage(new Message.LeadershipChanged(isLeader)));
        }
        return log.table.sessions().isEmpty() ? to(s) : step.setTimer(Timer.CHANGE_LEADER, lease, leaderChangeInterval);
    }

    private Step<State, ModelMessage> receiveAtServer(State s, Phase.Server server, NodeId from, ModelMessage message) {
        return switch (message) {
            case ModelMessage.CommittedEntry(var index, var batch)
            when index == server.appliedIndex + 1 ->
                serverStep(s, index, server().receive(server.server, from, new Message.Committed(batch)));
            case ModelMessage.CommittedEntry(var index, var batch) ->
                index <= server.appliedIndex
                        ? to(s)
                        : to(s).send(LockServer.LOG, new ModelMessage.CatchUp(server.appliedIndex));
            case ModelMessage.InstallSnapshot(var index, var table) ->
                index <= server.appliedIndex
                        ? to(s)
                        : serverStep(
                                s, index, server().receive(server.server, from, new Message.SnapshotInstalled(table)));
            case ModelMessage.ServiceMessage(var content) ->
                serverStep(s, server.appliedIndex, server().receive(server.server, from, content));
            case ModelMessage.CatchUp unexpected -> throw new ProtocolBug(unexpected.toString(), s);
        };
    }

    private Step<State, ModelMessage> deliverFromLog(State s, Message message) {
        return receiveAtServer(s, (Phase.Server) s.phase, LockServer.LOG, new ModelMessage.ServiceMessage(message));
    }

    private Step<State, ModelMessage> serverStep(State s, long index, Step<LockServer.State, Message> step) {
        return embed(s.in(new Phase.Server(index, step.state())), step);
    }

    /** Submits the acquire, in a new session if the last one has ended or is closing. */
    private Step<State, ModelMessage> submitAcquire(State s) {
        if (s.session.isClosing()) {
            return clientStep(s, sessionOf(s).abandon(s.session)).then(this::submitAcquire);
        }
        if (s.session.isEnded()) {
            var next = s.withNextSession();
            return clientStep(
                            next,
                            sessionOf(next)
                                    .start(
                                            new Neighbourhood(
                                                    s.neighbourhood.self(),
                                                    s.session.nodes().all()),
                                            s.session.nextOrigin()))
                    .then(this::submitAcquire);
        }
        int rank = goal == Goal.LEADERSHIP ? s.neighbourhood.self().number() % 2 : 0;
        var step = sessionOf(s).submit(s.session, new Operation.Acquire(shares(s), true, rank));
        return clientStep(s.in(new Phase.Waiting(step.state().lastRequest())), step);
    }

    private List<ResourceShare> shares(State s) {
        var own = ResourceShare.exclusive("b" + s.neighbourhood.self().number() % 2);
        return switch (goal) {
            case ONE_LOCK -> List.of(ResourceShare.exclusive("a"));
            case TWO_LOCKS -> List.of(own, ResourceShare.exclusive("a"));
            case LEADERSHIP -> List.of(ResourceShare.leadership("a"));
        };
    }

    /** The resource that all clients want. */
    private ResourceName sharedResource() {
        return goal == Goal.LEADERSHIP ? ResourceName.election("a") : ResourceName.lock("a");
    }

    /** A step of the client session, and what it means for the application. */
    private Step<State, ModelMessage> clientStep(State s, Step<ClientSession.State, Message> step) {
        var session = step.state();
        var next = embed(s.withSession(session), step);
        return switch (s.phase) {
            case Phase.Waiting waiting when session.isEnded() -> next.then(this::submitAcquire);
            case Phase.Waiting(var request)
            when session.fence(request).isPresent() ->
                next.then(state -> to(state.in(new Phase.Holding(request))))
                        .grant(session.fence(request).orElseThrow());
            case Phase.Waiting(var request)
            when session.isLive() && !session.isPending(request) ->
                next.then(this::submitAcquire); // revoked before the client knew of the grant
            case Phase.Holding holding when session.isEnded() -> next.then(state -> to(state.in(new Phase.Idle())));
            case Phase.Holding(var request)
            when session.fence(request).isEmpty() ->
                next.then(state -> to(state.in(new Phase.Idle()))).lost().setTimer(Timer.CLOSE_SESSION, lease);
            default -> next;
        };
    }

    /** Embeds a step of a lock server or client session, with the timers of this model. */
    private static Step<State, ModelMessage> embed(State outer, Step<?, Message> step) {
        var embedded = step.<State, ModelMessage>embedIn(outer, ModelMessage.ServiceMessage::new);
        return new Step<>(
                outer,
                embedded.effects().stream()
                        .<Effect<ModelMessage>>map(effect -> switch (effect) {
                            case Effect.SetTimer<ModelMessage>(var timer, var atLeast, var atMost) ->
                                new Effect.SetTimer<>(Timer.valueOf(timer.name()), atLeast, atMost);
                            case Effect.CancelTimer<ModelMessage>(var timer) ->
                                new Effect.CancelTimer<>(Timer.valueOf(timer.name()));
                            case Effect<ModelMessage> other -> other;
                        })
                        .toList());
    }
}
