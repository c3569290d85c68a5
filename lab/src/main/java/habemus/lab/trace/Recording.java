package habemus.lab.trace;

import habemus.protocol.NodeId;
import habemus.world.TraceLine;
import java.util.List;

/**
 * A run as it was recorded.
 *
 * @param nodes in the order in which pictures show them
 */
public record Recording(String title, List<NodeId> nodes, List<TraceLine> lines) {

    public Recording {
        nodes = List.copyOf(nodes);
        lines = List.copyOf(lines);
    }
}
