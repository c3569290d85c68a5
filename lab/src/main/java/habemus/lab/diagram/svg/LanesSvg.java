package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.ConditionInterval;
import habemus.lab.diagram.model.NodeCondition;
import habemus.lab.diagram.model.OverlapInterval;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.world.Fault;

/** Draws a lane for each node: interrupted while down, dotted while paused, thick while it holds or leads. */
final class LanesSvg {

    private static final double BAR_HEIGHT = 12;

    private final PageLayout layout;
    private final Palette palette;

    LanesSvg(PageLayout layout, Palette palette) {
        this.layout = layout;
        this.palette = palette;
    }

    SvgElement draw() {
        var group = SvgElement.group("lanes");
        for (NodeId node : layout.model().nodes()) {
            group.add(SvgElement.text(
                    "name",
                    layout.startX() - 18,
                    layout.laneY(node) + 4,
                    layout.model().recording().name(node)));
            drawLane(group, node);
        }
        for (OverlapInterval overlap : layout.model().overlaps()) {
            overlap.nodes().forEach(node -> group.add(bar("overlap", node, overlap.from(), overlap.to())));
        }
        return group;
    }

    private void drawLane(SvgElement group, NodeId node) {
        double y = layout.laneY(node);
        double x = layout.startX() - 10;
        for (ConditionInterval interval : layout.model().intervalsOf(node)) {
            if (interval.condition() instanceof NodeCondition.Health health) {
                group.add(SvgElement.line("lane", x, y, layout.x(interval.from()), y));
                x = layout.x(interval.to());
                if (health instanceof NodeCondition.Paused) {
                    group.add(SvgElement.line("paused", layout.x(interval.from()), y, x, y)
                            .withTooltip(node + " " + health.describe()));
                }
            }
        }
        if (x < layout.axis().end()) {
            group.add(SvgElement.line("lane", x, y, layout.axis().end(), y));
        }
        layout.model().intervalsOf(node).forEach(interval -> drawRole(group, interval));
    }

    private void drawRole(SvgElement group, ConditionInterval interval) {
        switch (interval.condition()) {
            case NodeCondition.Holding holding ->
                group.add(bar("holding", interval.node(), interval.from(), interval.to())
                        .withTooltip(interval.node() + " " + holding.describe()));
            case NodeCondition.InSection section ->
                group.add(bar("holding", interval.node(), interval.from(), interval.to())
                        .withTooltip(interval.node() + " " + section.describe()));
            case NodeCondition.Leading leading ->
                group.add(bar("lead-bar", interval.node(), interval.from(), interval.to())
                        .with("fill", palette.leaderColour(interval.node()))
                        .withTooltip(interval.node() + " " + leading.describe()));
            default -> {}
        }
    }

    private SvgElement bar(String cssClass, NodeId node, int from, int to) {
        double x = layout.x(from);
        double width = Math.max(4, layout.x(to) - x);
        return SvgElement.rectangle(cssClass, x, layout.laneY(node) - BAR_HEIGHT / 2, width, BAR_HEIGHT)
                .with("rx", 3);
    }

    /** The crashes, to be drawn over everything else. */
    SvgElement drawCrashes() {
        var group = SvgElement.group("crashes");
        for (ConditionInterval interval : layout.model().intervals()) {
            if (interval.condition() instanceof NodeCondition.Down) {
                group.add(SvgElement.group("fault")
                        .withTooltip(TraceWording.describe(new Fault.Crash(interval.node())))
                        .add(SvgMarkers.cross("cross", layout.x(interval.from()), layout.laneY(interval.node()), 7)));
            }
        }
        return group;
    }
}
