package habemus.lab.diagram.model;

import habemus.lab.diagram.model.NodeCondition.Down;
import habemus.lab.diagram.model.NodeCondition.Following;
import habemus.lab.diagram.model.NodeCondition.Holding;
import habemus.lab.diagram.model.NodeCondition.Leading;
import habemus.lab.diagram.model.NodeCondition.Paused;
import habemus.lab.diagram.model.NodeCondition.Suspecting;
import habemus.lab.diagram.model.NodeCondition.Waiting;
import habemus.lab.trace.Recording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Derives from a trace what every node was, and for how long. Each has one health and one role at a time. */
final class ConditionIntervals {

    /** A condition that has begun, and at which line. */
    private record OpenInterval(NodeCondition nodeCondition, int line) {}

    private static final class OpenIntervals {
        @Nullable
        OpenInterval health;

        @Nullable
        OpenInterval role;
    }

    private final TreeMap<NodeId, OpenIntervals> openIntervalsByNode = new TreeMap<>();
    private final List<ConditionInterval> conditionIntervals = new ArrayList<>();

    private ConditionIntervals() {}

    /** In the order in which they begin. */
    static List<ConditionInterval> of(Recording recording) {
        var derived = new ConditionIntervals();
        var lines = recording.events();
        for (int i = 0; i < lines.size(); i++) {
            derived.read(lines.get(i), i);
        }
        derived.openIntervalsByNode.keySet().forEach(node -> {
            derived.setHealth(node, lines.size(), null);
            derived.setRole(node, lines.size(), null);
        });
        derived.conditionIntervals.sort(
                Comparator.comparingInt(ConditionInterval::from).thenComparing(ConditionInterval::node));
        return List.copyOf(derived.conditionIntervals);
    }

    private void read(TraceEvent line, int at) {
        switch (line) {
            case TraceEvent.Started started -> {
                setHealth(started.node(), at, null);
                setRole(started.node(), at, null);
                applyEffects(started, at);
            }
            case TraceEvent.Step step -> {
                applyEvent(step, at);
                applyEffects(step, at);
            }
            case TraceEvent.FaultInjected(var time, var fault) -> applyFault(fault, at);
            default -> {}
        }
    }

    private void applyEvent(TraceEvent.Step step, int at) {
        switch (step.event()) {
            case Event.Acquire<?>() -> setRole(step.node(), at, new Waiting());
            case Event.Release<?>() -> setRole(step.node(), at, null);
            case Event.Campaign<?>() -> {
                var role = openIntervals(step.node()).role;
                if (role == null || role.nodeCondition instanceof Suspecting) {
                    setRole(step.node(), at, new Waiting());
                }
            }
            default -> {}
        }
    }

    private void applyEffects(TraceEvent.NodeStep nodeStep, int at) {
        for (Effect<?> effect : nodeStep.effects()) {
            switch (effect) {
                case Effect.Grant<?>(var fence) -> setRole(nodeStep.node(), at, new Holding(fence));
                case Effect.Elected<?>(var leader, var term) ->
                    setRole(
                            nodeStep.node(),
                            at,
                            leader.equals(nodeStep.node()) ? new Leading(term) : new Following(leader, term));
                case Effect.Lost<?>() -> setRole(nodeStep.node(), at, null);
                case Effect.Suspect<?>(var peer) ->
                    setSuspected(nodeStep.node(), at, suspected(nodeStep.node()).with(peer));
                case Effect.Restore<?>(var peer) ->
                    setSuspected(nodeStep.node(), at, suspected(nodeStep.node()).without(peer));
                default -> {}
            }
        }
    }

    private NodeSet suspected(NodeId node) {
        var role = openIntervals(node).role;
        return role != null && role.nodeCondition instanceof Suspecting(var peers) ? peers : NodeSet.NONE;
    }

    /** Shown only of who has no other role. */
    private void setSuspected(NodeId node, int at, NodeSet peers) {
        var role = openIntervals(node).role;
        if (role == null || role.nodeCondition instanceof Suspecting) {
            setRole(node, at, peers.isEmpty() ? null : new Suspecting(peers));
        }
    }

    private void applyFault(Fault fault, int at) {
        switch (fault) {
            case Fault.Crash(var node) -> {
                setRole(node, at, null);
                setHealth(node, at, new Down());
            }
            case Fault.Pause(var node) -> {
                if (openIntervals(node).health == null) {
                    setHealth(node, at, new Paused());
                }
            }
            case Fault.Resume(var node) -> resume(node, at);
            case Fault.Heal() -> openIntervalsByNode.keySet().forEach(node -> resume(node, at));
            default -> {}
        }
    }

    private void resume(NodeId node, int at) {
        var health = openIntervals(node).health;
        if (health != null && health.nodeCondition instanceof Paused) {
            setHealth(node, at, null);
        }
    }

    private void setHealth(NodeId node, int at, @Nullable NodeCondition next) {
        var openIntervals = openIntervals(node);
        openIntervals.health = change(node, openIntervals.health, at, next);
    }

    private void setRole(NodeId node, int at, @Nullable NodeCondition next) {
        var openIntervals = openIntervals(node);
        openIntervals.role = change(node, openIntervals.role, at, next);
    }

    private @Nullable OpenInterval change(
            NodeId node, @Nullable OpenInterval before, int at, @Nullable NodeCondition next) {
        if (before != null && before.nodeCondition.equals(next)) {
            return before;
        }
        if (before != null && before.line < at) {
            conditionIntervals.add(new ConditionInterval(node, before.nodeCondition, before.line, at));
        }
        return Optional.ofNullable(next).map(one -> new OpenInterval(one, at)).orElse(null);
    }

    private OpenIntervals openIntervals(NodeId node) {
        return openIntervalsByNode.computeIfAbsent(node, unknown -> new OpenIntervals());
    }
}
