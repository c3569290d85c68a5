package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many messages each node sent to each, as a square of shades. */
final class LinksSvg {

    private static final double MAX_CELL_SIZE = 18;
    private static final double MAX_SIZE = 720;
    private static final double HEADER_HEIGHT = 40; // above, for the names

    private final List<NodeId> nodes;
    private final Map<NodeId, Map<NodeId, Integer>> sent = new TreeMap<>();
    private final double cellSize;

    LinksSvg(DiagramModel diagramModel) {
        nodes = diagramModel.nodes();
        cellSize = Math.min(MAX_CELL_SIZE, MAX_SIZE / Math.max(1, nodes.size()));
        for (TraceEvent line : diagramModel.events()) {
            if (line instanceof TraceEvent.NodeStep nodeStep) {
                nodeStep.sent()
                        .forEach(inFlightMessage -> sent.computeIfAbsent(inFlightMessage.from(), any -> new TreeMap<>())
                                .merge(inFlightMessage.to(), 1, Integer::sum));
            }
        }
    }

    double height() {
        return HEADER_HEIGHT + 40 + cellSize * nodes.size();
    }

    SvgElement draw(double left, double top) {
        int most = sent.values().stream()
                .flatMap(some -> some.values().stream())
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
        var group = SvgElement.group("links")
                .add(SvgElement.text("panel", left, top, "WHO SENT HOW MANY TO WHOM (UP TO " + most + ")"));
        double y = top + HEADER_HEIGHT;
        for (int i = 0; i < nodes.size(); i++) {
            addName(group, nodes.get(i), left, y + cellSize * i, i);
            var row = sent.getOrDefault(nodes.get(i), Map.of());
            for (int j = 0; j < nodes.size(); j++) {
                int count = row.getOrDefault(nodes.get(j), 0);
                if (count > 0) {
                    group.add(SvgElement.rectangle(
                                    "busy", left + cellSize * j, y + cellSize * i, cellSize - 1, cellSize - 1)
                            .with("fill-opacity", Math.max(0.06, Math.sqrt((double) count / most)))
                            .withTooltip(nodes.get(i) + " → " + nodes.get(j) + ": " + count));
                }
            }
        }
        return group;
    }

    /** Beside its row and above its column, as often as there is room. */
    private void addName(SvgElement group, NodeId node, double left, double y, int place) {
        int every = (int) Math.ceil(MAX_CELL_SIZE * 0.7 / cellSize);
        if (place % every == 0) {
            group.add(SvgElement.text("name", left - 8, y + cellSize / 2 + 4, node.toString()));
            double x = left + cellSize * place + cellSize / 2 + 4;
            double foot = y - cellSize * place - 5;
            group.add(SvgElement.text("column", x, foot, node.toString())
                    .with(
                            "transform",
                            "rotate(-60 " + SvgElement.formatNumber(x) + " " + SvgElement.formatNumber(foot) + ")"));
        }
    }
}
