package habemus.check.model;

import static java.util.Objects.requireNonNull;

import habemus.protocol.ClientServer;
import habemus.protocol.Consensus;
import habemus.protocol.Durable;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.LogCall;
import habemus.protocol.LogView;
import habemus.protocol.MembershipAware;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.world.AppState;
import habemus.world.Fault;
import habemus.world.LogClient;
import habemus.world.MembershipHistory;
import habemus.world.ObservableEvent;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The semantics of one node: the actions that are possible in a node state, and the outcomes of each. All methods are
 * pure, so each outcome is computed once. The rules are those of the simulator, so a property that holds here holds
 * there.
 */
public final class NodeSemantics<S, M> {

    /** The durable state of an algorithm that keeps none. */
    private static final String NO_MEMORY = "nothing";

    private final Protocol<S, M> protocol;
    private final Scope scope;
    private final boolean tracksCausality;
    private final List<NodeId> nodes;

    /** @param tracksCausality whether node states and messages carry the requests that happened before */
    public NodeSemantics(Protocol<S, M> protocol, Scope scope, boolean tracksCausality) {
        this.protocol = protocol;
        this.scope = scope;
        this.tracksCausality = tracksCausality;
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

    /** The actions that need no message; whether they are enabled also depends on the other nodes. */
    public List<Action> actions(NodeState nodeState) {
        var actions = new ArrayList<Action>();
        if (FaultBudget.PARTITION.initial(scope) > 0) {
            addPartitions(actions, nodeState.node());
        }
        if (protocol instanceof MembershipAware<S, M> aware && scope.isMembershipDynamic()) {
            addMembershipActions(aware, actions, nodeState);
        }
        if (nodeState.liveness() == NodeState.Liveness.ABSENT || nodeState.liveness() == NodeState.Liveness.LEFT) {
            return actions;
        }
        if (nodeState.isUp()) {
            addActionsOfLiveNode(actions, nodeState);
        } else {
            if (protocol instanceof Consensus<S, M, ?> && !logView(nodeState).isSynced()) {
                addIfBudgeted(actions, Action.Kind.LOSE_TAIL);
            }
            addIfBudgeted(actions, Action.Kind.RESTART);
            addIfBudgeted(actions, Action.Kind.AMNESIA);
        }
        return actions;
    }

    private void addActionsOfLiveNode(List<Action> actions, NodeState nodeState) {
        if (nodeState.appState() == AppState.HOLDING) {
            actions.add(Action.of(Action.Kind.RELEASE, new Event.Release<M>()));
        }
        if (protocol instanceof Consensus<S, M, ?>) {
            addLogActions(actions, nodeState);
        } else if (nodeState.mayRequest()) {
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
    }

    private void addMembershipActions(MembershipAware<S, M> aware, List<Action> actions, NodeState nodeState) {
        var id = nodeId(nodeState.node());
        var members = nodeState.history().members(scope.firstMembers());
        switch (nodeState.liveness()) {
            case ABSENT -> {
                if (aware.mayJoin(id)) {
                    addIfBudgeted(actions, Action.Kind.JOIN);
                }
                addViewChanges(actions, nodeState, members);
            }
            case UP, JUST_RESUMED -> {
                if (aware.mayLeave(id) && members.size() > 1 && FaultBudget.LEAVE.initial(scope) > 0) {
                    actions.add(Action.of(Action.Kind.LEAVE, new Event.Leave<M>()));
                }
                addViewChanges(actions, nodeState, members);
            }
            case DOWN, LEFT -> {}
        }
    }

    /** All changes that the node may learn of next; which one it is depends on the whole history. */
    private void addViewChanges(List<Action> actions, NodeState nodeState, NodeSet members) {
        long view = nodeState.history().view() + 1L;
        var id = nodeId(nodeState.node());
        for (NodeId joiner : scope.joiners().without(id)) {
            if (!nodeState.history().hasJoined(joiner)) {
                actions.add(Action.of(Action.Kind.VIEW_CHANGE, new Event.Joined<M>(joiner, view)));
            }
        }
        if (FaultBudget.LEAVE.initial(scope) > 0) {
            for (NodeId member : members.without(id)) {
                actions.add(Action.of(Action.Kind.VIEW_CHANGE, new Event.Left<M>(member, view)));
            }
        }
    }

    /** The nodes that this node may send to, as far as it knows. */
    Neighbourhood neighbourhood(NodeState nodeState) {
        var id = nodeId(nodeState.node());
        return scope.isMembershipDynamic()
                ? new Neighbourhood(
                        id,
                        nodeState
                                .history()
                                .members(scope.firstMembers())
                                .without(id)
                                .toList())
                : scope.topology().neighbourhood(id);
    }

    Step<S, M> joinStep(MembershipAware<S, M> aware, Neighbourhood neighbourhood, long view) {
        return applyTwice(same -> aware.join(same, view), neighbourhood);
    }

    /** A node does not hear of a new member from the member itself before it learns of it. */
    private boolean isUnknown(NodeId sender, NodeState nodeState) {
        return scope.joiners().contains(sender) && !nodeState.history().hasJoined(sender);
    }

    /** An application calls a leader; a snapshot is possible at every node. */
    private void addLogActions(List<Action> actions, NodeState nodeState) {
        var view = logView(nodeState);
        var id = nodeId(nodeState.node());
        long call = nodeState.remainingRequests();
        if (!scope.syncsAtOnce() && !view.isSynced()) {
            actions.add(
                    Action.of(Action.Kind.SYNC, new Event.Synced<M>(view.log().last())));
        }
        if (view.commitIndex() > view.log().baseIndex()) {
            addCall(actions, Action.Kind.COMPACT, LogClient.compact(view));
        }
        if (!view.leads()) {
            return;
        }
        addCall(actions, Action.Kind.PROPOSE, LogClient.propose(view, call, 1));
        addCall(actions, Action.Kind.READ, new LogCall.Read(call));
        for (NodeId target : LogClient.transferTargets(view, id)) {
            addCall(actions, Action.Kind.TRANSFER, new LogCall.TransferLeadership(target));
        }
        for (var change : LogClient.memberChanges(view, nodes)) {
            addCall(actions, kindOf(change), new LogCall.ChangeMembers(call, change));
        }
    }

    private static Action.Kind kindOf(LogCall.MemberChange change) {
        return switch (change) {
            case LogCall.AddLearner add -> Action.Kind.ADD_LEARNER;
            case LogCall.Promote promote -> Action.Kind.PROMOTE;
            case LogCall.Remove remove -> Action.Kind.REMOVE;
        };
    }

    private void addCall(List<Action> actions, Action.Kind kind, LogCall call) {
        if (requireNonNull(kind.budget).initial(scope) > 0) {
            actions.add(Action.of(kind, new Event.Call<M>(call)));
        }
    }

    /** The log of a node, up or down. */
    private LogView logView(NodeState nodeState) {
        return view((Consensus<S, M, ?>) protocol, nodeState);
    }

    @SuppressWarnings("unchecked") // a node that is down holds its durable state, see crash()
    private <D> LogView view(Consensus<S, M, D> consensus, NodeState nodeState) {
        return nodeState.isUp() ? consensus.view(state(nodeState)) : consensus.durableView((D) nodeState.state());
    }

    private ActionOutcome loseTail(NodeState nodeState) {
        var before = logView(nodeState);
        var shorter = withoutLastEntry(
                (Consensus<S, M, ?>) protocol, nodeState, before.log().lastIndex() - 1);
        return observing(shorter, new ObservableEvent.LogChanged(nodeId(nodeState.node()), before, logView(shorter)));
    }

    @SuppressWarnings("unchecked") // as in view()
    private <D> NodeState withoutLastEntry(Consensus<S, M, D> consensus, NodeState nodeState, long lastIndex) {
        return nodeState.withState(consensus.withoutTail((D) nodeState.state(), lastIndex));
    }

    private void addDetectorActions(List<Action> actions, NodeState nodeState) {
        for (NodeId peer : neighbourhood(nodeState).neighbours()) {
            if (nodeState.suspected().contains(peer)) {
                actions.add(Action.of(Action.Kind.RESTORE, new Event.Restore<M>(peer)));
            } else {
                actions.add(Action.of(Action.Kind.SUSPECT, new Event.Suspect<M>(peer)));
                if (FaultBudget.WRONG_SUSPICION.initial(scope) > 0) {
                    actions.add(Action.of(Action.Kind.WRONG_SUSPICION, new Event.Suspect<M>(peer)));
                }
            }
        }
    }

    /** All partitions of which this node is the first whose messages are dropped, and the heal of each. */
    private void addPartitions(List<Action> actions, int node) {
        var all = NodeSet.of(nodes);
        for (int others = 0; others < 1 << nodes.size() - node - 1; others++) {
            var side = NodeSet.of(nodeId(node));
            for (int i = node + 1; i < nodes.size(); i++) {
                side = (others >> i - node - 1 & 1) != 0 ? side.with(nodeId(i)) : side;
            }
            var otherSide = all.without(side);
            if (!otherSide.isEmpty()) {
                addPartition(actions, new Fault.Cut(side, otherSide, false));
            }
            if (node > 0) {
                addPartition(actions, new Fault.Cut(side, otherSide, true));
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

    /** The actions on a message that can be delivered. */
    public List<Action> actions(NodeState nodeState, PendingMessage pendingMessage) {
        var actions = new ArrayList<Action>();
        if (FaultBudget.PARTITION.initial(scope) > 0) {
            actions.add(Action.of(Action.Kind.DROP_BY_PARTITION, null, pendingMessage));
        }
        if (!nodeState.isUp()) {
            actions.add(Action.of(Action.Kind.DROP_AT_DOWN_NODE, null, pendingMessage));
            return actions;
        }
        @SuppressWarnings("unchecked") // pending messages only hold messages of this protocol
        var message = (M) pendingMessage.message();
        if (isUnknown(pendingMessage.from(), nodeState)) {
            return actions;
        }
        Event<M> event = nodeState.liveness() == NodeState.Liveness.LEFT
                ? new Event.Forward<>(pendingMessage.from(), message)
                : new Event.Received<>(pendingMessage.from(), message);
        actions.add(Action.of(Action.Kind.RECEIVE, event, pendingMessage));
        if (FaultBudget.LOSS.initial(scope) > 0) {
            actions.add(Action.of(Action.Kind.LOSE, null, pendingMessage));
        }
        if (FaultBudget.DUPLICATION.initial(scope) > 0) {
            actions.add(Action.of(Action.Kind.DUPLICATE, event, pendingMessage));
        }
        return actions;
    }

    /** The outcomes of the first start of a node: one, unless it draws random numbers. */
    public List<ActionOutcome> startOutcomes(int node) {
        boolean isClient =
                !(protocol instanceof ClientServer<S, M> clientServer) || clientServer.isClient(nodeId(node));
        boolean requests = scope.requests().nodes().contains(nodeId(node))
                && isClient
                && Problem.of(protocol).hasCallers();
        int remaining = protocol instanceof Consensus
                ? Integer.MAX_VALUE
                : requests ? scope.requests().perNode() : 0;
        var blank = blank(new NodeState(
                node,
                NO_MEMORY,
                NodeState.Liveness.DOWN,
                AppState.IDLE,
                remaining,
                List.of(),
                NodeSet.NONE,
                0,
                NodeSet.NONE,
                MembershipHistory.EMPTY));
        if (scope.joiners().contains(nodeId(node))) {
            return List.of(new ActionOutcome(blank.withLiveness(NodeState.Liveness.ABSENT), List.of(), List.of()));
        }
        return RandomBranches.outcomes(randomBranches -> {
            var stepExecutor = new StepExecutor<>(this, blank, randomBranches);
            stepExecutor.start(applyTwice(this::startStep, blank), TraceEvent.Start.FIRST);
            return stepExecutor.outcome();
        });
    }

    /** The outcomes of an action: one, unless the node draws random numbers. */
    public List<ActionOutcome> outcomes(NodeState nodeState, Action action) {
        return switch (action.kind()) {
            case CRASH -> List.of(crash(nodeState, List.of(), List.of()));
            case LOSE_TAIL -> List.of(loseTail(nodeState));
            case LOSE, DROP_AT_DOWN_NODE, DROP_BY_PARTITION ->
                List.of(new ActionOutcome(nodeState, List.of(), List.of()));
            case PAUSE -> List.of(observing(nodeState, new ObservableEvent.Paused(nodeId(nodeState.node()))));
            case RESUME -> RandomBranches.outcomes(randomBranches -> resume(nodeState, randomBranches));
            case PARTITION ->
                List.of(observing(nodeState, new ObservableEvent.Partitioned(requireNonNull(action.cut()))));
            case HEAL -> List.of(observing(nodeState, new ObservableEvent.Healed(requireNonNull(action.cut()))));
            case RESTART, AMNESIA ->
                RandomBranches.outcomes(randomBranches -> restart(nodeState, action.kind(), randomBranches));
            case JOIN -> RandomBranches.outcomes(randomBranches -> join(nodeState, randomBranches));
            default ->
                nodeState.liveness() == NodeState.Liveness.ABSENT
                        ? List.of(learn(nodeState, action))
                        : RandomBranches.outcomes(randomBranches -> deliver(nodeState, action, randomBranches));
        };
    }

    /** Urgent timers that are overdue fire at once. */
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

    /** Whether the scope lets the node crash after this number of outputs. */
    public boolean mayCrashAfter(ActionOutcome whole, int outputs) {
        var nodeState = whole.statesDuring().get(outputs - 1);
        return mayCrash(nodeState);
    }

    private boolean mayCrash(NodeState nodeState) {
        var id = nodeId(nodeState.node());
        return nodeState.liveness() != NodeState.Liveness.LEFT
                && scope.faults().crashes().mayCrash(id, nodeState)
                && !(protocol instanceof ClientServer<S, M> clientServer && clientServer.neverCrashes(id));
    }

    /** The outcome with a crash after this number of outputs. */
    public ActionOutcome crashAfter(ActionOutcome whole, int outputs) {
        return crash(
                whole.statesDuring().get(outputs - 1),
                whole.outputs().subList(0, outputs),
                whole.statesDuring().subList(0, outputs));
    }

    @SuppressWarnings("unchecked") // node states only hold states of this protocol
    S state(NodeState nodeState) {
        return (S) nodeState.state();
    }

    private ActionOutcome crash(NodeState nodeState, List<ActionOutcome.Output> done, List<NodeState> during) {
        var stepExecutor = new StepExecutor<>(this, nodeState, RandomBranches.none());
        stepExecutor.crash();
        var crash = stepExecutor.outcome();
        Object memory =
                protocol instanceof Durable<S, M, ?> durable ? durable.durableState(state(nodeState)) : NO_MEMORY;
        return new ActionOutcome(
                nodeState.afterCrash(memory), concat(done, crash.outputs()), concat(during, crash.statesDuring()));
    }

    private static <T> List<T> concat(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private ActionOutcome restart(NodeState nodeState, Action.Kind kind, RandomBranches randomBranches) {
        var stepExecutor = new StepExecutor<>(this, blank(nodeState), randomBranches);
        stepExecutor.observe(new ObservableEvent.Restarted(nodeId(nodeState.node())));
        if (kind == Action.Kind.RESTART && protocol instanceof Durable<S, M, ?> durable) {
            stepExecutor.start(restartStep(durable, nodeState), TraceEvent.Start.WITH_MEMORY);
        } else {
            stepExecutor.start(applyTwice(this::startStep, nodeState), TraceEvent.Start.WITH_AMNESIA);
        }
        return stepExecutor.outcome();
    }

    private static NodeState blank(NodeState nodeState) {
        return new NodeState(
                nodeState.node(),
                NO_MEMORY,
                NodeState.Liveness.UP,
                AppState.IDLE,
                nodeState.remainingRequests(),
                List.of(),
                NodeSet.NONE,
                0,
                nodeState.causalPast(),
                nodeState.history());
    }

    private Step<S, M> startStep(NodeState nodeState) {
        return protocol.start(neighbourhood(nodeState));
    }

    private ActionOutcome join(NodeState nodeState, RandomBranches randomBranches) {
        var stepExecutor = new StepExecutor<>(this, blank(nodeState), randomBranches);
        stepExecutor.join((MembershipAware<S, M>) protocol);
        return stepExecutor.outcome();
    }

    /** A node that has not joined knows the view in which it will, but takes no step. */
    private static ActionOutcome learn(NodeState nodeState, Action action) {
        var history = nodeState.history().with(requireNonNull(action.viewChange()));
        return new ActionOutcome(nodeState.withHistory(history), List.of(), List.of());
    }

    @SuppressWarnings("unchecked") // crash() stored it
    private <D> Step<S, M> restartStep(Durable<S, M, D> durable, NodeState nodeState) {
        var neighbourhood = neighbourhood(nodeState);
        return applyTwice(memory -> durable.restart(neighbourhood, memory), (D) nodeState.state());
    }

    @SuppressWarnings("unchecked") // actions only hold events of this protocol
    private ActionOutcome deliver(NodeState nodeState, Action action, RandomBranches randomBranches) {
        var stepExecutor = new StepExecutor<>(this, nodeState, randomBranches);
        var event = (Event<M>) requireNonNull(action.event());
        stepExecutor.applyEvent(event, action.pendingMessage(), tracksCausality);
        stepExecutor.step(event);
        return stepExecutor.outcome();
    }

    /** Makes the step twice: it must depend on nothing but the state and the event. */
    Step<S, M> step(S state, Event<M> event) {
        return applyTwice(same -> protocol.step(same, event), state);
    }

    private static <A, B> B applyTwice(Function<A, B> function, A argument) {
        B first = function.apply(argument);
        B second = function.apply(argument);
        if (!first.equals(second)) {
            throw new ImpureStepException(first, second);
        }
        return first;
    }
}
