package habemus.lab.picture;

import habemus.lab.trace.Recording;
import java.util.List;
import java.util.stream.Stream;

/**
 * A run as one self-contained SVG picture: its space-time diagram, and on the same time axis who is inside or leads.
 *
 * <p>Where scripts run, the mouse over a step shows what it depends on and what depends on it. Of a run with too many
 * steps for that, only what matters is drawn by itself: grants, elections, crashes and the like; the rest is counted,
 * by time and by link.
 */
public final class RunSvg {

    private static final double MARGIN = 28;
    private static final double TITLE = 34;
    private static final double LEGEND = 60;
    private static final double LANES_BELOW_LEGEND = 58;
    private static final double LETTER = 8;

    private RunSvg() {}

    public static String draw(Recording recording) {
        var scene = Scene.of(recording);
        var palette = new Palette(scene);
        int name = recording.nodes().stream()
                .mapToInt(n -> n.toString().length())
                .max()
                .orElse(0);
        var axis = TimeAxis.of(scene, MARGIN + name * LETTER + 20);
        var remarks = Remark.of(scene, axis);
        var sheet = Sheet.of(scene, axis, LEGEND + LANES_BELOW_LEGEND + RemarksSvg.ROW * Remark.rows(remarks));
        return compose(sheet, palette, remarks).file();
    }

    private static Svg compose(Sheet sheet, Palette palette, List<Remark> remarks) {
        var scene = sheet.scene();
        double width = width(sheet, palette, remarks);
        boolean coarse = scene.grain() == Grain.COARSE;
        var links = new LinksSvg(scene);
        double height = sheet.bottom() + 34 + (coarse ? links.height() : 0);
        var aside = new RemarksSvg(sheet, remarks);
        var picture = Svg.paper(width, height, scene.recording().title(), style(scene))
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
        if (coarse) {
            return picture.add(links.draw(sheet.start(), sheet.bottom() + 40));
        }
        return picture.add(Svg.tag("script").with("type", "text/javascript").saying(Look.SCRIPT));
    }

    private static String style(Scene scene) {
        return scene.grain() == Grain.ROOMY ? Look.STYLE : Look.STYLE + Look.CROWDED;
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
