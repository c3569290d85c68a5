package habemus.lab.diagram.model;

import habemus.lab.diagram.model.NodeCondition.Absent;
import habemus.lab.diagram.model.NodeCondition.Down;
import habemus.lab.diagram.model.NodeCondition.Following;
import habemus.lab.diagram.model.NodeCondition.Holding;
import habemus.lab.diagram.model.NodeCondition.InSection;
import habemus.lab.diagram.model.NodeCondition.Leading;
import habemus.lab.diagram.model.NodeCondition.Paused;
import habemus.lab.diagram.model.NodeCondition.Suspecting;
import habemus.lab.diagram.model.NodeCondition.Waiting;
import habemus.lab.trace.Recording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.Milestone;
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

/** Derives the condition intervals of all nodes from a trace. A node has one health and one role at a time. */
final class ConditionIntervals {

    /** A condition that has not ended yet, and the index of the event that started it. */
    private record OpenInterval(NodeCondition condition, int index) {}

    private static final class OpenIntervals {
        @Nullable
        OpenInterval health;

        @Nullable
        OpenInterval role;
    }

    private final TreeMap<NodeId, OpenIntervals> openIntervalsByNode = new TreeMap<>();
    private final List<ConditionInterval> intervals = new ArrayList<>();

    private ConditionIntervals() {}

    /** All intervals, ordered by their start. */
    static List<ConditionInterval> of(Recording recording) {
        var derived = new ConditionIntervals();
        var events = recording.events();
        events.forEach(derived::readJoin);
        for (int i = 0; i < events.size(); i++) {
            derived.read(events.get(i), i);
        }
        derived.openIntervalsByNode.keySet().forEach(node -> {
            derived.setHealth(node, events.size(), null);
            derived.setRole(node, events.size(), null);
        });
        derived.intervals.sort(Comparator.comparingInt(ConditionInterval::from).thenComparing(ConditionInterval::node));
        return List.copyOf(derived.intervals);
    }

    /** A node that joins later is no member before. */
    private void readJoin(TraceEvent event) {
        if (event instanceof TraceEvent.Started started && started.how() == TraceEvent.Start.AS_NEW_MEMBER) {
            setHealth(started.node(), 0, new Absent());
        }
    }

    private void read(TraceEvent event, int index) {
        switch (event) {
            case TraceEvent.Started started -> {
                setHealth(started.node(), index, null);
                setRole(started.node(), index, null);
                applyEffects(started, index);
            }
            case TraceEvent.Step step -> {
                applyEvent(step, index);
                applyEffects(step, index);
            }
            case TraceEvent.FaultInjected(var time, var fault) -> applyFault(fault, index);
            default -> {}
        }
    }

    private void applyEvent(TraceEvent.Step step, int index) {
        switch (step.event()) {
            case Event.Acquire<?>() -> setRole(step.node(), index, new Waiting());
            case Event.Release<?>() -> setRole(step.node(), index, null);
            case Event.Leave<?>() -> {
                setRole(step.node(), index, null);
                setHealth(step.node(), index, new Absent());
            }
            case Event.Campaign<?>() -> {
                var role = openIntervals(step.node()).role;
                if (role == null || role.condition instanceof Suspecting) {
                    setRole(step.node(), index, new Waiting());
                }
            }
            default -> {}
        }
    }

    private void applyEffects(TraceEvent.NodeStep nodeStep, int index) {
        for (Effect<?> effect : nodeStep.effects()) {
            switch (effect) {
                case Effect.Grant<?>(var fence) -> setRole(nodeStep.node(), index, new Holding(fence));
                case Effect.Elected<?>(var leader, var term) ->
                    setRole(
                            nodeStep.node(),
                            index,
                            leader.equals(nodeStep.node()) ? new Leading(term) : new Following(leader, term));
                case Effect.Lost<?>() -> setRole(nodeStep.node(), index, null);
                case Effect.Suspect<?>(var peer) ->
                    setSuspected(
                            nodeStep.node(), index, suspected(nodeStep.node()).with(peer));
                case Effect.Restore<?>(var peer) ->
                    setSuspected(
                            nodeStep.node(), index, suspected(nodeStep.node()).without(peer));
                case Effect.Report<?>(var milestone) -> applyMilestone(nodeStep.node(), index, milestone);
                default -> {}
            }
        }
    }

    private void applyMilestone(NodeId node, int index, Milestone milestone) {
        switch (milestone) {
            case Milestone.Requested() -> setRole(node, index, new Waiting());
            case Milestone.Entered(var limit) -> setRole(node, index, new InSection(limit));
            case Milestone.Exited() -> setRole(node, index, null);
            default -> {}
        }
    }

    private NodeSet suspected(NodeId node) {
        var role = openIntervals(node).role;
        return role != null && role.condition instanceof Suspecting(var peers) ? peers : NodeSet.NONE;
    }

    /** Suspicions are shown only for a node without another role. */
    private void setSuspected(NodeId node, int index, NodeSet peers) {
        var role = openIntervals(node).role;
        if (role == null || role.condition instanceof Suspecting) {
            setRole(node, index, peers.isEmpty() ? null : new Suspecting(peers));
        }
    }

    private void applyFault(Fault fault, int index) {
        switch (fault) {
            case Fault.Crash(var node) -> {
                setRole(node, index, null);
                setHealth(node, index, new Down());
            }
            case Fault.Pause(var node) -> {
                if (openIntervals(node).health == null) {
                    setHealth(node, index, new Paused());
                }
            }
            case Fault.Resume(var node) -> resume(node, index);
            case Fault.Heal() -> openIntervalsByNode.keySet().forEach(node -> resume(node, index));
            default -> {}
        }
    }

    private void resume(NodeId node, int index) {
        var health = openIntervals(node).health;
        if (health != null && health.condition instanceof Paused) {
            setHealth(node, index, null);
        }
    }

    private void setHealth(NodeId node, int index, @Nullable NodeCondition next) {
        var openIntervals = openIntervals(node);
        openIntervals.health = change(node, openIntervals.health, index, next);
    }

    private void setRole(NodeId node, int index, @Nullable NodeCondition next) {
        var openIntervals = openIntervals(node);
        openIntervals.role = change(node, openIntervals.role, index, next);
    }

    private @Nullable OpenInterval change(
            NodeId node, @Nullable OpenInterval before, int index, @Nullable NodeCondition next) {
        if (before != null && before.condition.equals(next)) {
            return before;
        }
        if (before != null && before.index < index) {
            intervals.add(new ConditionInterval(node, before.condition, before.index, index));
        }
        return Optional.ofNullable(next)
                .map(condition -> new OpenInterval(condition, index))
                .orElse(null);
    }

    private OpenIntervals openIntervals(NodeId node) {
        return openIntervalsByNode.computeIfAbsent(node, unknown -> new OpenIntervals());
    }
}
