package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.ConditionInterval;
import habemus.lab.diagram.model.NodeCondition;
import habemus.lab.diagram.model.OverlapInterval;
import habemus.protocol.NodeId;

/** Draws the conditions of each node as bars on the time axis; two exclusive ones at once are red. */
final class GanttSvg {

    private static final double MARGIN = 4;
    private static final double BAR_HEIGHT = PageLayout.ROW_HEIGHT - 2 * MARGIN;

    private final PageLayout layout;
    private final Palette palette;
    private double lastOverlapLabelEnd; // x coordinate

    GanttSvg(PageLayout layout, Palette palette) {
        this.layout = layout;
        this.palette = palette;
    }

    SvgElement draw() {
        var group = SvgElement.group("gantt");
        var model = layout.model();
        group.add(SvgElement.text("panel", layout.startX() - 10, layout.firstRowY() - 12, heading()));
        for (NodeId node : model.nodes()) {
            group.add(SvgElement.text(
                            "name",
                            layout.startX() - 18,
                            layout.rowY(node) + PageLayout.ROW_HEIGHT / 2 + 4,
                            node.toString()))
                    .add(SvgElement.line(
                            "grid",
                            layout.startX() - 10,
                            layout.rowY(node),
                            layout.axis().end(),
                            layout.rowY(node)));
        }
        group.add(SvgElement.line(
                "grid", layout.startX() - 10, layout.bottomY(), layout.axis().end(), layout.bottomY()));
        model.intervals().stream().filter(interval -> isRole(interval)).forEach(interval -> group.add(bar(interval)));
        model.intervals().stream().filter(interval -> !isRole(interval)).forEach(interval -> group.add(bar(interval)));
        model.overlaps().forEach(overlap -> addOverlap(group, overlap));
        model.intervals().forEach(interval -> addLabel(group, interval));
        return group;
    }

    private String heading() {
        return layout.model().isElection()
                ? "LEADERS AND FOLLOWERS"
                : layout.model().isDetector() ? "SUSPICIONS" : "WAITERS AND HOLDERS";
    }

    private static boolean isRole(ConditionInterval interval) {
        return interval.condition() instanceof NodeCondition.Role;
    }

    private SvgElement bar(ConditionInterval interval) {
        var bar = SvgElement.rectangle(
                        cssClass(interval.condition()),
                        layout.x(interval.from()),
                        layout.rowY(interval.node()) + MARGIN,
                        width(interval),
                        BAR_HEIGHT)
                .with("rx", 3)
                .withTooltip(interval.node() + " " + interval.condition().describe());
        return switch (interval.condition()) {
            case NodeCondition.Leading leading -> bar.with("fill", palette.leaderColour(interval.node()));
            case NodeCondition.Following following -> bar.with("fill", palette.leaderColour(following.leader()));
            default -> bar;
        };
    }

    private double width(ConditionInterval interval) {
        return Math.max(3, layout.x(interval.to()) - layout.x(interval.from()));
    }

    private static String cssClass(NodeCondition condition) {
        return switch (condition) {
            case NodeCondition.Waiting() -> "waiting";
            case NodeCondition.Holding(var fence) -> "holding";
            case NodeCondition.InSection(var limit) -> "holding";
            case NodeCondition.Leading(var term) -> "leading";
            case NodeCondition.Following(var leader, var term) -> "following";
            case NodeCondition.Suspecting(var peers) -> "waiting";
            case NodeCondition.Down() -> "down";
            case NodeCondition.Absent() -> "down";
            case NodeCondition.Paused() -> "paused-bar";
        };
    }

    private void addLabel(SvgElement group, ConditionInterval interval) {
        var label = switch (interval.condition()) {
            case NodeCondition.Holding(var fence) -> "holds";
            case NodeCondition.Following(var leader, var term) -> leader.toString();
            case NodeCondition.Paused() -> ""; // would cover the label of the role
            default -> interval.condition().describe();
        };
        if (width(interval) > LabelPlacement.textWidth(label) + 10) {
            var dark = interval.condition().isExclusive() ? " on-dark" : "";
            double y = layout.rowY(interval.node()) + PageLayout.ROW_HEIGHT / 2 + 4;
            group.add(SvgElement.text("bar-label" + dark, layout.x(interval.from()) + 7, y, label));
        }
    }

    private void addOverlap(SvgElement group, OverlapInterval overlap) {
        double x = layout.x(overlap.from());
        double width = Math.max(4, layout.x(overlap.to()) - x);
        var label = overlap.nodes() + (layout.model().isElection() ? " lead" : " hold the lock") + " at once";
        group.add(SvgElement.rectangle(
                        "overlap-band", x, layout.firstRowY() - 2, width, layout.bottomY() - layout.firstRowY() + 4)
                .withTooltip(label));
        for (NodeId node : overlap.nodes()) {
            group.add(SvgElement.rectangle("overlap", x, layout.rowY(node) + MARGIN, width, BAR_HEIGHT)
                    .withTooltip(label));
        }
        double half = LabelPlacement.textWidth(label) / 2;
        if (x + width / 2 - half > lastOverlapLabelEnd) {
            group.add(SvgElement.text("overlap-label", x + width / 2, layout.bottomY() + 16, label));
            lastOverlapLabelEnd = x + width / 2 + half;
        }
    }
}
