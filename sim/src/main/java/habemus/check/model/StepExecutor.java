package habemus.check.model;

import habemus.protocol.Consensus;
import habemus.protocol.Effect;
import habemus.protocol.EffectExecutor;
import habemus.protocol.Event;
import habemus.protocol.MembershipAware;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.world.AppState;
import habemus.world.MembershipHistory.ViewChange;
import habemus.world.NodeObserver;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes one event at one node: its step, the effects in order, then the events that the node causes for itself. */
final class StepExecutor<S, M> implements EffectExecutor.Environment<M> {

    private final NodeSemantics<S, M> nodeSemantics;
    private final NodeId self;
    private final RandomBranches randomBranches;
    private final EffectExecutor<M> effectExecutor = new EffectExecutor<>(this);
    private final NodeObserver nodeObserver = new Observer();
    private final List<ActionOutcome.Output> outputs = new ArrayList<>();
    private final List<NodeState> statesDuring = new ArrayList<>();
    private NodeState nodeState;

    StepExecutor(NodeSemantics<S, M> nodeSemantics, NodeState nodeState, RandomBranches randomBranches) {
        this.nodeSemantics = nodeSemantics;
        this.nodeState = nodeState;
        this.randomBranches = randomBranches;
        self = nodeSemantics.nodeId(nodeState.node());
    }

    private final class Observer extends NodeObserver {
        @Override
        protected AppState appState(NodeId node) {
            return nodeState.appState();
        }

        @Override
        protected void setAppState(NodeId node, AppState next) {
            nodeState = nodeState.withAppState(next);
        }

        @Override
        protected int leader(NodeId node) {
            return nodeState.leader();
        }

        @Override
        protected void setLeader(NodeId node, int leader) {
            nodeState = nodeState.withLeader(leader);
        }

        @Override
        protected void observe(ObservableEvent event) {
            StepExecutor.this.observe(event);
        }
    }

    ActionOutcome outcome() {
        return new ActionOutcome(nodeState, List.copyOf(outputs), List.copyOf(statesDuring));
    }

    void observe(ObservableEvent observableEvent) {
        addOutput(new ActionOutcome.Output.EventObserved(observableEvent));
    }

    private void addOutput(ActionOutcome.Output output) {
        outputs.add(output);
        statesDuring.add(nodeState);
    }

    /** Applies what the event means to the node's surroundings, before the algorithm handles it. */
    void applyEvent(Event<M> event, @Nullable PendingMessage pendingMessage, boolean tracksCausality) {
        nodeObserver.beforeStep(self, event, nodeState::causalPast);
        switch (event) {
            case Event.Acquire<M>() -> {
                nodeState = nodeState.withOneRequestLess();
                if (tracksCausality) {
                    nodeState = nodeState.withCausalPast(nodeState.causalPast().with(self));
                }
            }
            case Event.Campaign<M>() -> nodeState = nodeState.withOneRequestLess();
            case Event.Timeout<M>(var timer) -> nodeState = nodeState.withoutTimer(timer);
            case Event.Suspect<M>(var peer) ->
                nodeState = nodeState.withSuspected(nodeState.suspected().with(peer));
            case Event.Restore<M>(var peer) ->
                nodeState = nodeState.withSuspected(nodeState.suspected().without(peer));
            case Event.Received<M> received -> {
                if (pendingMessage != null && !pendingMessage.causalPast().isEmpty()) {
                    nodeState = nodeState.withCausalPast(nodeState.causalPast().with(pendingMessage.causalPast()));
                }
            }
            case Event.Release<M> release -> {}
            case Event.Drawn<M> drawn -> {}
            case Event.Call<M> call -> nodeState = nodeState.withOneCallLess();
            case Event.Synced<M> synced -> {}
            case Event.Joined<M>(var peer, var view) -> addChange(new ViewChange(peer, true));
            case Event.Left<M>(var peer, var view) -> {
                addChange(new ViewChange(peer, false));
                nodeState = nodeState.withSuspected(nodeState.suspected().without(peer));
            }
            case Event.Leave<M>() -> {
                nodeObserver.onLeave(self);
                nodeState = nodeState.afterLeave(nodeState.history().with(new ViewChange(self, false)));
            }
            case Event.Forward<M> forward -> {}
        }
    }

    private void addChange(ViewChange change) {
        nodeState = nodeState.withHistory(nodeState.history().with(change));
    }

    /** The node starts as a new member. */
    void join(MembershipAware<S, M> aware) {
        observe(new ObservableEvent.Joined(self));
        addChange(new ViewChange(self, true));
        var neighbourhood = nodeSemantics.neighbourhood(nodeState);
        start(nodeSemantics.joinStep(aware, neighbourhood, nodeState.history().view()), TraceEvent.Start.AS_NEW_MEMBER);
    }

    void start(Step<S, M> step, TraceEvent.Start how) {
        nodeState = nodeState.withState(step.state());
        addOutput(new ActionOutcome.Output.StepTaken(null, how, step.state(), step.effects()));
        if (nodeSemantics.protocol() instanceof Consensus<S, M, ?> consensus) {
            nodeObserver.onLogStart(self, consensus.view(step.state()));
        }
        effectExecutor.execute(self, step.effects());
        drainLocalEvents();
    }

    /** Fires the timer, unless an earlier step cancelled it. */
    void fireTimer(Enum<?> timer) {
        if (nodeState.timers().stream().anyMatch(each -> each.timer() == timer)) {
            var event = new Event.Timeout<M>(timer);
            applyEvent(event, null, false);
            step(event);
        }
    }

    void step(Event<M> event) {
        handle(event);
        drainLocalEvents();
    }

    private void drainLocalEvents() {
        for (var event = nextLocalEvent(); event != null; event = nextLocalEvent()) {
            handle(event);
        }
    }

    private @Nullable Event<M> nextLocalEvent() {
        var event = effectExecutor.nextLocalEvent(self, nodeState.state());
        if (event == null
                && nodeSemantics.scope().syncsAtOnce()
                && nodeSemantics.protocol() instanceof Consensus<S, M, ?> consensus) {
            var view = consensus.view(nodeSemantics.state(nodeState));
            return view.isSynced() ? null : new Event.Synced<>(view.log().last());
        }
        return event;
    }

    private void handle(Event<M> event) {
        var step = nodeSemantics.step(nodeSemantics.state(nodeState), event);
        execute(step, new ActionOutcome.Output.StepTaken(event, null, step.state(), step.effects()));
    }

    private void execute(Step<S, M> step, ActionOutcome.Output.StepTaken stepTaken) {
        var before = nodeSemantics.state(nodeState);
        nodeState = nodeState.withState(step.state());
        addOutput(stepTaken);
        if (nodeSemantics.protocol() instanceof Consensus<S, M, ?> consensus) {
            nodeObserver.onLogStep(self, consensus.view(before), consensus.view(step.state()));
        }
        effectExecutor.execute(self, step.effects());
    }

    /** The node crashes in the state it has reached. Both events show the state before the crash. */
    void crash() {
        var before = nodeState;
        nodeObserver.onCrash(self);
        statesDuring.replaceAll(ignored -> before);
    }

    @Override
    public void send(int to, M message) {
        var receiver = new NodeId(to);
        if (!nodeSemantics.neighbourhood(nodeState).neighbours().contains(receiver)) {
            throw new ProtocolBug("sending to " + receiver + ", which is not a neighbour,", nodeState.state());
        }
        addOutput(new ActionOutcome.Output.MessageSent(receiver, message));
    }

    /** Only a synchronous world counts ticks: elsewhere a timer may fire at any time. */
    @Override
    public void setTimer(Effect.SetTimer<M> setTimer) {
        if (!(nodeSemantics.protocol() instanceof Timed) || nodeState.liveness() == NodeState.Liveness.LEFT) {
            return;
        }
        if (nodeSemantics.scope().isSynchronous()) {
            var tick = nodeSemantics.scope().timers().tick();
            nodeState = nodeState.withTimer(new NodeState.PendingTimer(
                    setTimer.timer(),
                    NodeState.toTicks(setTimer.atLeast(), tick),
                    NodeState.toTicks(setTimer.atMost(), tick)));
        } else {
            nodeState = nodeState.withTimer(new NodeState.PendingTimer(setTimer.timer(), 0, 0));
        }
    }

    @Override
    public void cancelTimer(Enum<?> timer) {
        nodeState = nodeState.withoutTimer(timer);
    }

    @Override
    public int draw(int bound) {
        return randomBranches.draw(bound);
    }

    @Override
    public void notifyApplication(Effect<M> effect) {
        ProtocolBug.unless(
                !(effect instanceof Effect.Grant) || nodeState.appState() == AppState.WAITING,
                "a grant without a request",
                nodeState.state());
        nodeObserver.onEffect(self, effect);
    }
}
