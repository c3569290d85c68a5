package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DetailLevel;
import habemus.lab.diagram.model.MessageArrow;
import habemus.lab.trace.TraceWording;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import java.util.Comparator;
import java.util.List;

/** Draws messages as slanted arrows from the sender's lane to the receiver's lane. */
final class ArrowsSvg {

    private static final int MAX_LABELLED_ARROWS = 80;
    private static final List<Double> LABEL_POSITIONS = List.of(0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8);
    private static final double DOT_MARGIN = 6;
    private static final double DROPPED_LENGTH = 26;

    /** A straight line. */
    private record Stroke(double x1, double y1, double x2, double y2) {
        double length() {
            double x = x2 - x1;
            double y = y2 - y1;
            return Math.sqrt(x * x + y * y); // browsers round hypot differently
        }

        double degrees() {
            return Math.toDegrees(StrictMath.atan2(y2 - y1, x2 - x1));
        }

        Stroke upTo(double fraction) {
            return new Stroke(x1, y1, x1 + (x2 - x1) * fraction, y1 + (y2 - y1) * fraction);
        }

        Stroke shorterBy(double distance) {
            return upTo(Math.max(0.1, 1 - distance / Math.max(1, length())));
        }
    }

    private final PageLayout layout;
    private final Palette palette;
    private final LabelPlacement labels = new LabelPlacement();

    ArrowsSvg(PageLayout layout, Palette palette) {
        this.layout = layout;
        this.palette = palette;
    }

    /** The arrowheads in all colours of the palette. */
    static List<SvgElement> heads(Palette palette) {
        return palette.colours().stream().map(ArrowsSvg::head).toList();
    }

    private static SvgElement head(String colour) {
        return SvgElement.tag("marker")
                .with("id", headName(colour))
                .with("viewBox", "0 0 10 10")
                .with("refX", "9")
                .with("refY", "5")
                .with("markerWidth", "9")
                .with("markerHeight", "9")
                .with("markerUnits", "userSpaceOnUse")
                .with("orient", "auto")
                .add(SvgElement.tag("path").with("d", "M0 1L10 5L0 9L2.5 5Z").with("fill", colour));
    }

    private static String headName(String colour) {
        return "head-" + colour.substring(1);
    }

    SvgElement draw() {
        var group = SvgElement.group(layout.model().detailLevel() == DetailLevel.DENSE ? "arrows many" : "arrows");
        var arrows = layout.model().arrows();
        arrows.forEach(arrow -> group.add(draw(arrow)));
        if (arrows.size() <= MAX_LABELLED_ARROWS) {
            reserveDots();
            arrows.stream()
                    .filter(arrow -> !arrow.duplicate())
                    .sorted(Comparator.comparingDouble(
                            arrow -> stroke(arrow).length())) // short arrows have fewer positions
                    .forEach(arrow -> label(group, arrow));
        }
        return group;
    }

    private void reserveDots() {
        var events = layout.model().events();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof TraceEvent.NodeStep step) {
                labels.reserveDot(layout.x(i), layout.laneY(step.node()));
            }
        }
    }

    private SvgElement draw(MessageArrow arrow) {
        var colour = palette.colourOf(arrow);
        var stroke = stroke(arrow);
        var group = SvgElement.group("arrow").with("data-from", Integer.toString(arrow.sendIndex()));
        var line = SvgElement.line(cssClass(arrow), stroke.x1, stroke.y1, stroke.x2, stroke.y2)
                .with("stroke", colour);
        group.add(line);
        switch (arrow.end()) {
            case MessageArrow.End.Received(var at) -> {
                group.with("data-to", Integer.toString(at)).withTooltip(title(arrow, " takes " + duration(arrow, at)));
                line.with("marker-end", "url(#" + headName(colour) + ")");
            }
            case MessageArrow.End.Dropped(var at, var fate) ->
                group.withTooltip(TraceWording.describe(arrow.inFlightMessage(), fate))
                        .add(SvgMarkers.cross("fail", stroke.x2, stroke.y2, 4));
            case MessageArrow.End.InFlight() -> group.withTooltip(title(arrow, " is in flight at the end"));
        }
        return group;
    }

    private String duration(MessageArrow arrow, int received) {
        var events = layout.model().events();
        return layout.model()
                .recording()
                .timeScale()
                .span(events.get(received).at() - events.get(arrow.sendIndex()).at());
    }

    private static String title(MessageArrow arrow, String suffix) {
        var inFlightMessage = arrow.inFlightMessage();
        return ValueFormatter.format(inFlightMessage.message()) + " from " + inFlightMessage.from() + " to "
                + inFlightMessage.to() + suffix;
    }

    private static String cssClass(MessageArrow arrow) {
        return arrow.end() instanceof MessageArrow.End.InFlight
                ? "in-flight"
                : arrow.duplicate() ? "duplicate" : arrow.fromApplication() ? "application" : "sent";
    }

    private Stroke stroke(MessageArrow arrow) {
        double x1 = layout.x(arrow.sendIndex());
        double y1 = layout.laneY(arrow.inFlightMessage().from());
        double y2 = layout.laneY(arrow.inFlightMessage().to());
        return switch (arrow.end()) {
            case MessageArrow.End.Received(var index) -> new Stroke(x1, y1, layout.x(index), y2).shorterBy(DOT_MARGIN);
            case MessageArrow.End.Dropped(var index, var fate)
            when layout.x(index) <= x1 -> new Stroke(x1, y1, x1 + 2 * DROPPED_LENGTH, y2).upTo(0.5);
            case MessageArrow.End.Dropped(var index, var fate) ->
                new Stroke(x1, y1, layout.x(index), y2).upTo(fate == TraceEvent.Fate.RECEIVER_DOWN ? 1 : 0.8);
            case MessageArrow.End.InFlight() -> new Stroke(x1, y1, layout.axis().end() + DROPPED_LENGTH, y2).upTo(0.7);
        };
    }

    private void label(SvgElement group, MessageArrow arrow) {
        var message = arrow.inFlightMessage().message();
        var names = layout.model().recording().names();
        if (!label(group, arrow, names.in(TraceWording.label(message)))) {
            label(group, arrow, names.in(TraceWording.payload(message))); // the colour shows its type
        }
    }

    private boolean label(SvgElement group, MessageArrow arrow, String text) {
        var stroke = stroke(arrow);
        if (text.isEmpty() || stroke.length() < LabelPlacement.textWidth(text) + 14) {
            return false;
        }
        for (double position : LABEL_POSITIONS) {
            var until = stroke.upTo(position);
            if (labels.tryReserve(until.x2, until.y2, stroke.degrees(), text)) {
                var rotation = "rotate(" + SvgElement.formatNumber(stroke.degrees()) + " "
                        + SvgElement.formatNumber(until.x2) + " " + SvgElement.formatNumber(until.y2) + ")";
                group.add(SvgElement.text("label", until.x2, until.y2 - 4, text)
                        .with("transform", rotation)
                        .with("style", "fill:" + palette.colourOf(arrow)));
                return true;
            }
        }
        return false;
    }
}
