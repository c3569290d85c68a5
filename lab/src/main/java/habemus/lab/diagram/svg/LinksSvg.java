package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws a matrix of senders and receivers; a cell is darker for more messages. */
final class LinksSvg {

    private static final double MAX_CELL_SIZE = 18;
    private static final double MAX_SIZE = 720;
    private static final double HEADER_HEIGHT = 40; // for the names of the columns

    private final List<NodeId> nodes;
    private final Map<NodeId, Map<NodeId, Integer>> sent = new TreeMap<>();
    private final double cellSize;

    LinksSvg(DiagramModel model) {
        nodes = model.nodes();
        cellSize = Math.min(MAX_CELL_SIZE, MAX_SIZE / Math.max(1, nodes.size()));
        for (TraceEvent event : model.events()) {
            if (event instanceof TraceEvent.NodeStep step) {
                step.sent()
                        .forEach(message -> sent.computeIfAbsent(message.from(), any -> new TreeMap<>())
                                .merge(message.to(), 1, Integer::sum));
            }
        }
    }

    double height() {
        return HEADER_HEIGHT + 40 + cellSize * nodes.size();
    }

    SvgElement draw(double left, double top) {
        int max = sent.values().stream()
                .flatMap(receivers -> receivers.values().stream())
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
        var group = SvgElement.group("links")
                .add(SvgElement.text("panel", left, top, "MESSAGES BY SENDER AND RECEIVER (UP TO " + max + ")"));
        double y = top + HEADER_HEIGHT;
        for (int i = 0; i < nodes.size(); i++) {
            addName(group, nodes.get(i), left, y + cellSize * i, i);
            var row = sent.getOrDefault(nodes.get(i), Map.of());
            for (int j = 0; j < nodes.size(); j++) {
                int count = row.getOrDefault(nodes.get(j), 0);
                if (count > 0) {
                    group.add(SvgElement.rectangle(
                                    "activity", left + cellSize * j, y + cellSize * i, cellSize - 1, cellSize - 1)
                            .with("fill-opacity", Math.max(0.06, Math.sqrt((double) count / max)))
                            .withTooltip(nodes.get(i) + " → " + nodes.get(j) + ": " + count));
                }
            }
        }
        return group;
    }

    /** Writes the name beside the row and above the column, as often as names fit. */
    private void addName(SvgElement group, NodeId node, double left, double y, int index) {
        int every = (int) Math.ceil(MAX_CELL_SIZE * 0.7 / cellSize);
        if (index % every == 0) {
            group.add(SvgElement.text("name", left - 8, y + cellSize / 2 + 4, node.toString()));
            double x = left + cellSize * index + cellSize / 2 + 4;
            double foot = y - cellSize * index - 5;
            group.add(SvgElement.text("column", x, foot, node.toString())
                    .with(
                            "transform",
                            "rotate(-60 " + SvgElement.formatNumber(x) + " " + SvgElement.formatNumber(foot) + ")"));
        }
    }
}
