package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.CutInterval;
import habemus.lab.trace.TraceWording;
import habemus.world.TraceEvent;
import java.util.List;

/** What stands behind the lanes and above them: shaded cuts, the lines of violations, and the words for both. */
final class AnnotationsSvg {

    static final double ROW_HEIGHT = 16;
    private static final double ABOVE_LANES = 34;

    private final PageLayout pageLayout;
    private final List<Annotation> annotations;

    AnnotationsSvg(PageLayout pageLayout, List<Annotation> annotations) {
        this.pageLayout = pageLayout;
        this.annotations = annotations;
    }

    SvgElement drawCuts() {
        var group = SvgElement.group("cuts");
        double top = pageLayout.firstLaneY() - ABOVE_LANES + 4;
        for (CutInterval cutInterval : pageLayout.diagramModel().cutIntervals()) {
            double from = pageLayout.x(cutInterval.from());
            double to = pageLayout.x(cutInterval.to());
            group.add(SvgElement.rectangle("cut", from, top, to - from, pageLayout.lastLaneY() + 18 - top)
                    .withTooltip(TraceWording.describe(cutInterval.cut())));
            group.add(SvgElement.line("cut-edge", from, top, from, pageLayout.lastLaneY() + 18));
            if (cutInterval.to() < pageLayout.diagramModel().events().size()) {
                group.add(SvgElement.line("cut-edge", to, top, to, pageLayout.lastLaneY() + 18));
            }
        }
        return group;
    }

    SvgElement drawAnnotations() {
        var group = SvgElement.group("remarks");
        for (Annotation annotation : annotations) {
            double x = pageLayout.x(annotation.index());
            double y = pageLayout.firstLaneY() - ABOVE_LANES - ROW_HEIGHT * annotation.row();
            if (annotation.violation()) {
                group.add(SvgElement.line("violation", x, y - 11, x, pageLayout.bottomY()));
            } else if (!isCut(annotation)) {
                group.add(SvgElement.line("cut-edge", x, y - 11, x, pageLayout.lastLaneY() + 18));
            }
            group.add(SvgElement.text(
                            annotation.violation() ? "violation-words" : "fault-words", x + 5, y, annotation.text())
                    .withTooltip(title(annotation)));
        }
        return group;
    }

    private boolean isCut(Annotation annotation) {
        return pageLayout.diagramModel().cutIntervals().stream()
                .anyMatch(cutInterval -> cutInterval.from() == annotation.index());
    }

    private String title(Annotation annotation) {
        return pageLayout.diagramModel().events().get(annotation.index())
                        instanceof TraceEvent.Violated(var at, var property)
                ? property + " violated: " + property.sentence()
                : annotation.text();
    }
}
