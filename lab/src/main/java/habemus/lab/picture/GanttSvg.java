package habemus.lab.picture;

import habemus.protocol.NodeId;

/** Who waits, is inside, leads or follows whom, as bars on the time axis; two at once in red. */
final class GanttSvg {

    private static final double MARGIN = 4;
    private static final double HIGH = Sheet.ROW - 2 * MARGIN;

    private final Sheet sheet;
    private final Palette palette;
    private double clashWords; // where those written last end

    GanttSvg(Sheet sheet, Palette palette) {
        this.sheet = sheet;
        this.palette = palette;
    }

    Svg draw() {
        var group = Svg.group("gantt");
        var scene = sheet.scene();
        group.add(Svg.text("panel", sheet.start() - 10, sheet.rows() - 12, heading()));
        for (NodeId node : scene.nodes()) {
            group.add(Svg.text("name", sheet.start() - 18, sheet.row(node) + Sheet.ROW / 2 + 4, node.toString()))
                    .add(Svg.line(
                            "grid",
                            sheet.start() - 10,
                            sheet.row(node),
                            sheet.axis().end(),
                            sheet.row(node)));
        }
        group.add(Svg.line(
                "grid", sheet.start() - 10, sheet.bottom(), sheet.axis().end(), sheet.bottom()));
        scene.spans().stream().filter(span -> isRole(span)).forEach(span -> group.add(bar(span)));
        scene.spans().stream().filter(span -> !isRole(span)).forEach(span -> group.add(bar(span)));
        scene.clashes().forEach(clash -> addClash(group, clash));
        scene.spans().forEach(span -> addWords(group, span));
        return group;
    }

    private String heading() {
        return sheet.scene().isElection()
                ? "WHO LEADS, AND WHO FOLLOWS WHOM"
                : sheet.scene().isDetector() ? "WHO SUSPECTS WHOM" : "WHO WAITS, AND WHO IS INSIDE";
    }

    private static boolean isRole(Span span) {
        return span.condition() instanceof Condition.Role;
    }

    private Svg bar(Span span) {
        var bar = Svg.box(
                        look(span.condition()),
                        sheet.x(span.from()),
                        sheet.row(span.node()) + MARGIN,
                        width(span),
                        HIGH)
                .with("rx", 3)
                .titled(span.node() + " " + span.condition().words());
        return switch (span.condition()) {
            case Condition.Leading leading -> bar.with("fill", palette.ofLeader(span.node()));
            case Condition.Following following -> bar.with("fill", palette.ofLeader(following.leader()));
            default -> bar;
        };
    }

    private double width(Span span) {
        return Math.max(3, sheet.x(span.to()) - sheet.x(span.from()));
    }

    private static String look(Condition condition) {
        return switch (condition) {
            case Condition.Waiting() -> "waiting";
            case Condition.Inside(var fence) -> "inside";
            case Condition.Leading(var term) -> "leading";
            case Condition.Following(var leader, var term) -> "following";
            case Condition.Suspecting(var peers) -> "waiting";
            case Condition.Down() -> "down";
            case Condition.Paused() -> "still";
        };
    }

    private void addWords(Svg group, Span span) {
        var words = switch (span.condition()) {
            case Condition.Inside(var fence) -> "inside";
            case Condition.Following(var leader, var term) -> leader.toString();
            case Condition.Paused() -> ""; // would be written over those of the role
            default -> span.condition().words();
        };
        if (width(span) > LabelRoom.width(words) + 10) {
            var dark = span.condition().isExclusive() ? " on-dark" : "";
            double y = sheet.row(span.node()) + Sheet.ROW / 2 + 4;
            group.add(Svg.text("bar-words" + dark, sheet.x(span.from()) + 7, y, words));
        }
    }

    private void addClash(Svg group, Clash clash) {
        double x = sheet.x(clash.from());
        double width = Math.max(4, sheet.x(clash.to()) - x);
        var words = clash.nodes() + (sheet.scene().isElection() ? " lead" : " are inside") + " at once";
        group.add(Svg.box("clash-band", x, sheet.rows() - 2, width, sheet.bottom() - sheet.rows() + 4)
                .titled(words));
        for (NodeId node : clash.nodes()) {
            group.add(Svg.box("clash", x, sheet.row(node) + MARGIN, width, HIGH).titled(words));
        }
        double half = LabelRoom.width(words) / 2;
        if (x + width / 2 - half > clashWords) {
            group.add(Svg.text("clash-words", x + width / 2, sheet.bottom() + 16, words));
            clashWords = x + width / 2 + half;
        }
    }
}
