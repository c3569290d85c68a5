package habemus.lab.diagram.svg;

import habemus.lab.trace.TraceWording;

/** The time axis between the panels, with the true times where there is room for them. */
final class AxisSvg {

    private AxisSvg() {}

    static SvgElement drawGrid(PageLayout pageLayout) {
        var group = SvgElement.group("grid-lines");
        for (int tick : pageLayout.axis().ticks()) {
            double x = pageLayout.axis().x(tick);
            group.add(SvgElement.line("grid", x, pageLayout.firstLaneY() - 20, x, pageLayout.bottomY()));
        }
        return group;
    }

    static SvgElement drawTimes(PageLayout pageLayout) {
        var group = SvgElement.group("times");
        var axis = pageLayout.axis();
        double y = pageLayout.axisY();
        for (int tick : axis.ticks()) {
            double x = axis.x(tick);
            var time = TraceWording.shortMillis(
                            pageLayout.diagramModel().timeSlots().at(tick))
                    .replace(" ms", "");
            group.add(SvgElement.line("axis", x, y, x, y + 4)).add(SvgElement.text("tick", x, y + 16, time));
        }
        group.add(SvgElement.line("axis", pageLayout.startX() - 10, y, axis.end(), y))
                .add(SvgElement.text("tick", axis.end() + 8, y + 16, "ms"));
        for (var idlePeriod : axis.idlePeriods()) {
            double from = axis.x(idlePeriod.slot());
            double to = axis.x(idlePeriod.slot() + 1);
            var words = "… " + TraceWording.shortMillis(idlePeriod.micros()) + " …";
            if (to - from > LabelPlacement.textWidth(words)) {
                group.add(SvgElement.text("silence", (from + to) / 2, y - 4, words));
            }
        }
        return group;
    }
}
