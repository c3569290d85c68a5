package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DetailLevel;
import habemus.lab.diagram.model.MessageArrow;
import habemus.lab.trace.TraceWording;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import java.util.Comparator;
import java.util.List;

/** The messages as slanted arrows, from where and when they were sent to where and when they arrived. */
final class ArrowsSvg {

    private static final int MAX_LABELLED_ARROWS = 80;
    private static final List<Double> LABEL_POSITIONS = List.of(0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8);
    private static final double DOT_MARGIN = 6;
    private static final double DROPPED_LENGTH = 26;

    /** A straight line on the paper. */
    private record Stroke(double x1, double y1, double x2, double y2) {
        double length() {
            return StrictMath.hypot(x2 - x1, y2 - y1);
        }

        double degrees() {
            return Math.toDegrees(StrictMath.atan2(y2 - y1, x2 - x1));
        }

        Stroke upTo(double part) {
            return new Stroke(x1, y1, x1 + (x2 - x1) * part, y1 + (y2 - y1) * part);
        }

        Stroke shorterBy(double distance) {
            return upTo(Math.max(0.1, 1 - distance / Math.max(1, length())));
        }
    }

    private final PageLayout pageLayout;
    private final Palette palette;
    private final LabelPlacement labels = new LabelPlacement();

    ArrowsSvg(PageLayout pageLayout, Palette palette) {
        this.pageLayout = pageLayout;
        this.palette = palette;
    }

    /** The heads that arrows of these colours have. */
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
        var group = SvgElement.group(
                pageLayout.diagramModel().detailLevel() == DetailLevel.DENSE ? "arrows many" : "arrows");
        var messageArrows = pageLayout.diagramModel().messageArrows();
        messageArrows.forEach(messageArrow -> group.add(draw(messageArrow)));
        if (messageArrows.size() <= MAX_LABELLED_ARROWS) {
            reserveDots();
            messageArrows.stream()
                    .filter(messageArrow -> !messageArrow.duplicate())
                    .sorted(Comparator.comparingDouble(
                            messageArrow -> stroke(messageArrow).length())) // short ones have less choice
                    .forEach(messageArrow -> label(group, messageArrow));
        }
        return group;
    }

    private void reserveDots() {
        var lines = pageLayout.diagramModel().events();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i) instanceof TraceEvent.NodeStep nodeStep) {
                labels.reserveDot(pageLayout.x(i), pageLayout.laneY(nodeStep.node()));
            }
        }
    }

    private SvgElement draw(MessageArrow messageArrow) {
        var colour = palette.colourOf(messageArrow);
        var stroke = stroke(messageArrow);
        var group = SvgElement.group("arrow").with("data-from", Integer.toString(messageArrow.sendIndex()));
        var line = SvgElement.line(cssClass(messageArrow), stroke.x1, stroke.y1, stroke.x2, stroke.y2)
                .with("stroke", colour);
        group.add(line);
        switch (messageArrow.end()) {
            case MessageArrow.End.Received(var at) -> {
                group.with("data-to", Integer.toString(at))
                        .withTooltip(title(messageArrow, " takes " + duration(messageArrow, at)));
                line.with("marker-end", "url(#" + headName(colour) + ")");
            }
            case MessageArrow.End.Dropped(var at, var fate) ->
                group.withTooltip(TraceWording.describe(messageArrow.inFlightMessage(), fate))
                        .add(SvgMarkers.cross("fail", stroke.x2, stroke.y2, 4));
            case MessageArrow.End.InFlight() -> group.withTooltip(title(messageArrow, " is still under way"));
        }
        return group;
    }

    private String duration(MessageArrow messageArrow, int received) {
        var lines = pageLayout.diagramModel().events();
        return TraceWording.shortMillis(
                lines.get(received).at() - lines.get(messageArrow.sendIndex()).at());
    }

    private static String title(MessageArrow messageArrow, String more) {
        var inFlightMessage = messageArrow.inFlightMessage();
        return ValueFormatter.format(inFlightMessage.message()) + " from " + inFlightMessage.from() + " to "
                + inFlightMessage.to() + more;
    }

    private static String cssClass(MessageArrow messageArrow) {
        return messageArrow.end() instanceof MessageArrow.End.InFlight
                ? "under-way"
                : messageArrow.duplicate() ? "copy" : messageArrow.fromApplication() ? "told" : "sent";
    }

    private Stroke stroke(MessageArrow messageArrow) {
        double x1 = pageLayout.x(messageArrow.sendIndex());
        double y1 = pageLayout.laneY(messageArrow.inFlightMessage().from());
        double y2 = pageLayout.laneY(messageArrow.inFlightMessage().to());
        return switch (messageArrow.end()) {
            case MessageArrow.End.Received(var line) ->
                new Stroke(x1, y1, pageLayout.x(line), y2).shorterBy(DOT_MARGIN);
            case MessageArrow.End.Dropped(var line, var fate)
            when pageLayout.x(line) <= x1 -> new Stroke(x1, y1, x1 + 2 * DROPPED_LENGTH, y2).upTo(0.5);
            case MessageArrow.End.Dropped(var line, var fate) ->
                new Stroke(x1, y1, pageLayout.x(line), y2).upTo(fate == TraceEvent.Fate.RECEIVER_DOWN ? 1 : 0.8);
            case MessageArrow.End.InFlight() ->
                new Stroke(x1, y1, pageLayout.axis().end() + DROPPED_LENGTH, y2).upTo(0.7);
        };
    }

    private void label(SvgElement group, MessageArrow messageArrow) {
        var message = messageArrow.inFlightMessage().message();
        if (!label(group, messageArrow, TraceWording.label(message))) {
            label(group, messageArrow, TraceWording.payload(message)); // its colour tells the rest
        }
    }

    private boolean label(SvgElement group, MessageArrow messageArrow, String words) {
        var stroke = stroke(messageArrow);
        if (words.isEmpty() || stroke.length() < LabelPlacement.textWidth(words) + 14) {
            return false;
        }
        for (double place : LABEL_POSITIONS) {
            var until = stroke.upTo(place);
            if (labels.tryReserve(until.x2, until.y2, stroke.degrees(), words)) {
                var turn = "rotate(" + SvgElement.formatNumber(stroke.degrees()) + " "
                        + SvgElement.formatNumber(until.x2) + " " + SvgElement.formatNumber(until.y2) + ")";
                group.add(SvgElement.text("label", until.x2, until.y2 - 4, words)
                        .with("transform", turn)
                        .with("style", "fill:" + palette.colourOf(messageArrow)));
                return true;
            }
        }
        return false;
    }
}
