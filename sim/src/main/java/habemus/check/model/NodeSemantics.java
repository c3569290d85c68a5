package habemus.check.model;

import static java.util.Objects.requireNonNull;

import habemus.protocol.ClientServer;
import habemus.protocol.Durable;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.Mutex;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.world.Fault;
import habemus.world.ObservableEvent;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The world's half of a step: what may happen at a cell, and what becomes of it. Pure, so that the tables ask only once
 * for each cell; and the same as the simulator's, so that what holds here holds there.
 */
public final class NodeSemantics<S, M> {

    /** What a node without a disk remembers. */
    private static final String NO_MEMORY = "nothing";

    private final Protocol<S, M> protocol;
    private final Scope scope;
    private final boolean tracksCausality;
    private final List<NodeId> nodes;

    /** @param causal whether the requests in the past of everything are kept */
    public NodeSemantics(Protocol<S, M> protocol, Scope scope, boolean causal) {
        this.protocol = protocol;
        this.scope = scope;
        this.tracksCausality = causal;
        nodes = scope.topology().nodes();
    }

    public Protocol<S, M> protocol() {
        return protocol;
    }

    public Scope scope() {
        return scope;
    }

    public NodeId nodeId(int node) {
        return nodes.get(node);
    }

    public int indexOf(NodeId node) {
        return nodes.indexOf(node);
    }

    /** What may happen at a node without a message; whether it may happen now depends on the others too. */
    public List<Action> actions(NodeState nodeState) {
        var actions = new ArrayList<Action>();
        if (FaultBudget.PARTITION.initial(scope) > 0) {
            addPartitions(actions, nodeState.node());
        }
        if (!nodeState.isUp()) {
            addIfBudgeted(actions, Action.Kind.RESTART);
            addIfBudgeted(actions, Action.Kind.AMNESIA);
            return actions;
        }
        if (nodeState.appState() == NodeState.AppState.HOLDING) {
            actions.add(Action.of(Action.Kind.RELEASE, new Event.Release<M>()));
        }
        if (nodeState.mayRequest()) {
            actions.add(Action.of(
                    Action.Kind.REQUEST, protocol instanceof Mutex ? new Event.Acquire<M>() : new Event.Campaign<M>()));
        }
        for (var pendingTimer : nodeState.timers()) {
            actions.add(Action.of(Action.Kind.TIMEOUT, new Event.Timeout<M>(pendingTimer.timer())));
        }
        if (protocol instanceof FailureAware) {
            addDetectorActions(actions, nodeState);
        }
        if (FaultBudget.PAUSE.initial(scope) > 0) {
            actions.add(Action.of(Action.Kind.PAUSE));
            actions.add(Action.of(Action.Kind.RESUME));
        }
        if (mayCrash(nodeState)) {
            addIfBudgeted(actions, Action.Kind.CRASH);
        }
        return actions;
    }

    private void addDetectorActions(List<Action> actions, NodeState nodeState) {
        for (NodeId peer :
                scope.topology().neighbourhood(nodeId(nodeState.node())).neighbours()) {
            if (nodeState.suspected().contains(peer)) {
                actions.add(Action.of(Action.Kind.RESTORE, new Event.Restore<M>(peer)));
            } else {
                actions.add(Action.of(Action.Kind.SUSPECT, new Event.Suspect<M>(peer)));
                if (FaultBudget.MISTAKE.initial(scope) > 0) {
                    actions.add(Action.of(Action.Kind.WRONG_SUSPICION, new Event.Suspect<M>(peer)));
                }
            }
        }
    }

    /** Every way to cut links of which this node is the first that is not heard, and the mending of each. */
    private void addPartitions(List<Action> actions, int node) {
        var all = NodeSet.of(nodes);
        for (int others = 0; others < 1 << nodes.size() - node - 1; others++) {
            var side = NodeSet.of(nodeId(node));
            for (int i = node + 1; i < nodes.size(); i++) {
                side = (others >> i - node - 1 & 1) != 0 ? side.with(nodeId(i)) : side;
            }
            var rest = all.without(side);
            if (!rest.isEmpty()) {
                addPartition(actions, new Fault.Cut(side, rest, false));
            }
            if (node > 0) {
                addPartition(actions, new Fault.Cut(side, rest, true));
            }
        }
    }

    private static void addPartition(List<Action> actions, Fault.Cut cut) {
        actions.add(Action.of(Action.Kind.PARTITION, cut));
        actions.add(Action.of(Action.Kind.HEAL, cut));
    }

    private void addIfBudgeted(List<Action> actions, Action.Kind kind) {
        if (kind.budget == null || kind.budget.initial(scope) > 0) {
            actions.add(Action.of(kind));
        }
    }

    /** What may become of a letter at the head of its link. */
    public List<Action> actions(NodeState nodeState, PendingMessage pendingMessage) {
        var actions = new ArrayList<Action>();
        if (FaultBudget.PARTITION.initial(scope) > 0) {
            actions.add(Action.of(Action.Kind.DROP_BY_PARTITION, null, pendingMessage));
        }
        if (!nodeState.isUp()) {
            actions.add(Action.of(Action.Kind.DROP_AT_DOWN_NODE, null, pendingMessage));
            return actions;
        }
        @SuppressWarnings("unchecked") // only this protocol's messages are put into letters
        var event = new Event.Received<>(pendingMessage.from(), (M) pendingMessage.message());
        actions.add(Action.of(Action.Kind.RECEIVE, event, pendingMessage));
        if (FaultBudget.LOSS.initial(scope) > 0) {
            actions.add(Action.of(Action.Kind.LOSE, null, pendingMessage));
        }
        if (FaultBudget.DUPLICATION.initial(scope) > 0) {
            actions.add(Action.of(Action.Kind.DUPLICATE, event, pendingMessage));
        }
        return actions;
    }

    /** All outcomes of the start of a node. */
    public List<ActionOutcome> startOutcomes(int node) {
        boolean asks = !(protocol instanceof ClientServer<S, M> clientServer) || clientServer.isClient(nodeId(node));
        boolean calls = scope.requesters().contains(nodeId(node)) && asks && Problem.of(protocol) != Problem.DETECTOR;
        int left = calls ? scope.requestsPerNode() : 0;
        var blank = blank(new NodeState(
                node,
                NO_MEMORY,
                NodeState.Liveness.DOWN,
                NodeState.AppState.IDLE,
                left,
                List.of(),
                NodeSet.NONE,
                0,
                NodeSet.NONE));
        return RandomBranches.outcomes(randomBranches -> {
            var stepExecutor = new StepExecutor<>(this, blank, randomBranches);
            stepExecutor.start(applyTwice(this::startStep, node), TraceEvent.Start.FIRST);
            return stepExecutor.outcome();
        });
    }

    /** All outcomes of a choice: one, unless dice are rolled. */
    public List<ActionOutcome> outcomes(NodeState nodeState, Action action) {
        return switch (action.kind()) {
            case CRASH -> List.of(crash(nodeState, List.of(), List.of()));
            case LOSE, DROP_AT_DOWN_NODE, DROP_BY_PARTITION ->
                List.of(new ActionOutcome(nodeState, List.of(), List.of()));
            case PAUSE -> List.of(observing(nodeState, new ObservableEvent.Paused(nodeId(nodeState.node()))));
            case RESUME -> RandomBranches.outcomes(randomBranches -> resume(nodeState, randomBranches));
            case PARTITION ->
                List.of(observing(nodeState, new ObservableEvent.Partitioned(requireNonNull(action.cut()))));
            case HEAL -> List.of(observing(nodeState, new ObservableEvent.Healed(requireNonNull(action.cut()))));
            case RESTART, AMNESIA ->
                RandomBranches.outcomes(randomBranches -> restart(nodeState, action.kind(), randomBranches));
            default -> RandomBranches.outcomes(randomBranches -> deliver(nodeState, action, randomBranches));
        };
    }

    /** What is urgent and overdue comes at once. */
    private ActionOutcome resume(NodeState nodeState, RandomBranches randomBranches) {
        var stepExecutor =
                new StepExecutor<>(this, nodeState.withLiveness(NodeState.Liveness.JUST_RESUMED), randomBranches);
        stepExecutor.observe(new ObservableEvent.Resumed(nodeId(nodeState.node())));
        for (var pendingTimer : nodeState.timers()) {
            if (pendingTimer.maxTicks() == 0
                    && protocol instanceof Timed<S, M, ?> timed
                    && timed.isUrgent(pendingTimer.timer())) {
                stepExecutor.fireTimer(pendingTimer.timer());
            }
        }
        return stepExecutor.outcome();
    }

    private static ActionOutcome observing(NodeState nodeState, ObservableEvent observableEvent) {
        return new ActionOutcome(
                nodeState, List.of(new ActionOutcome.Output.EventObserved(observableEvent)), List.of(nodeState));
    }

    /** Whether the node is one that may crash after so many outs. */
    public boolean mayCrashAfter(ActionOutcome whole, int outs) {
        var nodeState = whole.statesDuring().get(outs - 1);
        return mayCrash(nodeState);
    }

    private boolean mayCrash(NodeState nodeState) {
        var id = nodeId(nodeState.node());
        return scope.crashModel().mayCrash(id, nodeState)
                && !(protocol instanceof ClientServer<S, M> clientServer && clientServer.neverCrashes(id));
    }

    /** The same, with a crash after so many outs. */
    public ActionOutcome crashAfter(ActionOutcome whole, int outs) {
        return crash(
                whole.statesDuring().get(outs - 1),
                whole.outputs().subList(0, outs),
                whole.statesDuring().subList(0, outs));
    }

    @SuppressWarnings("unchecked") // only this protocol's states are put into cells
    S state(NodeState nodeState) {
        return (S) nodeState.state();
    }

    private ActionOutcome crash(NodeState nodeState, List<ActionOutcome.Output> done, List<NodeState> during) {
        var id = nodeId(nodeState.node());
        var outputs = new ArrayList<>(done);
        if (nodeState.leader() != 0) {
            outputs.add(new ActionOutcome.Output.EventObserved(
                    new ObservableEvent.LeaderDropped(id, new NodeId(nodeState.leader()))));
        }
        boolean asking = nodeState.appState() == NodeState.AppState.WAITING
                || nodeState.appState() == NodeState.AppState.CANDIDATE;
        outputs.add(new ActionOutcome.Output.EventObserved(new ObservableEvent.Crashed(id, asking)));
        Object memory =
                protocol instanceof Durable<S, M, ?> durable ? durable.durableState(state(nodeState)) : NO_MEMORY;
        var past = new ArrayList<>(during);
        while (past.size() < outputs.size()) {
            past.add(nodeState);
        }
        return new ActionOutcome(nodeState.afterCrash(memory), List.copyOf(outputs), List.copyOf(past));
    }

    private ActionOutcome restart(NodeState nodeState, Action.Kind kind, RandomBranches randomBranches) {
        var stepExecutor = new StepExecutor<>(this, blank(nodeState), randomBranches);
        stepExecutor.observe(new ObservableEvent.Restarted(nodeId(nodeState.node())));
        if (kind == Action.Kind.RESTART && protocol instanceof Durable<S, M, ?> durable) {
            stepExecutor.start(restartStep(durable, nodeState), TraceEvent.Start.WITH_MEMORY);
        } else {
            stepExecutor.start(applyTwice(this::startStep, nodeState.node()), TraceEvent.Start.WITH_AMNESIA);
        }
        return stepExecutor.outcome();
    }

    private static NodeState blank(NodeState nodeState) {
        return new NodeState(
                nodeState.node(),
                NO_MEMORY,
                NodeState.Liveness.UP,
                NodeState.AppState.IDLE,
                nodeState.remainingRequests(),
                List.of(),
                NodeSet.NONE,
                0,
                nodeState.causalPast());
    }

    private Step<S, M> startStep(int node) {
        return protocol.start(scope.topology().neighbourhood(nodeId(node)));
    }

    @SuppressWarnings("unchecked") // what crash() put there
    private <D> Step<S, M> restartStep(Durable<S, M, D> durable, NodeState nodeState) {
        var neighbourhood = scope.topology().neighbourhood(nodeId(nodeState.node()));
        return applyTwice(memory -> durable.restart(neighbourhood, memory), (D) nodeState.state());
    }

    @SuppressWarnings("unchecked") // only this protocol's events are put into choices
    private ActionOutcome deliver(NodeState nodeState, Action action, RandomBranches randomBranches) {
        var stepExecutor = new StepExecutor<>(this, nodeState, randomBranches);
        var event = (Event<M>) requireNonNull(action.event());
        stepExecutor.applyEvent(event, action.pendingMessage(), tracksCausality);
        stepExecutor.step(event);
        return stepExecutor.outcome();
    }

    /** One event, twice: nothing but the state and the event may decide what comes of it. */
    Step<S, M> step(S state, Event<M> event) {
        return applyTwice(same -> protocol.step(same, event), state);
    }

    private static <A, B> B applyTwice(Function<A, B> pure, A argument) {
        B one = pure.apply(argument);
        B other = pure.apply(argument);
        if (!one.equals(other)) {
            throw new ImpureStepException(one, other);
        }
        return one;
    }
}
