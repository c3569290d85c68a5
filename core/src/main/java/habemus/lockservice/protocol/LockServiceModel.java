package habemus.lockservice.protocol;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
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
 * The production lock as one machine: n1 is the replicated log, the next ones are the nodes of the service, each with
 * the table that the log makes, and the others are clients, each with a session.
 *
 * <pre>
 *   ·       ── start ────────────────────▶ Log, Service, Idle
 *   ·       ── restart ──────────────────▶ Service, Idle
 *   Idle    ── acquire ──────────────────▶ Waiting
 *   Waiting ── Answered ─────────────────▶ Holding
 *   Holding ── release ──────────────────▶ Idle
 *   Holding ── DEADLINE, OTHER_DEADLINE ─▶ Idle     not renewed in time
 *   Holding ── Answered ─────────────────▶ Idle     taken by an operator
 * </pre>
 *
 * <p>The log promises no more than a real one. It puts proposals in some order, loses what is proposed while its leader
 * changes, and says who leads, which an old leader may learn late. Like a majority of disks it never forgets.
 *
 * <p>Costs 6 messages an entry and 2 for every node of the service, besides sessions and renewals. Survives what a
 * network does, and crashes of clients and of nodes of the service as long as one is left. Never two get in, unless one
 * stands still, and then its fence is older. Assumes clocks of about the same rate.
 *
 * @param servers how many nodes of the service there are
 * @param lease after which a client of whom nothing is heard loses all it has
 * @param leaderChangeInterval for how long one leads at most; zero for ever
 * @param goal what everybody wants
 * @param revokeAfter after which an operator takes it from whoever has it; zero if there is none
 * @see <a href="https://doi.org/10.1145/74850.74870">Gray and Cheriton, SOSP 1989 (leases)</a>
 */
public record LockServiceModel(
        int servers, Duration lease, Duration leaderChangeInterval, Goal goal, Duration revokeAfter)
        implements Mutex<State, ModelMessage>,
                Timed<State, ModelMessage, Timer>,
                Durable<State, ModelMessage, Memory>,
                ClientServer<State, ModelMessage> {

    public enum Goal {
        /** The same lock. */
        ONE_LOCK,
        /** Two locks at once, one of which is the same for all. */
        TWO_LOCKS,
        /** To lead. Some have a higher rank. */
        LEADERSHIP
    }

    @WireTags({
        ModelMessage.CatchUp.class,
        ModelMessage.InstallSnapshot.class,
        ModelMessage.CommittedEntry.class,
        ModelMessage.ServiceMessage.class
    })
    public sealed interface ModelMessage {
        /** Between a client and a node of the service, or to the log. */
        record ServiceMessage(Message content) implements ModelMessage, Envelope {}

        /** From the log, to all nodes of the service. */
        record CommittedEntry(long index, CommandBatch batch) implements ModelMessage {
            @Override
            public String toString() {
                return "Next(" + index + " " + Message.describe(batch.commands()) + ")";
            }
        }

        /** To the log, by one who missed something. */
        record CatchUp(long appliedIndex) implements ModelMessage {}

        record InstallSnapshot(long index, LockTable lockTable) implements ModelMessage {
            @Override
            public String toString() {
                return "Copy(" + index + ")";
            }
        }
    }

    /** The first two are the log's, the third a client's; the others are those of the machines within. */
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
         * @param lastIndex how many entries there are
         * @param leaderChanges how often the leader has changed
         * @param dropsNextProposal whether it loses the next proposal
         */
        record Log(long lastIndex, LockTable lockTable, int leaderChanges, boolean dropsNextProposal) implements Phase {
            @Override
            public String toString() {
                return "Log(" + lastIndex + ")";
            }
        }

        /** @param appliedIndex how many entries it has applied */
        record Server(long appliedIndex, LockServer.State server) implements Phase {
            @Override
            public String toString() {
                return "Service(" + appliedIndex + ")";
            }
        }

        record Idle() implements Phase {}

        /** @param request the number of the request */
        record Waiting(long request) implements Phase {}

        record Holding(long request) implements Phase {}
    }

    /** @param sessionsOpened how many sessions a client has had: the next has another nonce */
    public record Memory(long sessionsOpened) {}

    /** @param session of a client; of others, one that is over */
    public record State(Neighbourhood neighbourhood, Phase phase, long sessionsOpened, ClientSession.State session) {
        private State in(Phase next) {
            return new State(neighbourhood, next, sessionsOpened, session);
        }

        private State withSession(long next, ClientSession.State its) {
            return new State(neighbourhood, phase, next, its);
        }
    }

    @Override
    public boolean isClient(NodeId node) {
        return node.number() > 1 + servers;
    }

    /** One node of the service is always left. */
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

    private Step<State, ModelMessage> startNode(Neighbourhood neighbourhood, Memory memory, boolean first) {
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
        var desk = server().start(neighbourhood);
        var served = serverStep(blank, 0, desk);
        return first && number == 2 ? served.then(s -> deliverFromLog(s, new Message.LeadershipChanged(true))) : served;
    }

    private LockServer server() {
        return new LockServer(lease.dividedBy(10), lease.dividedBy(40));
    }

    private ClientSession sessionOf(State s) {
        int number = s.neighbourhood.self().number();
        return new ClientSession(
                new ClientInfo("n" + number, "model", s.sessionsOpened),
                lease,
                (number * 1_000L + s.sessionsOpened) * 1_000);
    }

    /** The nodes of the service; every client begins with another. */
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
        if (!(s.phase instanceof Phase.Holding(var claim))) {
            throw new ProtocolBug("release", s);
        }
        return clientStep(s.in(new Phase.Idle()), sessionOf(s).submit(s.session, new Operation.Release(claim)))
                .setTimer(Timer.CLOSE_SESSION, lease);
    }

    @Override
    public Step<State, ModelMessage> receive(State s, NodeId from, ModelMessage modelMessage) {
        return switch (s.phase) {
            case Phase.Log log -> receiveAtLog(s, log, from, modelMessage);
            case Phase.Server server -> receiveAtServer(s, server, from, modelMessage);
            case Phase client
            when modelMessage instanceof ModelMessage.ServiceMessage(var talk) ->
                clientStep(s, sessionOf(s).receive(s.session, from, talk));
            case Phase client -> throw new ProtocolBug(modelMessage.toString(), s);
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
    public boolean isUrgent(Enum<?> alarm) {
        return alarm == Timer.DEADLINE || alarm == Timer.OTHER_DEADLINE;
    }

    private Step<State, ModelMessage> receiveAtLog(State s, Phase.Log log, NodeId from, ModelMessage modelMessage) {
        return switch (modelMessage) {
            case ModelMessage.ServiceMessage(Message.Propose propose)
            when log.dropsNextProposal ->
                to(s.in(new Phase.Log(log.lastIndex, log.lockTable, log.leaderChanges, false)));
            case ModelMessage.ServiceMessage(Message.Propose(var commands)) ->
                commit(s, log, new CommandBatch(0, commands));
            case ModelMessage.CatchUp(var place)
            when place < log.lastIndex ->
                to(s).send(from, new ModelMessage.InstallSnapshot(log.lastIndex, log.lockTable));
            case ModelMessage.CatchUp late -> to(s);
            case ModelMessage foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    /** Who leads is of interest only as long as there are sessions. */
    private Step<State, ModelMessage> commit(State s, Phase.Log log, CommandBatch commandBatch) {
        var next = new Phase.Log(
                log.lastIndex + 1, log.lockTable.apply(commandBatch).lockTable(), log.leaderChanges, false);
        boolean begins =
                log.lockTable.sessions().isEmpty() && !next.lockTable.sessions().isEmpty();
        var step = to(s.in(next))
                .sendAll(
                        NodeSet.of(serverNodes(s.neighbourhood)),
                        new ModelMessage.CommittedEntry(next.lastIndex, commandBatch));
        var moving = begins && !leaderChangeInterval.isZero()
                ? step.setTimer(Timer.CHANGE_LEADER, lease, leaderChangeInterval)
                : step;
        boolean entered = fence(next.lockTable) > fence(log.lockTable);
        return entered && !revokeAfter.isZero() ? moving.setTimer(Timer.ADMIN_ACTION, revokeAfter) : moving;
    }

    private long fence(LockTable lockTable) {
        return lockTable.holders(sharedResource()).stream()
                .mapToLong(Holder::fence)
                .max()
                .orElse(0);
    }

    /** An operator who is not answered at once gives the order again. */
    private Step<State, ModelMessage> administer(State s, Phase.Log log) {
        var order = new Command.AdminCommand(adminAction(log.lockTable), "operator", "impatience");
        return fence(log.lockTable) == 0 ? to(s) : commit(s, log, CommandBatch.of(0, order, order));
    }

    /** Of those who want to lead the last one is helped. */
    private Command.AdminAction adminAction(LockTable lockTable) {
        var waiters = lockTable.waiters(sharedResource());
        return goal == Goal.LEADERSHIP && !waiters.isEmpty()
                ? new Command.AdminAction.Transfer(
                        sharedResource().text(),
                        fence(lockTable),
                        waiters.getLast().client().name())
                : new Command.AdminAction.Release(sharedResource(), fence(lockTable));
    }

    /** Every other time the old leader is not told, but the next time. */
    private Step<State, ModelMessage> changeLeader(State s, Phase.Log log) {
        var next = s.in(new Phase.Log(log.lastIndex, log.lockTable, log.leaderChanges + 1, true));
        var step = to(next);
        for (int i = 0; i < servers; i++) {
            boolean leads = i == next(log) % servers;
            boolean unaware = next(log) % 2 == 0 && i == log.leaderChanges % servers;
            step = unaware && !leads
                    ? step
                    : step.send(
                            new NodeId(2 + i), new ModelMessage.ServiceMessage(new Message.LeadershipChanged(leads)));
        }
        return log.lockTable.sessions().isEmpty()
                ? to(s)
                : step.setTimer(Timer.CHANGE_LEADER, lease, leaderChangeInterval);
    }

    private static int next(Phase.Log log) {
        return log.leaderChanges + 1;
    }

    private Step<State, ModelMessage> receiveAtServer(
            State s, Phase.Server server, NodeId from, ModelMessage modelMessage) {
        return switch (modelMessage) {
            case ModelMessage.CommittedEntry(var place, var commandBatch)
            when place == server.appliedIndex + 1 ->
                serverStep(s, place, server().receive(server.server, from, new Message.Committed(commandBatch)));
            case ModelMessage.CommittedEntry(var place, var commandBatch) ->
                place <= server.appliedIndex
                        ? to(s)
                        : to(s).send(LockServer.LOG, new ModelMessage.CatchUp(server.appliedIndex));
            case ModelMessage.InstallSnapshot(var place, var lockTable) ->
                place <= server.appliedIndex
                        ? to(s)
                        : serverStep(
                                s,
                                place,
                                server().receive(server.server, from, new Message.SnapshotInstalled(lockTable)));
            case ModelMessage.ServiceMessage(var talk) ->
                serverStep(s, server.appliedIndex, server().receive(server.server, from, talk));
            case ModelMessage.CatchUp foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    private Step<State, ModelMessage> deliverFromLog(State s, Message fromLog) {
        return receiveAtServer(s, (Phase.Server) s.phase, LockServer.LOG, new ModelMessage.ServiceMessage(fromLog));
    }

    private Step<State, ModelMessage> serverStep(State s, long place, Step<LockServer.State, Message> step) {
        return within(s.in(new Phase.Server(place, step.state())), step);
    }

    /** With a new session, if the last one is over. */
    private Step<State, ModelMessage> submitAcquire(State s) {
        if (s.session.isClosing()) {
            return clientStep(s, sessionOf(s).abandon(s.session)).then(this::submitAcquire);
        }
        if (s.session.isEnded()) {
            var next = s.withSession(s.sessionsOpened + 1, s.session);
            return clientStep(next, sessionOf(next).start(new Neighbourhood(s.neighbourhood.self(), s.session.nodes())))
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

    /** Of what everybody wants. */
    private ResourceName sharedResource() {
        return goal == Goal.LEADERSHIP ? ResourceName.election("a") : ResourceName.lock("a");
    }

    /** What the session says, and what it means to the application. */
    private Step<State, ModelMessage> clientStep(State s, Step<ClientSession.State, Message> step) {
        var session = step.state();
        var said = within(s.withSession(s.sessionsOpened, session), step);
        return switch (s.phase) {
            case Phase.Waiting waiting when session.isEnded() -> said.then(this::submitAcquire);
            case Phase.Waiting(var claim)
            when session.heldFences().contains(claim) ->
                said.then(state -> to(state.in(new Phase.Holding(claim))))
                        .grant(session.heldFences().get(claim).orElseThrow());
            case Phase.Waiting(var claim)
            when session.phase() instanceof ClientSession.Phase.Live && !session.isPending(claim) ->
                said.then(this::submitAcquire); // taken before it knew
            case Phase.Holding holding when session.isEnded() -> said.then(state -> to(state.in(new Phase.Idle())));
            case Phase.Holding(var claim)
            when !session.heldFences().contains(claim) ->
                said.then(state -> to(state.in(new Phase.Idle()))).lost().setTimer(Timer.CLOSE_SESSION, lease);
            default -> said;
        };
    }

    /** A step of a machine within, with its alarms by our names. */
    private static Step<State, ModelMessage> within(State outer, Step<?, Message> step) {
        var said = step.<State, ModelMessage>embedIn(outer, ModelMessage.ServiceMessage::new);
        return new Step<>(
                outer,
                said.effects().stream()
                        .<Effect<ModelMessage>>map(effect -> switch (effect) {
                            case Effect.SetTimer<ModelMessage>(var its, var atLeast, var atMost) ->
                                new Effect.SetTimer<>(Timer.valueOf(its.name()), atLeast, atMost);
                            case Effect.CancelTimer<ModelMessage>(var its) ->
                                new Effect.CancelTimer<>(Timer.valueOf(its.name()));
                            case Effect<ModelMessage> other -> other;
                        })
                        .toList());
    }
}
