package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.ConditionInterval;
import habemus.lab.diagram.model.NodeCondition;
import habemus.lab.diagram.model.OverlapInterval;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.world.Fault;

/** The lives of the nodes as lines: interrupted while down, dotted while paused, thick while inside or leading. */
final class LanesSvg {

    private static final double BAR_HEIGHT = 12;

    private final PageLayout pageLayout;
    private final Palette palette;

    LanesSvg(PageLayout pageLayout, Palette palette) {
        this.pageLayout = pageLayout;
        this.palette = palette;
    }

    SvgElement draw() {
        var group = SvgElement.group("lanes");
        for (NodeId node : pageLayout.diagramModel().nodes()) {
            group.add(SvgElement.text("name", pageLayout.startX() - 18, pageLayout.laneY(node) + 4, node.toString()));
            drawLane(group, node);
        }
        for (OverlapInterval overlapInterval : pageLayout.diagramModel().overlapIntervals()) {
            overlapInterval
                    .nodes()
                    .forEach(node -> group.add(bar("clash", node, overlapInterval.from(), overlapInterval.to())));
        }
        return group;
    }

    private void drawLane(SvgElement group, NodeId node) {
        double y = pageLayout.laneY(node);
        double x = pageLayout.startX() - 10;
        for (ConditionInterval conditionInterval : pageLayout.diagramModel().intervalsOf(node)) {
            if (conditionInterval.nodeCondition() instanceof NodeCondition.Health health) {
                group.add(SvgElement.line("lane", x, y, pageLayout.x(conditionInterval.from()), y));
                x = pageLayout.x(conditionInterval.to());
                if (health instanceof NodeCondition.Paused) {
                    group.add(SvgElement.line("paused", pageLayout.x(conditionInterval.from()), y, x, y)
                            .withTooltip(node + " " + health.describe()));
                }
            }
        }
        if (x < pageLayout.axis().end()) {
            group.add(SvgElement.line("lane", x, y, pageLayout.axis().end(), y));
        }
        pageLayout.diagramModel().intervalsOf(node).forEach(conditionInterval -> drawRole(group, conditionInterval));
    }

    private void drawRole(SvgElement group, ConditionInterval conditionInterval) {
        switch (conditionInterval.nodeCondition()) {
            case NodeCondition.Holding holding ->
                group.add(bar("inside", conditionInterval.node(), conditionInterval.from(), conditionInterval.to())
                        .withTooltip(conditionInterval.node() + " " + holding.describe()));
            case NodeCondition.Leading leading ->
                group.add(bar("lead-bar", conditionInterval.node(), conditionInterval.from(), conditionInterval.to())
                        .with("fill", palette.leaderColour(conditionInterval.node()))
                        .withTooltip(conditionInterval.node() + " " + leading.describe()));
            default -> {}
        }
    }

    private SvgElement bar(String look, NodeId node, int from, int to) {
        double x = pageLayout.x(from);
        double width = Math.max(4, pageLayout.x(to) - x);
        return SvgElement.rectangle(look, x, pageLayout.laneY(node) - BAR_HEIGHT / 2, width, BAR_HEIGHT)
                .with("rx", 3);
    }

    /** The crashes; drawn over everything else. */
    SvgElement drawCrashes() {
        var group = SvgElement.group("crashes");
        for (ConditionInterval conditionInterval : pageLayout.diagramModel().conditionIntervals()) {
            if (conditionInterval.nodeCondition() instanceof NodeCondition.Down) {
                group.add(SvgElement.group("fault")
                        .withTooltip(TraceWording.describe(new Fault.Crash(conditionInterval.node())))
                        .add(SvgMarkers.cross(
                                "cross",
                                pageLayout.x(conditionInterval.from()),
                                pageLayout.laneY(conditionInterval.node()),
                                7)));
            }
        }
        return group;
    }
}
