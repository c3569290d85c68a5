package habemus.lab.picture;

import habemus.lab.trace.Words;
import habemus.world.TraceLine;
import java.util.List;

/** What stands behind the lanes and above them: shaded cuts, the lines of violations, and the words for both. */
final class RemarksSvg {

    static final double ROW = 16;
    private static final double ABOVE_LANES = 34;

    private final Sheet sheet;
    private final List<Remark> remarks;

    RemarksSvg(Sheet sheet, List<Remark> remarks) {
        this.sheet = sheet;
        this.remarks = remarks;
    }

    Svg drawBands() {
        var group = Svg.group("cuts");
        double top = sheet.lanes() - ABOVE_LANES + 4;
        for (Band band : sheet.scene().bands()) {
            double from = sheet.x(band.from());
            double to = sheet.x(band.to());
            group.add(Svg.box("cut", from, top, to - from, sheet.lastLane() + 18 - top)
                    .titled(Words.of(band.cut())));
            group.add(Svg.line("cut-edge", from, top, from, sheet.lastLane() + 18));
            if (band.to() < sheet.scene().lines().size()) {
                group.add(Svg.line("cut-edge", to, top, to, sheet.lastLane() + 18));
            }
        }
        return group;
    }

    Svg drawRemarks() {
        var group = Svg.group("remarks");
        for (Remark remark : remarks) {
            double x = sheet.x(remark.line());
            double y = sheet.lanes() - ABOVE_LANES - ROW * remark.row();
            if (remark.violation()) {
                group.add(Svg.line("violation", x, y - 11, x, sheet.bottom()));
            } else if (!isCut(remark)) {
                group.add(Svg.line("cut-edge", x, y - 11, x, sheet.lastLane() + 18));
            }
            group.add(Svg.text(remark.violation() ? "violation-words" : "fault-words", x + 5, y, remark.words())
                    .titled(title(remark)));
        }
        return group;
    }

    private boolean isCut(Remark remark) {
        return sheet.scene().bands().stream().anyMatch(band -> band.from() == remark.line());
    }

    private String title(Remark remark) {
        return sheet.scene().lines().get(remark.line()) instanceof TraceLine.Violated(var at, var property)
                ? property + " violated: " + property.sentence()
                : remark.words();
    }
}
