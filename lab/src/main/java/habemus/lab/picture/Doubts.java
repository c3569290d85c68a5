package habemus.lab.picture;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.TraceLine;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tells wrong suspicions from right ones: those of who is up. */
final class Doubts {

    private record Pair(NodeId node, NodeId peer) {}

    private Doubts() {}

    /** The indices of the lines in which a node suspects a peer by mistake. */
    static Set<Integer> wrong(List<TraceLine> lines) {
        var mistaken = new HashSet<Pair>();
        var down = new HashSet<NodeId>();
        var wrong = new HashSet<Integer>();
        for (int i = 0; i < lines.size(); i++) {
            switch (lines.get(i)) {
                case TraceLine.Struck(var at, Fault.Mistake(var node, var peer)) -> mistaken.add(new Pair(node, peer));
                case TraceLine.Struck(var at, Fault.Correct(var node, var peer)) ->
                    mistaken.remove(new Pair(node, peer));
                case TraceLine.Struck(var at, Fault.Heal()) -> mistaken.clear();
                case TraceLine.Seen(var at, Happening.Crashed(var node, var asking)) -> down.add(node);
                case TraceLine.Seen(var at, Happening.Restarted(var node)) -> down.remove(node);
                case TraceLine.Stepped stepped
                when stepped.event() instanceof Event.Suspect<?>(var peer)
                        && mistaken.contains(new Pair(stepped.node(), peer)) -> wrong.add(i);
                case TraceLine.Stepped stepped
                when stepped.effects().stream()
                        .anyMatch(effect -> effect instanceof Effect.Suspect<?>(var peer) && !down.contains(peer)) ->
                    wrong.add(i);
                default -> {}
            }
        }
        return wrong;
    }
}
