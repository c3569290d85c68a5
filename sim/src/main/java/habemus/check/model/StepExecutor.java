package habemus.check.model;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event at one node, carried out: its step, the effects in order, and what the node then says to itself. */
final class StepExecutor<S, M> {

    private static final int SELF_STEPS_MAX = 1_000;

    private final NodeSemantics<S, M> nodeSemantics;
    private final NodeId self;
    private final RandomBranches randomBranches;
    private final List<ActionOutcome.Output> outputs = new ArrayList<>();
    private final List<NodeState> statesDuring = new ArrayList<>();
    private final ArrayDeque<M> selfMessages = new ArrayDeque<>();
    private final ArrayDeque<Integer> draws = new ArrayDeque<>();
    private NodeState nodeState;

    StepExecutor(NodeSemantics<S, M> nodeSemantics, NodeState nodeState, RandomBranches randomBranches) {
        this.nodeSemantics = nodeSemantics;
        this.nodeState = nodeState;
        this.randomBranches = randomBranches;
        self = nodeSemantics.nodeId(nodeState.node());
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

    /** What the event means to the cell, before the algorithm is told of it. */
    void applyEvent(Event<M> event, @Nullable PendingMessage pendingMessage, boolean causal) {
        switch (event) {
            case Event.Acquire<M>() -> {
                observe(new ObservableEvent.Requested(self, nodeState.causalPast()));
                nodeState = nodeState
                        .afterRequest(NodeState.AppState.WAITING)
                        .withCausalPast(causal ? nodeState.causalPast().with(self) : nodeState.causalPast());
            }
            case Event.Campaign<M>() -> {
                if (nodeState.appState() == NodeState.AppState.IDLE) {
                    observe(new ObservableEvent.Requested(self, nodeState.causalPast()));
                }
                nodeState = nodeState.afterRequest(NodeState.AppState.CANDIDATE);
            }
            case Event.Release<M>() -> {
                nodeState = nodeState.withAppState(NodeState.AppState.IDLE);
                observe(new ObservableEvent.Exited(self));
            }
            case Event.Timeout<M>(var alarm) -> nodeState = nodeState.withoutTimer(alarm);
            case Event.Suspect<M>(var peer) ->
                nodeState = nodeState.withSuspected(nodeState.suspected().with(peer));
            case Event.Restore<M>(var peer) ->
                nodeState = nodeState.withSuspected(nodeState.suspected().without(peer));
            case Event.Received<M> received -> {
                if (pendingMessage != null && !pendingMessage.causalPast().isEmpty()) {
                    nodeState = nodeState.withCausalPast(nodeState.causalPast().with(pendingMessage.causalPast()));
                }
            }
            case Event.Drawn<M> drawn -> {}
        }
    }

    void start(Step<S, M> step, TraceEvent.Start how) {
        execute(step, new ActionOutcome.Output.StepTaken(null, how, step.state(), step.effects()));
        drainLocalEvents();
    }

    /** An alarm rings, unless it was calmed meanwhile. */
    void fireTimer(Enum<?> alarm) {
        if (nodeState.timers().stream().anyMatch(each -> each.timer() == alarm)) {
            var event = new Event.Timeout<M>(alarm);
            applyEvent(event, null, false);
            step(event);
        }
    }

    void step(Event<M> event) {
        var step = nodeSemantics.step(nodeSemantics.state(nodeState), event);
        execute(step, new ActionOutcome.Output.StepTaken(event, null, step.state(), step.effects()));
        drainLocalEvents();
    }

    /** What the node said to itself, and the dice it rolled, come before anything else. */
    private void drainLocalEvents() {
        for (int steps = 0; !selfMessages.isEmpty() || !draws.isEmpty(); steps++) {
            ProtocolBug.unless(steps < SELF_STEPS_MAX, "talking to oneself for ever", nodeState.state());
            Event<M> event = draws.isEmpty()
                    ? new Event.Received<>(self, selfMessages.remove())
                    : new Event.Drawn<>(draws.remove());
            var step = nodeSemantics.step(nodeSemantics.state(nodeState), event);
            execute(step, new ActionOutcome.Output.StepTaken(event, null, step.state(), step.effects()));
        }
    }

    private void execute(Step<S, M> step, ActionOutcome.Output.StepTaken stepTaken) {
        nodeState = nodeState.withState(step.state());
        addOutput(stepTaken);
        for (Effect<M> effect : step.effects()) {
            switch (effect) {
                case Effect.Send<M>(var to, var message) -> send(to, message);
                case Effect.SendAll<M>(var to, var message) -> to.forEach(each -> send(each, message));
                case Effect.SetTimer<M> setTimer -> setTimer(setTimer);
                case Effect.CancelTimer<M>(var alarm) -> nodeState = nodeState.withoutTimer(alarm);
                case Effect.Draw<M>(var sides) -> draws.add(randomBranches.draw(sides));
                case Effect.Grant<M>(var fence) -> grant(fence);
                case Effect.Elected<M>(var leader, var term) -> announceLeader(leader, term);
                case Effect.Lost<M>() -> loseLockOrLeader();
                case Effect.Suspect<M>(var peer) -> observe(new ObservableEvent.Suspected(self, peer));
                case Effect.Restore<M>(var peer) -> observe(new ObservableEvent.Restored(self, peer));
            }
        }
    }

    private void send(NodeId to, M message) {
        if (to.equals(self)) {
            selfMessages.add(message);
            return;
        }
        if (!nodeSemantics.scope().topology().neighbourhood(self).neighbours().contains(to)) {
            throw new ProtocolBug("sending to " + to + ", which is no neighbour,", nodeState.state());
        }
        addOutput(new ActionOutcome.Output.MessageSent(to, message));
    }

    /** Only a synchronous world asks how long: elsewhere any time is as good as any other. */
    private void setTimer(Effect.SetTimer<M> setTimer) {
        if (!(nodeSemantics.protocol() instanceof Timed)) {
            return;
        }
        if (nodeSemantics.scope().isSynchronous()) {
            var tick = nodeSemantics.scope().tick();
            nodeState = nodeState.withTimer(new NodeState.PendingTimer(
                    setTimer.timer(),
                    NodeState.toTicks(setTimer.atLeast(), tick),
                    NodeState.toTicks(setTimer.atMost(), tick)));
        } else {
            nodeState = nodeState.withTimer(new NodeState.PendingTimer(setTimer.timer(), 0, 0));
        }
    }

    private void grant(long fence) {
        ProtocolBug.unless(
                nodeState.appState() == NodeState.AppState.WAITING, "a grant that nobody waits for", nodeState.state());
        nodeState = nodeState.withAppState(NodeState.AppState.HOLDING);
        observe(new ObservableEvent.Entered(self, fence));
    }

    private void announceLeader(NodeId leader, long term) {
        dropLeader();
        nodeState = nodeState.withLeader(leader.number());
        observe(new ObservableEvent.LeaderAnnounced(self, leader, term));
    }

    private void dropLeader() {
        if (nodeState.leader() != 0) {
            var leader = new NodeId(nodeState.leader());
            nodeState = nodeState.withLeader(0);
            observe(new ObservableEvent.LeaderDropped(self, leader));
        }
    }

    private void loseLockOrLeader() {
        if (nodeState.appState() == NodeState.AppState.HOLDING) {
            nodeState = nodeState.withAppState(NodeState.AppState.IDLE);
            observe(new ObservableEvent.Exited(self));
        }
        dropLeader();
    }
}
