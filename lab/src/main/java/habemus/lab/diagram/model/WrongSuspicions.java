package habemus.lab.diagram.model;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the suspicions of live nodes. */
public final class WrongSuspicions {

    private record Pair(NodeId node, NodeId peer) {}

    private WrongSuspicions() {}

    /** The indexes of the events in which a node suspects a peer that is up. */
    public static Set<Integer> indexesIn(List<TraceEvent> events) {
        var injected = new HashSet<Pair>();
        var down = new HashSet<NodeId>();
        var indexes = new HashSet<Integer>();
        for (int i = 0; i < events.size(); i++) {
            switch (events.get(i)) {
                case TraceEvent.FaultInjected(var at, Fault.WrongSuspicion(var node, var peer)) ->
                    injected.add(new Pair(node, peer));
                case TraceEvent.FaultInjected(var at, Fault.Correct(var node, var peer)) ->
                    injected.remove(new Pair(node, peer));
                case TraceEvent.FaultInjected(var at, Fault.Heal()) -> injected.clear();
                case TraceEvent.Observed(var at, ObservableEvent.Crashed(var node, var asking)) -> down.add(node);
                case TraceEvent.Observed(var at, ObservableEvent.Restarted(var node)) -> down.remove(node);
                case TraceEvent.Step step
                when step.event() instanceof Event.Suspect<?>(var peer)
                        && injected.contains(new Pair(step.node(), peer)) -> indexes.add(i);
                case TraceEvent.Step step
                when step.effects().stream()
                        .anyMatch(effect -> effect instanceof Effect.Suspect<?>(var peer) && !down.contains(peer)) ->
                    indexes.add(i);
                default -> {}
            }
        }
        return indexes;
    }
}
