package habemus.lab.picture;

import habemus.lab.trace.Words;
import habemus.world.TraceLine;
import habemus.world.Wording;
import java.util.Comparator;
import java.util.List;

/** The messages as slanted arrows, from where and when they were sent to where and when they arrived. */
final class ArrowsSvg {

    private static final int MOST_LABELS = 80;
    private static final List<Double> PLACES = List.of(0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8);
    private static final double SHORT_OF_DOT = 6;
    private static final double LOST_AFTER = 26;

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

    private final Sheet sheet;
    private final Palette palette;
    private final LabelRoom room = new LabelRoom();

    ArrowsSvg(Sheet sheet, Palette palette) {
        this.sheet = sheet;
        this.palette = palette;
    }

    /** The heads that arrows of these colours have. */
    static List<Svg> heads(Palette palette) {
        return palette.colours().stream().map(ArrowsSvg::head).toList();
    }

    private static Svg head(String colour) {
        return Svg.tag("marker")
                .with("id", headName(colour))
                .with("viewBox", "0 0 10 10")
                .with("refX", "9")
                .with("refY", "5")
                .with("markerWidth", "9")
                .with("markerHeight", "9")
                .with("markerUnits", "userSpaceOnUse")
                .with("orient", "auto")
                .add(Svg.tag("path").with("d", "M0 1L10 5L0 9L2.5 5Z").with("fill", colour));
    }

    private static String headName(String colour) {
        return "head-" + colour.substring(1);
    }

    Svg draw() {
        var group = Svg.group(sheet.scene().grain() == Grain.CLOSE ? "arrows many" : "arrows");
        var arrows = sheet.scene().arrows();
        arrows.forEach(arrow -> group.add(draw(arrow)));
        if (arrows.size() <= MOST_LABELS) {
            takeDots();
            arrows.stream()
                    .filter(arrow -> !arrow.copy())
                    .sorted(Comparator.comparingDouble(arrow -> stroke(arrow).length())) // short ones have less choice
                    .forEach(arrow -> label(group, arrow));
        }
        return group;
    }

    private void takeDots() {
        var lines = sheet.scene().lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i) instanceof TraceLine.Acted acted) {
                room.takeDot(sheet.x(i), sheet.lane(acted.node()));
            }
        }
    }

    private Svg draw(Arrow arrow) {
        var colour = palette.of(arrow);
        var stroke = stroke(arrow);
        var group = Svg.group("arrow").with("data-from", Integer.toString(arrow.sent()));
        var line = Svg.line(look(arrow), stroke.x1, stroke.y1, stroke.x2, stroke.y2)
                .with("stroke", colour);
        group.add(line);
        switch (arrow.end()) {
            case Arrow.End.Received(var at) -> {
                group.with("data-to", Integer.toString(at)).titled(title(arrow, " takes " + duration(arrow, at)));
                line.with("marker-end", "url(#" + headName(colour) + ")");
            }
            case Arrow.End.Failed(var at, var fate) ->
                group.titled(Words.of(arrow.mail(), fate)).add(Marks.cross("fail", stroke.x2, stroke.y2, 4));
            case Arrow.End.UnderWay() -> group.titled(title(arrow, " is still under way"));
        }
        return group;
    }

    private String duration(Arrow arrow, int received) {
        var lines = sheet.scene().lines();
        return Words.shortMillis(
                lines.get(received).at() - lines.get(arrow.sent()).at());
    }

    private static String title(Arrow arrow, String more) {
        var mail = arrow.mail();
        return Wording.of(mail.message()) + " from " + mail.from() + " to " + mail.to() + more;
    }

    private static String look(Arrow arrow) {
        return arrow.end() instanceof Arrow.End.UnderWay
                ? "under-way"
                : arrow.copy() ? "copy" : arrow.told() ? "told" : "sent";
    }

    private Stroke stroke(Arrow arrow) {
        double x1 = sheet.x(arrow.sent());
        double y1 = sheet.lane(arrow.mail().from());
        double y2 = sheet.lane(arrow.mail().to());
        return switch (arrow.end()) {
            case Arrow.End.Received(var line) -> new Stroke(x1, y1, sheet.x(line), y2).shorterBy(SHORT_OF_DOT);
            case Arrow.End.Failed(var line, var fate)
            when sheet.x(line) <= x1 -> new Stroke(x1, y1, x1 + 2 * LOST_AFTER, y2).upTo(0.5);
            case Arrow.End.Failed(var line, var fate) ->
                new Stroke(x1, y1, sheet.x(line), y2).upTo(fate == TraceLine.Fate.RECEIVER_DOWN ? 1 : 0.8);
            case Arrow.End.UnderWay() -> new Stroke(x1, y1, sheet.axis().end() + LOST_AFTER, y2).upTo(0.7);
        };
    }

    private void label(Svg group, Arrow arrow) {
        var message = arrow.mail().message();
        if (!label(group, arrow, Words.label(message))) {
            label(group, arrow, Words.carried(message)); // its colour tells the rest
        }
    }

    private boolean label(Svg group, Arrow arrow, String words) {
        var stroke = stroke(arrow);
        if (words.isEmpty() || stroke.length() < LabelRoom.width(words) + 14) {
            return false;
        }
        for (double place : PLACES) {
            var until = stroke.upTo(place);
            if (room.take(until.x2, until.y2, stroke.degrees(), words)) {
                var turn = "rotate(" + Svg.number(stroke.degrees()) + " " + Svg.number(until.x2) + " "
                        + Svg.number(until.y2) + ")";
                group.add(Svg.text("label", until.x2, until.y2 - 4, words)
                        .with("transform", turn)
                        .with("style", "fill:" + palette.of(arrow)));
                return true;
            }
        }
        return false;
    }
}
