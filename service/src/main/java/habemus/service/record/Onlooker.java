package habemus.service.record;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Causality;
import habemus.world.Happening;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sees what can be seen of a cluster from outside, from the steps of its nodes. */
final class Onlooker {

    private final Causality causality;
    private final Map<NodeId, NodeId> leaders = new HashMap<>();
    private final Set<NodeId> asking = new HashSet<>();
    private final Set<NodeId> inside = new HashSet<>();
    private final Map<Object, int[]> clocks = new HashMap<>();

    Onlooker(int nodes) {
        causality = new Causality(nodes);
    }

    /** A message leaves the node. */
    void sent(NodeId from, Object mail) {
        clocks.put(mail, causality.send(from.number()));
    }

    void received(NodeId to, Object mail) {
        var clock = clocks.remove(mail);
        if (clock != null) {
            causality.receive(to.number(), clock);
        }
    }

    List<Happening> before(NodeId node, Event<?> event) {
        return switch (event) {
            case Event.Acquire<?> acquire -> List.of(ask(node));
            case Event.Campaign<?> campaign -> List.of(ask(node));
            case Event.Release<?> release when inside.remove(node) -> List.of(new Happening.Left(node));
            default -> List.of();
        };
    }

    private Happening ask(NodeId node) {
        asking.add(node);
        return new Happening.Asked(node, causality.ask(node));
    }

    List<Happening> after(NodeId node, List<? extends Effect<?>> effects) {
        var seen = new ArrayList<Happening>();
        for (Effect<?> effect : effects) {
            switch (effect) {
                case Effect.Grant<?>(var fence) -> {
                    causality.stopWaiting(node);
                    asking.remove(node);
                    inside.add(node);
                    seen.add(new Happening.Entered(node, fence));
                }
                case Effect.Elected<?>(var leader, var term) -> {
                    disown(node, seen);
                    leaders.put(node, leader);
                    seen.add(new Happening.Named(node, leader, term));
                }
                case Effect.Lost<?>() -> {
                    if (inside.remove(node)) {
                        seen.add(new Happening.Left(node));
                    }
                    disown(node, seen);
                }
                default -> {}
            }
        }
        return seen;
    }

    List<Happening> crashed(NodeId node) {
        var seen = new ArrayList<Happening>();
        disown(node, seen);
        causality.stopWaiting(node);
        inside.remove(node);
        seen.add(new Happening.Crashed(node, asking.remove(node)));
        return seen;
    }

    private void disown(NodeId node, List<Happening> seen) {
        var leader = leaders.remove(node);
        if (leader != null) {
            seen.add(new Happening.Disowned(node, leader));
        }
    }
}
