package habemus.lab.picture;

import habemus.lab.trace.Words;

/** The time axis between the panels, with the true times where there is room for them. */
final class AxisSvg {

    private AxisSvg() {}

    static Svg drawGrid(Sheet sheet) {
        var group = Svg.group("grid-lines");
        for (int tick : sheet.axis().ticks()) {
            double x = sheet.axis().x(tick);
            group.add(Svg.line("grid", x, sheet.lanes() - 20, x, sheet.bottom()));
        }
        return group;
    }

    static Svg drawTimes(Sheet sheet) {
        var group = Svg.group("times");
        var axis = sheet.axis();
        double y = sheet.axisY();
        for (int tick : axis.ticks()) {
            double x = axis.x(tick);
            var time = Words.shortMillis(sheet.scene().moments().at(tick)).replace(" ms", "");
            group.add(Svg.line("axis", x, y, x, y + 4)).add(Svg.text("tick", x, y + 16, time));
        }
        group.add(Svg.line("axis", sheet.start() - 10, y, axis.end(), y))
                .add(Svg.text("tick", axis.end() + 8, y + 16, "ms"));
        for (var silence : axis.silences()) {
            double from = axis.x(silence.moment());
            double to = axis.x(silence.moment() + 1);
            var words = "… " + Words.shortMillis(silence.micros()) + " …";
            if (to - from > LabelRoom.width(words)) {
                group.add(Svg.text("silence", (from + to) / 2, y - 4, words));
            }
        }
        return group;
    }
}
