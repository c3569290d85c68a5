package habemus.lockservice.protocol;

import static java.util.Objects.requireNonNull;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.table.AcquireState;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.Notification;
import habemus.lockservice.table.QueueKey;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Reads a run of the production lock line by line, and notes what is broken that cannot be seen from outside alone:
 * what is in the log, what the table made of it, and what clients believe. It keeps its own accounts of who asked for
 * what and when, and of the table only looks who holds and who waits.
 *
 * <ul>
 *   <li><b>exactly-once</b>: a request that comes again changes nothing, nobody is answered what was not asked for in
 *       the log, and a claim has one fence.
 *   <li><b>waiters-in-order</b>: nobody is let in before one who came earlier and wants the same, unless by name.
 *   <li><b>no-lost-wake-up</b>: nobody waits who could be let in, nor in the end who was let in.
 *   <li><b>paired</b>: nobody gets in twice without having left, or by a lower fence; whoever has lost it knows that
 *       after two leases at the latest; of no node the leader's term ever becomes smaller.
 *   <li><b>late-order</b>: no order of an operator puts out one who was let in after the one who was meant.
 * </ul>
 */
public final class GrantHistory implements Consumer<TraceEvent> {

    /** When it came, in commands, and with which rank. */
    private record Arrival(int rank, long index) {
        private static final Comparator<Arrival> ORDER =
                Comparator.comparingInt((Arrival one) -> -one.rank).thenComparingLong(Arrival::index);

        boolean isBefore(Arrival other) {
            return ORDER.compare(this, other) < 0;
        }
    }

    /** @param over since when the table says otherwise, in microseconds; it does not yet, if that is negative */
    private record Stay(long fence, long over) {}

    private final long twoLeases;
    private final Set<String> broken = new TreeSet<>();
    private final Set<RequestId> asked = new HashSet<>();
    private final Map<RequestId, Long> fences = new HashMap<>();
    private final Map<RequestId, Arrival> arrivals = new HashMap<>();
    private final Map<NodeId, Stay> inside = new HashMap<>();
    private final Set<NodeId> paused = new HashSet<>();
    private final Map<NodeId, Long> terms = new HashMap<>(); // the last that each node knew of
    private final Map<NodeId, LockServiceModel.State> clients = new TreeMap<>();
    private LockTable lockTable = LockTable.EMPTY;
    private long place;

    public GrantHistory(Duration lease) {
        twoLeases = lease.toNanos() / 500;
    }

    /** So that whoever has only names can make one. */
    public static Protocol<?, ?> lock(int services, Duration lease, Duration reign, String aim, Duration tolerance) {
        return new LockServiceModel(services, lease, reign, LockServiceModel.Goal.valueOf(aim), tolerance);
    }

    public Set<String> broken() {
        return broken;
    }

    @Override
    public void accept(TraceEvent line) {
        switch (line) {
            case TraceEvent.Started started -> acted(started);
            case TraceEvent.Step step -> {
                acted(step);
                if (step.event() instanceof Event.Received<?> received
                        && received.message()
                                instanceof LockServiceModel.ModelMessage.ServiceMessage(Message.Result answer)) {
                    require(asked.contains(new RequestId(answer.session(), answer.number())), "exactly-once");
                }
            }
            case TraceEvent.Observed(var at, var observableEvent) -> seen(at, observableEvent);
            default -> {}
        }
        inside.forEach((node, stay) ->
                require(stay.over < 0 || paused.contains(node) || line.at() - stay.over <= twoLeases, "paired"));
    }

    /** The run has settled: nothing more will come. */
    public void end() {
        clients.forEach((node, state) -> {
            if (state.phase() instanceof LockServiceModel.Phase.Waiting(var number)
                    && state.session().phase() instanceof ClientSession.Phase.Live(var id, var nonce)) {
                require(
                        !(bid(lockTable, new RequestId(id, number)) instanceof AcquireState.Holding),
                        "no-lost-wake-up");
            }
        });
    }

    private void require(boolean fulfilled, String promise) {
        if (!fulfilled) {
            broken.add(promise);
        }
    }

    private static AcquireState bid(LockTable lockTable, RequestId requestId) {
        return lockTable.acquireState(requestId).orElse(new AcquireState.Waiting(List.of(), new QueueKey(0, 0), 0));
    }

    private void acted(TraceEvent.NodeStep line) {
        var state = (LockServiceModel.State) line.state();
        switch (state.phase()) {
            case LockServiceModel.Phase.Log log ->
                line.sent().forEach(inFlightMessage -> {
                    if (inFlightMessage.message()
                                    instanceof
                                    LockServiceModel.ModelMessage.CommittedEntry(var number, var commandBatch)
                            && number > place) {
                        place = number;
                        commandBatch.commands().forEach(command -> take(line.at(), command));
                    }
                });
            case LockServiceModel.Phase.Server(var number, var desk) -> look(line.node(), desk.lockTable());
            case LockServiceModel.Phase client -> clients.put(line.node(), state);
        }
    }

    private void look(NodeId node, LockTable known) {
        long term = known.resources().keys().stream()
                .flatMap(resourceName -> known.holders(resourceName).stream())
                .mapToLong(Holder::fence)
                .max()
                .orElse(Long.MAX_VALUE);
        require(term >= terms.getOrDefault(node, 0L), "paired");
        terms.merge(node, term == Long.MAX_VALUE ? 0 : term, Math::max);
    }

    private void take(long at, Command command) {
        var before = lockTable;
        var applyResult = before.apply(CommandBatch.of(0, command));
        lockTable = applyResult.lockTable();
        switch (command) {
            case Command.Submit submit when before.sessions().contains(submit.session()) -> asked(before, submit);
            case Command.AdminCommand(var adminAction, var operator, var reason) -> ordered(before, adminAction);
            default -> {}
        }
        boolean byName =
                command instanceof Command.AdminCommand(Command.AdminAction.Transfer order, var operator, var reason);
        for (var notification : applyResult.notifications()) {
            if (notification
                    instanceof Notification.Result(var session, var number, OperationResult.Granted(var fence))) {
                var requestId = new RequestId(session, number);
                require(fences.computeIfAbsent(requestId, same -> fence) == fence, "exactly-once");
                require(
                        byName || bid(before, requestId) instanceof AcquireState.Holding || isNext(before, requestId),
                        "waiters-in-order");
            }
        }
        waiting(lockTable).forEach((requestId, bid) -> require(!couldEnter(requestId, bid), "no-lost-wake-up"));
        inside.replaceAll((node, stay) -> stay.over >= 0 || isHeld(stay.fence) ? stay : new Stay(stay.fence, at));
    }

    private void asked(LockTable before, Command.Submit submit) {
        var requestId = new RequestId(submit.session(), submit.number());
        if (!asked.add(requestId)) {
            require(
                    lockTable.resources().equals(before.resources()) && lockTable.endedHolds() == before.endedHolds(),
                    "exactly-once");
        } else if (submit.operation() instanceof Operation.Acquire(var resourceShares, var patient, var rank)) {
            arrivals.put(requestId, new Arrival(rank, lockTable.index()));
        }
    }

    private void ordered(LockTable before, Command.AdminAction adminAction) {
        long asOf = switch (adminAction) {
            case Command.AdminAction.Release release -> release.upToFence();
            case Command.AdminAction.Transfer transfer -> transfer.upToTerm();
            case Command.AdminAction.Expire expire -> Long.MAX_VALUE;
        };
        for (var resourceName : before.resources().keys()) {
            for (var holder : before.holders(resourceName)) {
                require(holder.fence() <= asOf || isHeld(holder.fence()), "late-order");
            }
        }
    }

    private boolean isHeld(long fence) {
        return lockTable.sessions().values().stream()
                .flatMap(sessionEntry -> sessionEntry.acquires().values().stream())
                .anyMatch(acquireState ->
                        acquireState instanceof AcquireState.Holding holding && holding.fence() == fence);
    }

    private static Map<RequestId, AcquireState.Waiting> waiting(LockTable lockTable) {
        var waiting = new TreeMap<RequestId, AcquireState.Waiting>();
        lockTable
                .sessions()
                .forEach((session, sessionEntry) -> sessionEntry.acquires().forEach((number, acquireState) -> {
                    if (acquireState instanceof AcquireState.Waiting one) {
                        waiting.put(new RequestId(session, number), one);
                    }
                }));
        return waiting;
    }

    private Arrival arrival(RequestId requestId) {
        return requireNonNull(arrivals.get(requestId));
    }

    /** Whether nobody who still waits came earlier and wants some of the same. */
    private boolean isNext(LockTable before, RequestId requestId) {
        var acquireState = bid(lockTable, requestId);
        var own = arrival(requestId);
        var now = waiting(lockTable);
        return waiting(before).entrySet().stream()
                .noneMatch(other -> now.containsKey(other.getKey())
                        && shares(acquireState, other.getValue())
                        && arrival(other.getKey()).isBefore(own));
    }

    private static boolean shares(AcquireState one, AcquireState other) {
        return one.shares().stream().anyMatch(resourceShare -> other.unitsOf(resourceShare.resourceName()) > 0);
    }

    private boolean couldEnter(RequestId requestId, AcquireState.Waiting bid) {
        boolean first = waiting(lockTable).entrySet().stream()
                .noneMatch(other ->
                        shares(bid, other.getValue()) && arrival(other.getKey()).isBefore(arrival(requestId)));
        return first
                && bid.shares().stream()
                        .allMatch(resourceShare ->
                                resourceShare.size() - taken(resourceShare.resourceName()) >= resourceShare.units());
    }

    private long taken(ResourceName resourceName) {
        return lockTable.holders(resourceName).stream().mapToLong(Holder::units).sum();
    }

    private void seen(long at, ObservableEvent observableEvent) {
        switch (observableEvent) {
            case ObservableEvent.Entered(var node, var fence) -> {
                require(!inside.containsKey(node), "paired");
                inside.put(node, new Stay(fence, isHeld(fence) ? -1 : at));
            }
            case ObservableEvent.Exited(var node) -> inside.remove(node);
            case ObservableEvent.Crashed(var node, var asking) -> {
                inside.remove(node);
                paused.remove(node);
                clients.remove(node);
            }
            case ObservableEvent.Paused(var node) -> paused.add(node);
            case ObservableEvent.Resumed(var node) -> {
                paused.remove(node);
                inside.computeIfPresent(node, (same, stay) -> stay.over < 0 ? stay : new Stay(stay.fence, at));
            }
            default -> {}
        }
    }
}
