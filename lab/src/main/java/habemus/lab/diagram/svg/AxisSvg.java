package habemus.lab.diagram.svg;

/** Draws the time axis between the two panels, with as many times as fit. */
final class AxisSvg {

    private AxisSvg() {}

    static SvgElement drawGrid(PageLayout layout) {
        var group = SvgElement.group("grid-lines");
        for (int tick : layout.axis().ticks()) {
            double x = layout.axis().x(tick);
            group.add(SvgElement.line("grid", x, layout.firstLaneY() - 20, x, layout.bottomY()));
        }
        return group;
    }

    static SvgElement drawTimes(PageLayout layout) {
        var group = SvgElement.group("times");
        var axis = layout.axis();
        var timeScale = layout.model().recording().timeScale();
        double y = layout.axisY();
        for (int tick : axis.ticks()) {
            double x = axis.x(tick);
            var time = timeScale.number(layout.model().timeSlots().at(tick));
            group.add(SvgElement.line("axis", x, y, x, y + 4)).add(SvgElement.text("tick", x, y + 16, time));
        }
        group.add(SvgElement.line("axis", layout.startX() - 10, y, axis.end(), y))
                .add(SvgElement.text("tick", axis.end() + 8, y + 16, timeScale.unit()));
        for (var idlePeriod : axis.idlePeriods()) {
            double from = axis.x(idlePeriod.slot());
            double to = axis.x(idlePeriod.slot() + 1);
            var label = "… " + timeScale.span(idlePeriod.micros()) + " …";
            if (to - from > LabelPlacement.textWidth(label)) {
                group.add(SvgElement.text("idle-period", (from + to) / 2, y - 4, label));
            }
        }
        return group;
    }
}
