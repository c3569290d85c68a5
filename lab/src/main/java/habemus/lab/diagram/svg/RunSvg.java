package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DetailLevel;
import habemus.lab.diagram.model.DiagramModel;
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
    private static final double CHARACTER_WIDTH = 8;

    private RunSvg() {}

    public static String draw(Recording recording) {
        var diagramModel = DiagramModel.of(recording);
        var palette = new Palette(diagramModel);
        int name = recording.nodes().stream()
                .mapToInt(n -> n.toString().length())
                .max()
                .orElse(0);
        var axis = TimeAxis.of(diagramModel, MARGIN + name * CHARACTER_WIDTH + 20);
        var annotations = Annotation.of(diagramModel, axis);
        var pageLayout = PageLayout.of(
                diagramModel,
                axis,
                LEGEND + LANES_BELOW_LEGEND + AnnotationsSvg.ROW_HEIGHT * Annotation.rowCount(annotations));
        return compose(pageLayout, palette, annotations).toXml();
    }

    private static SvgElement compose(PageLayout pageLayout, Palette palette, List<Annotation> annotations) {
        var diagramModel = pageLayout.diagramModel();
        double width = width(pageLayout, palette, annotations);
        boolean coarse = diagramModel.detailLevel() == DetailLevel.AGGREGATED;
        var links = new LinksSvg(diagramModel);
        double height = pageLayout.bottomY() + 34 + (coarse ? links.height() : 0);
        var aside = new AnnotationsSvg(pageLayout, annotations);
        var picture = SvgElement.document(
                        width, height, diagramModel.recording().title(), style(diagramModel))
                .add(SvgElement.tag("defs").addAll(ArrowsSvg.heads(palette)).addAll(hatches()))
                .add(SvgElement.rectangle("paper", 0, 0, width, height))
                .add(SvgElement.text(
                        "heading", MARGIN, TITLE, diagramModel.recording().title()))
                .add(LegendSvg.draw(diagramModel, palette, MARGIN, LEGEND));
        if (diagramModel.timeSlots().count() > 0) {
            picture.add(aside.drawCuts())
                    .add(AxisSvg.drawGrid(pageLayout))
                    .add(SpaceTimeSvg.draw(pageLayout, palette))
                    .add(new GanttSvg(pageLayout, palette).draw())
                    .add(aside.drawAnnotations())
                    .add(AxisSvg.drawTimes(pageLayout));
        }
        if (coarse) {
            return picture.add(links.draw(pageLayout.startX(), pageLayout.bottomY() + 40));
        }
        return picture.add(
                SvgElement.tag("script").with("type", "text/javascript").withText(SvgStyle.SCRIPT));
    }

    private static String style(DiagramModel diagramModel) {
        return diagramModel.detailLevel() == DetailLevel.FULL ? SvgStyle.STYLE : SvgStyle.STYLE + SvgStyle.DENSE_STYLE;
    }

    private static double width(PageLayout pageLayout, Palette palette, List<Annotation> annotations) {
        var widths = Stream.of(
                pageLayout.axis().end(),
                pageLayout.diagramModel().recording().title().length() * 9.5 + MARGIN,
                LegendSvg.width(pageLayout.diagramModel(), palette) + MARGIN);
        var ends = annotations.stream().map(Annotation::end);
        return Stream.concat(widths, ends).max(Double::compare).orElseThrow() + MARGIN;
    }

    private static List<SvgElement> hatches() {
        return List.of(
                hatch("hatch-down", "#f1f1ef", "#d4d4d0"),
                hatch("hatch-still", "none", "#aab2ba"),
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
