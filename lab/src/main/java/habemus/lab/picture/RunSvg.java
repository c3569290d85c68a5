package habemus.lab.picture;

import habemus.lab.trace.Recording;
import java.util.List;
import java.util.stream.Stream;

/**
 * A run as one self-contained SVG picture: its space-time diagram, and on the same time axis who is inside or leads.
 *
 * <p>Where scripts run, the mouse over a step shows what it depends on and what depends on it.
 */
public final class RunSvg {

    private static final int MOST_MOMENTS = 400;
    private static final double MARGIN = 28;
    private static final double TITLE = 34;
    private static final double LEGEND = 60;
    private static final double LANES_BELOW_LEGEND = 58;
    private static final double LETTER = 8;

    private RunSvg() {}

    public static String draw(Recording recording) {
        var scene = Scene.of(recording, MOST_MOMENTS);
        var palette = new Palette(scene);
        int name = recording.nodes().stream()
                .mapToInt(n -> n.toString().length())
                .max()
                .orElse(0);
        var axis = new TimeAxis(scene.moments(), MARGIN + name * LETTER + 20);
        var remarks = Remark.of(scene, axis);
        var sheet = Sheet.of(scene, axis, LEGEND + LANES_BELOW_LEGEND + RemarksSvg.ROW * Remark.rows(remarks));
        return compose(sheet, palette, remarks).file();
    }

    private static Svg compose(Sheet sheet, Palette palette, List<Remark> remarks) {
        var scene = sheet.scene();
        double width = width(sheet, palette, remarks);
        double height = sheet.bottom() + 34;
        var aside = new RemarksSvg(sheet, remarks);
        var picture = Svg.paper(width, height, scene.recording().title(), Look.STYLE)
                .add(Svg.tag("defs").addAll(ArrowsSvg.heads(palette)).addAll(hatches()))
                .add(Svg.box("paper", 0, 0, width, height))
                .add(Svg.text("heading", MARGIN, TITLE, scene.recording().title()))
                .add(LegendSvg.draw(scene, palette, MARGIN, LEGEND));
        if (scene.moments().count() > 0) {
            picture.add(aside.drawBands())
                    .add(AxisSvg.drawGrid(sheet))
                    .add(SpaceTimeSvg.draw(sheet, palette))
                    .add(new GanttSvg(sheet, palette).draw())
                    .add(aside.drawRemarks())
                    .add(AxisSvg.drawTimes(sheet));
        }
        if (scene.leftOut() > 0) {
            var words = "… and " + scene.leftOut() + " more moments; --trace shows them all";
            picture.add(Svg.text("fault-words", sheet.start(), height - 6, words));
        }
        return picture.add(Svg.tag("script").with("type", "text/javascript").saying(Look.SCRIPT));
    }

    private static double width(Sheet sheet, Palette palette, List<Remark> remarks) {
        var widths = Stream.of(
                sheet.axis().end(),
                sheet.scene().recording().title().length() * 9.5 + MARGIN,
                LegendSvg.width(sheet.scene(), palette) + MARGIN);
        var ends = remarks.stream().map(Remark::end);
        return Stream.concat(widths, ends).max(Double::compare).orElseThrow() + MARGIN;
    }

    private static List<Svg> hatches() {
        return List.of(
                hatch("hatch-down", "#f1f1ef", "#d4d4d0"),
                hatch("hatch-still", "none", "#aab2ba"),
                hatch("hatch-cut", "#fdf3df", "#f3deb5"));
    }

    private static Svg hatch(String name, String ground, String stripes) {
        return Svg.tag("pattern")
                .with("id", name)
                .with("width", "7")
                .with("height", "7")
                .with("patternUnits", "userSpaceOnUse")
                .with("patternTransform", "rotate(45)")
                .add(Svg.tag("rect").with("width", "7").with("height", "7").with("fill", ground))
                .add(Svg.tag("rect").with("width", "2").with("height", "7").with("fill", stripes));
    }
}
