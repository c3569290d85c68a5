package habemus.lab.picture;

import habemus.lab.picture.TrafficSvg.Spot;
import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.util.Map;
import java.util.TreeMap;

/** Where the nodes of a topology stand on a square. */
final class Layout {

    private Layout() {}

    static Map<NodeId, Spot> of(Topology topology, double size) {
        return onCircle(topology, size);
    }

    /** In their order, clockwise from the top. */
    private static Map<NodeId, Spot> onCircle(Topology topology, double size) {
        var spots = new TreeMap<NodeId, Spot>();
        double radius = size / 2;
        for (int i = 0; i < topology.size(); i++) {
            double angle = 2 * Math.PI * i / topology.size();
            spots.put(
                    topology.nodes().get(i),
                    new Spot(radius + radius * Math.sin(angle), radius - radius * Math.cos(angle)));
        }
        return spots;
    }
}
