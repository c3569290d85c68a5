package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DetailLevel;
import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.trace.Recording;
import java.util.List;
import java.util.stream.Stream;

/**
 * Draws a run as one self-contained SVG image: a space-time diagram, and the holder or leader on the same time axis.
 *
 * <p>Where scripts run, the mouse over a step highlights its causes and effects. For a run with too many steps, only
 * elections, losses, restarts and crashes are drawn; steps and messages are counted by time and by link.
 */
public final class RunSvg {

    private static final double MARGIN = 28;
    private static final double TITLE = 34;
    private static final double LEGEND = 60;
    private static final double LANES_BELOW_LEGEND = 58;
    private static final double CHARACTER_WIDTH = 8;

    private RunSvg() {}

    public static String draw(Recording recording) {
        var model = DiagramModel.of(recording);
        var palette = new Palette(model);
        int name = recording.nodes().stream()
                .mapToInt(n -> recording.name(n).length())
                .max()
                .orElse(0);
        var axis = TimeAxis.of(model, MARGIN + name * CHARACTER_WIDTH + 20);
        var annotations = Annotation.of(model, axis);
        var layout = PageLayout.of(
                model,
                axis,
                LEGEND
                        + LANES_BELOW_LEGEND
                        + PageLayout.noteRoom(model)
                        + AnnotationsSvg.ROW_HEIGHT * Annotation.rowCount(annotations));
        return compose(layout, palette, annotations).toXml(recording.names());
    }

    private static SvgElement compose(PageLayout layout, Palette palette, List<Annotation> annotations) {
        var model = layout.model();
        double width = width(layout, palette, annotations);
        boolean coarse = model.detailLevel() == DetailLevel.AGGREGATED;
        var links = new LinksSvg(model);
        double height = layout.bottomY() + 34 + (coarse ? links.height() : 0);
        var aside = new AnnotationsSvg(layout, annotations);
        var picture = SvgElement.document(width, height, model.recording().title(), style(model))
                .add(SvgElement.tag("defs").addAll(ArrowsSvg.heads(palette)).addAll(hatches()))
                .add(SvgElement.rectangle("paper", 0, 0, width, height))
                .add(SvgElement.text("heading", MARGIN, TITLE, model.recording().title()))
                .add(LegendSvg.draw(model, palette, MARGIN, LEGEND));
        if (model.timeSlots().count() > 0) {
            picture.add(aside.drawCuts())
                    .add(AxisSvg.drawGrid(layout))
                    .add(SpaceTimeSvg.draw(layout, palette))
                    .add(new GanttSvg(layout, palette).draw())
                    .add(aside.drawAnnotations())
                    .add(AxisSvg.drawTimes(layout));
        }
        if (coarse) {
            return picture.add(links.draw(layout.startX(), layout.bottomY() + 40));
        }
        return picture.add(
                SvgElement.tag("script").with("type", "text/javascript").withText(SvgStyle.SCRIPT));
    }

    private static String style(DiagramModel model) {
        return model.detailLevel() == DetailLevel.FULL ? SvgStyle.STYLE : SvgStyle.STYLE + SvgStyle.DENSE_STYLE;
    }

    private static double width(PageLayout layout, Palette palette, List<Annotation> annotations) {
        var widths = Stream.of(
                layout.axis().end(),
                layout.model().recording().title().length() * 9.5 + MARGIN,
                LegendSvg.width(layout.model(), palette) + MARGIN);
        var ends = annotations.stream().map(Annotation::end);
        return Stream.concat(widths, ends).max(Double::compare).orElseThrow() + MARGIN;
    }

    private static List<SvgElement> hatches() {
        return List.of(
                hatch("hatch-down", "#f1f1ef", "#d4d4d0"),
                hatch("hatch-paused", "none", "#aab2ba"),
                hatch("hatch-cut", "#fdf3df", "#f3deb5"));
    }

    private static SvgElement hatch(String name, String ground, String stripes) {
        return SvgElement.tag("pattern")
                .with("id", name)
                .with("width", "7")
                .with("height", "7")
                .with("patternUnits", "userSpaceOnUse")
                .with("patternTransform", "rotate(45)")
                .add(SvgElement.tag("rect")
                        .with("width", "7")
                        .with("height", "7")
                        .with("fill", ground))
                .add(SvgElement.tag("rect")
                        .with("width", "2")
                        .with("height", "7")
                        .with("fill", stripes));
    }
}
