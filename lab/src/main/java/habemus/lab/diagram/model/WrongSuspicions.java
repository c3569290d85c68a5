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

/** Tells wrong suspicions from right ones: those of who is up. */
public final class WrongSuspicions {

    private record Pair(NodeId node, NodeId peer) {}

    private WrongSuspicions() {}

    /** The indices of the lines in which a node suspects a peer by mistake. */
    public static Set<Integer> indexesIn(List<TraceEvent> lines) {
        var mistaken = new HashSet<Pair>();
        var down = new HashSet<NodeId>();
        var wrong = new HashSet<Integer>();
        for (int i = 0; i < lines.size(); i++) {
            switch (lines.get(i)) {
                case TraceEvent.FaultInjected(var at, Fault.WrongSuspicion(var node, var peer)) ->
                    mistaken.add(new Pair(node, peer));
                case TraceEvent.FaultInjected(var at, Fault.Correct(var node, var peer)) ->
                    mistaken.remove(new Pair(node, peer));
                case TraceEvent.FaultInjected(var at, Fault.Heal()) -> mistaken.clear();
                case TraceEvent.Observed(var at, ObservableEvent.Crashed(var node, var asking)) -> down.add(node);
                case TraceEvent.Observed(var at, ObservableEvent.Restarted(var node)) -> down.remove(node);
                case TraceEvent.Step step
                when step.event() instanceof Event.Suspect<?>(var peer)
                        && mistaken.contains(new Pair(step.node(), peer)) -> wrong.add(i);
                case TraceEvent.Step step
                when step.effects().stream()
                        .anyMatch(effect -> effect instanceof Effect.Suspect<?>(var peer) && !down.contains(peer)) ->
                    wrong.add(i);
                default -> {}
            }
        }
        return wrong;
    }
}
