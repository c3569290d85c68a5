package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.ConditionInterval;
import habemus.lab.diagram.model.NodeCondition;
import habemus.lab.diagram.model.OverlapInterval;
import habemus.protocol.NodeId;

/** Who waits, is inside, leads or follows whom, as bars on the time axis; two at once in red. */
final class GanttSvg {

    private static final double MARGIN = 4;
    private static final double BAR_HEIGHT = PageLayout.ROW_HEIGHT - 2 * MARGIN;

    private final PageLayout pageLayout;
    private final Palette palette;
    private double lastOverlapLabelEnd; // where those written last end

    GanttSvg(PageLayout pageLayout, Palette palette) {
        this.pageLayout = pageLayout;
        this.palette = palette;
    }

    SvgElement draw() {
        var group = SvgElement.group("gantt");
        var diagramModel = pageLayout.diagramModel();
        group.add(SvgElement.text("panel", pageLayout.startX() - 10, pageLayout.firstRowY() - 12, heading()));
        for (NodeId node : diagramModel.nodes()) {
            group.add(SvgElement.text(
                            "name",
                            pageLayout.startX() - 18,
                            pageLayout.rowY(node) + PageLayout.ROW_HEIGHT / 2 + 4,
                            node.toString()))
                    .add(SvgElement.line(
                            "grid",
                            pageLayout.startX() - 10,
                            pageLayout.rowY(node),
                            pageLayout.axis().end(),
                            pageLayout.rowY(node)));
        }
        group.add(SvgElement.line(
                "grid",
                pageLayout.startX() - 10,
                pageLayout.bottomY(),
                pageLayout.axis().end(),
                pageLayout.bottomY()));
        diagramModel.conditionIntervals().stream()
                .filter(conditionInterval -> isRole(conditionInterval))
                .forEach(conditionInterval -> group.add(bar(conditionInterval)));
        diagramModel.conditionIntervals().stream()
                .filter(conditionInterval -> !isRole(conditionInterval))
                .forEach(conditionInterval -> group.add(bar(conditionInterval)));
        diagramModel.overlapIntervals().forEach(overlapInterval -> addOverlap(group, overlapInterval));
        diagramModel.conditionIntervals().forEach(conditionInterval -> addLabel(group, conditionInterval));
        return group;
    }

    private String heading() {
        return pageLayout.diagramModel().isElection()
                ? "WHO LEADS, AND WHO FOLLOWS WHOM"
                : pageLayout.diagramModel().isDetector() ? "WHO SUSPECTS WHOM" : "WHO WAITS, AND WHO IS INSIDE";
    }

    private static boolean isRole(ConditionInterval conditionInterval) {
        return conditionInterval.nodeCondition() instanceof NodeCondition.Role;
    }

    private SvgElement bar(ConditionInterval conditionInterval) {
        var bar = SvgElement.rectangle(
                        cssClass(conditionInterval.nodeCondition()),
                        pageLayout.x(conditionInterval.from()),
                        pageLayout.rowY(conditionInterval.node()) + MARGIN,
                        width(conditionInterval),
                        BAR_HEIGHT)
                .with("rx", 3)
                .withTooltip(conditionInterval.node() + " "
                        + conditionInterval.nodeCondition().describe());
        return switch (conditionInterval.nodeCondition()) {
            case NodeCondition.Leading leading -> bar.with("fill", palette.leaderColour(conditionInterval.node()));
            case NodeCondition.Following following -> bar.with("fill", palette.leaderColour(following.leader()));
            default -> bar;
        };
    }

    private double width(ConditionInterval conditionInterval) {
        return Math.max(3, pageLayout.x(conditionInterval.to()) - pageLayout.x(conditionInterval.from()));
    }

    private static String cssClass(NodeCondition nodeCondition) {
        return switch (nodeCondition) {
            case NodeCondition.Waiting() -> "waiting";
            case NodeCondition.Holding(var fence) -> "inside";
            case NodeCondition.Leading(var term) -> "leading";
            case NodeCondition.Following(var leader, var term) -> "following";
            case NodeCondition.Suspecting(var peers) -> "waiting";
            case NodeCondition.Down() -> "down";
            case NodeCondition.Paused() -> "still";
        };
    }

    private void addLabel(SvgElement group, ConditionInterval conditionInterval) {
        var words = switch (conditionInterval.nodeCondition()) {
            case NodeCondition.Holding(var fence) -> "inside";
            case NodeCondition.Following(var leader, var term) -> leader.toString();
            case NodeCondition.Paused() -> ""; // would be written over those of the role
            default -> conditionInterval.nodeCondition().describe();
        };
        if (width(conditionInterval) > LabelPlacement.textWidth(words) + 10) {
            var dark = conditionInterval.nodeCondition().isExclusive() ? " on-dark" : "";
            double y = pageLayout.rowY(conditionInterval.node()) + PageLayout.ROW_HEIGHT / 2 + 4;
            group.add(SvgElement.text("bar-words" + dark, pageLayout.x(conditionInterval.from()) + 7, y, words));
        }
    }

    private void addOverlap(SvgElement group, OverlapInterval overlapInterval) {
        double x = pageLayout.x(overlapInterval.from());
        double width = Math.max(4, pageLayout.x(overlapInterval.to()) - x);
        var words = overlapInterval.nodes() + (pageLayout.diagramModel().isElection() ? " lead" : " are inside")
                + " at once";
        group.add(SvgElement.rectangle(
                        "clash-band",
                        x,
                        pageLayout.firstRowY() - 2,
                        width,
                        pageLayout.bottomY() - pageLayout.firstRowY() + 4)
                .withTooltip(words));
        for (NodeId node : overlapInterval.nodes()) {
            group.add(SvgElement.rectangle("clash", x, pageLayout.rowY(node) + MARGIN, width, BAR_HEIGHT)
                    .withTooltip(words));
        }
        double half = LabelPlacement.textWidth(words) / 2;
        if (x + width / 2 - half > lastOverlapLabelEnd) {
            group.add(SvgElement.text("clash-words", x + width / 2, pageLayout.bottomY() + 16, words));
            lastOverlapLabelEnd = x + width / 2 + half;
        }
    }
}
