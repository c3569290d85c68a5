package habemus.lab.picture;

import habemus.protocol.NodeId;
import habemus.world.TraceLine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many messages each node sent to each, as a square of shades. */
final class LinksSvg {

    private static final double SIDE = 18;
    private static final double MOST = 720;
    private static final double ROOM = 40; // above, for the names

    private final List<NodeId> nodes;
    private final Map<NodeId, Map<NodeId, Integer>> sent = new TreeMap<>();
    private final double side;

    LinksSvg(Scene scene) {
        nodes = scene.nodes();
        side = Math.min(SIDE, MOST / Math.max(1, nodes.size()));
        for (TraceLine line : scene.lines()) {
            if (line instanceof TraceLine.Acted acted) {
                acted.sent()
                        .forEach(mail -> sent.computeIfAbsent(mail.from(), any -> new TreeMap<>())
                                .merge(mail.to(), 1, Integer::sum));
            }
        }
    }

    double height() {
        return ROOM + 40 + side * nodes.size();
    }

    Svg draw(double left, double top) {
        int most = sent.values().stream()
                .flatMap(some -> some.values().stream())
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
        var group =
                Svg.group("links").add(Svg.text("panel", left, top, "WHO SENT HOW MANY TO WHOM (UP TO " + most + ")"));
        double y = top + ROOM;
        for (int i = 0; i < nodes.size(); i++) {
            addName(group, nodes.get(i), left, y + side * i, i);
            var row = sent.getOrDefault(nodes.get(i), Map.of());
            for (int j = 0; j < nodes.size(); j++) {
                int count = row.getOrDefault(nodes.get(j), 0);
                if (count > 0) {
                    group.add(Svg.box("busy", left + side * j, y + side * i, side - 1, side - 1)
                            .with("fill-opacity", Math.max(0.06, Math.sqrt((double) count / most)))
                            .titled(nodes.get(i) + " → " + nodes.get(j) + ": " + count));
                }
            }
        }
        return group;
    }

    /** Beside its row and above its column, as often as there is room. */
    private void addName(Svg group, NodeId node, double left, double y, int place) {
        int every = (int) Math.ceil(SIDE * 0.7 / side);
        if (place % every == 0) {
            group.add(Svg.text("name", left - 8, y + side / 2 + 4, node.toString()));
            double x = left + side * place + side / 2 + 4;
            double foot = y - side * place - 5;
            group.add(Svg.text("column", x, foot, node.toString())
                    .with("transform", "rotate(-60 " + Svg.number(x) + " " + Svg.number(foot) + ")"));
        }
    }
}
