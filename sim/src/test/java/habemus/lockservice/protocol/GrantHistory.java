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
 * Reads the trace of a lock service run, and finds violations that are not observable from outside. It compares the
 * committed commands, the table after each of them, and the state of the clients. It keeps its own record of arrivals
 * and fences, and reads only holders and waiters from the table.
 *
 * <ul>
 *   <li><b>exactly-once</b>: a repeated request changes nothing, every result belongs to a committed request, and an
 *       acquire has one fence.
 *   <li><b>waiters-in-order</b>: no request is granted before an earlier one for the same resource, except by transfer.
 *   <li><b>no-lost-wake-up</b>: no request waits that could be granted; at the end, no client waits that was granted.
 *   <li><b>consistent-holder</b>: no client enters twice without leaving; a client learns of a lost hold within two
 *       leases; no lock server sees a term decrease.
 *   <li><b>late-admin-action</b>: no operator's action revokes a hold that was granted after the one it names.
 * </ul>
 */
public final class GrantHistory implements Consumer<TraceEvent> {

    /** Rank and arrival of a request, as the index of its command. */
    private record Arrival(int rank, long index) {
        private static final Comparator<Arrival> ORDER =
                Comparator.comparingInt((Arrival arrival) -> -arrival.rank).thenComparingLong(Arrival::index);

        boolean isBefore(Arrival other) {
            return ORDER.compare(this, other) < 0;
        }
    }

    /** @param endedAt since when the table does not contain the hold, in microseconds; negative while it does */
    private record Hold(long fence, long endedAt) {}

    private final long twoLeases;
    private final Set<String> violations = new TreeSet<>();
    private final Set<RequestId> submitted = new HashSet<>();
    private final Map<RequestId, Long> fences = new HashMap<>();
    private final Map<RequestId, Arrival> arrivals = new HashMap<>();
    private final Map<NodeId, Hold> holders = new HashMap<>();
    private final Set<NodeId> paused = new HashSet<>();
    private final Map<NodeId, Long> terms = new HashMap<>(); // the highest that each lock server has seen
    private final Map<NodeId, LockServiceModel.State> clients = new TreeMap<>();
    private LockTable table = LockTable.EMPTY;
    private long lastIndex;

    public GrantHistory(Duration lease) {
        twoLeases = lease.toNanos() / 500;
    }

    /** Called by reflection, so the goal is a string. */
    public static Protocol<?, ?> model(
            int servers, Duration lease, Duration leaderChangeInterval, String goal, Duration revokeAfter) {
        return new LockServiceModel(
                servers, lease, leaderChangeInterval, LockServiceModel.Goal.valueOf(goal), revokeAfter);
    }

    public Set<String> violations() {
        return violations;
    }

    @Override
    public void accept(TraceEvent event) {
        switch (event) {
            case TraceEvent.Started started -> onNodeStep(started);
            case TraceEvent.Step step -> {
                onNodeStep(step);
                if (step.event() instanceof Event.Received<?> received
                        && received.message()
                                instanceof LockServiceModel.ModelMessage.ServiceMessage(Message.Result result)) {
                    require(submitted.contains(new RequestId(result.session(), result.number())), "exactly-once");
                }
            }
            case TraceEvent.Observed(var at, var observed) -> onObserved(at, observed);
            default -> {}
        }
        holders.forEach((node, hold) -> require(
                hold.endedAt < 0 || paused.contains(node) || event.at() - hold.endedAt <= twoLeases,
                "consistent-holder"));
    }

    /** Checks the final state of a run that has converged. */
    public void end() {
        clients.forEach((node, state) -> {
            if (state.phase() instanceof LockServiceModel.Phase.Waiting(var number)
                    && state.session().phase() instanceof ClientSession.Phase.Live(var id, var nonce)) {
                require(
                        !(acquireState(table, new RequestId(id, number)) instanceof AcquireState.Holding),
                        "no-lost-wake-up");
            }
        });
    }

    private void require(boolean holds, String property) {
        if (!holds) {
            violations.add(property);
        }
    }

    private static AcquireState acquireState(LockTable table, RequestId request) {
        return table.acquireState(request).orElse(new AcquireState.Waiting(List.of(), new QueueKey(0, 0), 0));
    }

    private void onNodeStep(TraceEvent.NodeStep event) {
        var state = (LockServiceModel.State) event.state();
        switch (state.phase()) {
            case LockServiceModel.Phase.Log log ->
                event.sent().forEach(sent -> {
                    if (sent.message() instanceof LockServiceModel.ModelMessage.CommittedEntry(var number, var batch)
                            && number > lastIndex) {
                        lastIndex = number;
                        batch.commands().forEach(command -> apply(event.at(), command));
                    }
                });
            case LockServiceModel.Phase.Server(var number, var server) -> checkTerm(event.node(), server.table());
            case LockServiceModel.Phase client -> clients.put(event.node(), state);
        }
    }

    private void checkTerm(NodeId node, LockTable known) {
        long term = known.resources().keys().stream()
                .flatMap(name -> known.holders(name).stream())
                .mapToLong(Holder::fence)
                .max()
                .orElse(Long.MAX_VALUE);
        require(term >= terms.getOrDefault(node, 0L), "consistent-holder");
        terms.merge(node, term == Long.MAX_VALUE ? 0 : term, Math::max);
    }

    private void apply(long at, Command command) {
        var before = table;
        var applied = before.apply(CommandBatch.of(0, command));
        table = applied.table();
        switch (command) {
            case Command.Submit submit when before.sessions().contains(submit.session()) -> onSubmit(before, submit);
            case Command.AdminCommand admin -> checkAdminAction(before, admin.action());
            default -> {}
        }
        boolean byName =
                command instanceof Command.AdminCommand admin && admin.action() instanceof Command.AdminAction.Transfer;
        for (var notification : applied.notifications()) {
            if (notification
                    instanceof Notification.Result(var session, var number, OperationResult.Granted(var fence))) {
                var request = new RequestId(session, number);
                require(fences.computeIfAbsent(request, same -> fence) == fence, "exactly-once");
                require(
                        byName
                                || acquireState(before, request) instanceof AcquireState.Holding
                                || isNext(before, request),
                        "waiters-in-order");
            }
        }
        waiting(table).forEach((request, state) -> require(!canBeGranted(request, state), "no-lost-wake-up"));
        holders.replaceAll((node, hold) -> hold.endedAt >= 0 || isHeld(hold.fence) ? hold : new Hold(hold.fence, at));
    }

    private void onSubmit(LockTable before, Command.Submit submit) {
        var request = new RequestId(submit.session(), submit.number());
        if (!submitted.add(request)) {
            require(
                    table.resources().equals(before.resources()) && table.endedHolds() == before.endedHolds(),
                    "exactly-once");
        } else if (submit.operation() instanceof Operation.Acquire(var shares, var waitInQueue, var rank)) {
            arrivals.put(request, new Arrival(rank, table.index()));
        }
    }

    private void checkAdminAction(LockTable before, Command.AdminAction action) {
        long upToFence = switch (action) {
            case Command.AdminAction.Release release -> release.upToFence();
            case Command.AdminAction.Transfer transfer -> transfer.upToTerm();
            case Command.AdminAction.Expire expire -> Long.MAX_VALUE;
            case Command.AdminAction.Performed performed -> 0;
        };
        for (var name : before.resources().keys()) {
            for (var holder : before.holders(name)) {
                require(holder.fence() <= upToFence || isHeld(holder.fence()), "late-admin-action");
            }
        }
    }

    private boolean isHeld(long fence) {
        return table.sessions().values().stream()
                .flatMap(entry -> entry.acquires().values().stream())
                .anyMatch(state -> state instanceof AcquireState.Holding holding && holding.fence() == fence);
    }

    private static Map<RequestId, AcquireState.Waiting> waiting(LockTable table) {
        var waiting = new TreeMap<RequestId, AcquireState.Waiting>();
        table.sessions()
                .forEach((session, entry) -> entry.acquires().forEach((number, state) -> {
                    if (state instanceof AcquireState.Waiting waiter) {
                        waiting.put(new RequestId(session, number), waiter);
                    }
                }));
        return waiting;
    }

    private Arrival arrival(RequestId request) {
        return requireNonNull(arrivals.get(request));
    }

    /** Whether no earlier request for one of the same resources still waits. */
    private boolean isNext(LockTable before, RequestId request) {
        var state = acquireState(table, request);
        var own = arrival(request);
        var now = waiting(table);
        return waiting(before).entrySet().stream()
                .noneMatch(other -> now.containsKey(other.getKey())
                        && overlaps(state, other.getValue())
                        && arrival(other.getKey()).isBefore(own));
    }

    private static boolean overlaps(AcquireState one, AcquireState other) {
        return one.shares().stream().anyMatch(share -> other.unitsOf(share.name()) > 0);
    }

    private boolean canBeGranted(RequestId request, AcquireState.Waiting state) {
        boolean first = waiting(table).entrySet().stream()
                .noneMatch(other -> overlaps(state, other.getValue())
                        && arrival(other.getKey()).isBefore(arrival(request)));
        return first
                && state.shares().stream().allMatch(share -> share.size() - unitsInUse(share.name()) >= share.units());
    }

    private long unitsInUse(ResourceName name) {
        return table.holders(name).stream().mapToLong(Holder::units).sum();
    }

    private void onObserved(long at, ObservableEvent event) {
        switch (event) {
            case ObservableEvent.Entered(var node, var fence) -> {
                require(!holders.containsKey(node), "consistent-holder");
                holders.put(node, new Hold(fence, isHeld(fence) ? -1 : at));
            }
            case ObservableEvent.Exited(var node) -> holders.remove(node);
            case ObservableEvent.Crashed(var node, var asking) -> {
                holders.remove(node);
                paused.remove(node);
                clients.remove(node);
            }
            case ObservableEvent.Paused(var node) -> paused.add(node);
            case ObservableEvent.Resumed(var node) -> {
                paused.remove(node);
                holders.computeIfPresent(node, (same, hold) -> hold.endedAt < 0 ? hold : new Hold(hold.fence, at));
            }
            default -> {}
        }
    }
}
