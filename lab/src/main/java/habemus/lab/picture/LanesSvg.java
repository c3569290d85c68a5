package habemus.lab.picture;

import habemus.lab.trace.Words;
import habemus.protocol.NodeId;
import habemus.world.Fault;

/** The lives of the nodes as lines: interrupted while down, dotted while paused, thick while inside or leading. */
final class LanesSvg {

    private static final double THICK = 12;

    private final Sheet sheet;
    private final Palette palette;

    LanesSvg(Sheet sheet, Palette palette) {
        this.sheet = sheet;
        this.palette = palette;
    }

    Svg draw() {
        var group = Svg.group("lanes");
        for (NodeId node : sheet.scene().nodes()) {
            group.add(Svg.text("name", sheet.start() - 18, sheet.lane(node) + 4, node.toString()));
            drawLife(group, node);
        }
        for (Clash clash : sheet.scene().clashes()) {
            clash.nodes().forEach(node -> group.add(bar("clash", node, clash.from(), clash.to())));
        }
        return group;
    }

    private void drawLife(Svg group, NodeId node) {
        double y = sheet.lane(node);
        double x = sheet.start() - 10;
        for (Span span : sheet.scene().spansOf(node)) {
            if (span.condition() instanceof Condition.Health health) {
                group.add(Svg.line("lane", x, y, sheet.x(span.from()), y));
                x = sheet.x(span.to());
                if (health instanceof Condition.Paused) {
                    group.add(Svg.line("paused", sheet.x(span.from()), y, x, y).titled(node + " " + health.words()));
                }
            }
        }
        if (x < sheet.axis().end()) {
            group.add(Svg.line("lane", x, y, sheet.axis().end(), y));
        }
        sheet.scene().spansOf(node).forEach(span -> drawRole(group, span));
    }

    private void drawRole(Svg group, Span span) {
        switch (span.condition()) {
            case Condition.Inside inside ->
                group.add(
                        bar("inside", span.node(), span.from(), span.to()).titled(span.node() + " " + inside.words()));
            case Condition.Leading leading ->
                group.add(bar("lead-bar", span.node(), span.from(), span.to())
                        .with("fill", palette.ofLeader(span.node()))
                        .titled(span.node() + " " + leading.words()));
            default -> {}
        }
    }

    private Svg bar(String look, NodeId node, int from, int to) {
        double x = sheet.x(from);
        double width = Math.max(4, sheet.x(to) - x);
        return Svg.box(look, x, sheet.lane(node) - THICK / 2, width, THICK).with("rx", 3);
    }

    /** The crashes; drawn over everything else. */
    Svg drawCrashes() {
        var group = Svg.group("crashes");
        for (Span span : sheet.scene().spans()) {
            if (span.condition() instanceof Condition.Down) {
                group.add(Svg.group("fault")
                        .titled(Words.of(new Fault.Crash(span.node())))
                        .add(Marks.cross("cross", sheet.x(span.from()), sheet.lane(span.node()), 7)));
            }
        }
        return group;
    }
}
