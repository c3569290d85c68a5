package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.CutInterval;
import habemus.lab.trace.TraceWording;
import habemus.world.TraceEvent;
import java.util.List;

/** Draws cuts as shaded areas, violations as vertical lines, and the texts of both above the lanes. */
final class AnnotationsSvg {

    static final double ROW_HEIGHT = 16;
    private static final double ABOVE_LANES = 34;

    private final PageLayout layout;
    private final List<Annotation> annotations;
    private final double bottomRowY;

    AnnotationsSvg(PageLayout layout, List<Annotation> annotations) {
        this.layout = layout;
        this.annotations = annotations;
        bottomRowY = layout.firstLaneY() - ABOVE_LANES - PageLayout.noteRoom(layout.model());
    }

    SvgElement drawCuts() {
        var group = SvgElement.group("cuts");
        double top = bottomRowY + 4;
        for (CutInterval cutInterval : layout.model().cutIntervals()) {
            double from = layout.x(cutInterval.from());
            double to = layout.x(cutInterval.to());
            group.add(SvgElement.rectangle("cut", from, top, to - from, layout.lastLaneY() + 18 - top)
                    .withTooltip(TraceWording.describe(cutInterval.cut())));
            group.add(SvgElement.line("cut-edge", from, top, from, layout.lastLaneY() + 18));
            if (cutInterval.to() < layout.model().events().size()) {
                group.add(SvgElement.line("cut-edge", to, top, to, layout.lastLaneY() + 18));
            }
        }
        return group;
    }

    SvgElement drawAnnotations() {
        var group = SvgElement.group("annotations");
        for (Annotation annotation : annotations) {
            double x = layout.x(annotation.index());
            double y = bottomRowY - ROW_HEIGHT * annotation.row();
            if (annotation.violation()) {
                group.add(SvgElement.line("violation", x, y - 11, x, layout.bottomY()));
            } else if (!isCut(annotation)) {
                group.add(SvgElement.line("cut-edge", x, y - 11, x, layout.lastLaneY() + 18));
            }
            group.add(SvgElement.text(
                            annotation.violation() ? "violation-label" : "fault-label", x + 5, y, annotation.text())
                    .withTooltip(title(annotation)));
        }
        return group;
    }

    private boolean isCut(Annotation annotation) {
        return layout.model().cutIntervals().stream().anyMatch(cutInterval -> cutInterval.from() == annotation.index());
    }

    private String title(Annotation annotation) {
        return switch (layout.model().events().get(annotation.index())) {
            case TraceEvent.Violated(var at, var property) -> TraceWording.describeViolation(property);
            case TraceEvent.NotGuaranteed(var at, var property) -> TraceWording.describeNotGuaranteed(property);
            default -> annotation.text();
        };
    }
}
