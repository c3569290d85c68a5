package habemus.lab.diagram.svg;

import habemus.lab.trace.NodeNames;
import java.util.List;

/** Draws objects on cache lines as one self-contained SVG image: a row for each line, a box for each field. */
public final class CacheLineSvg {

    private static final double MARGIN = 28;
    private static final double NAME_WIDTH = 60;
    private static final double BYTE_WIDTH = 11;
    private static final double ROW_HEIGHT = 30;
    private static final double BOX_HEIGHT = 24;
    private static final double TITLE_HEIGHT = 58;
    private static final double STRIP_GAP = 46;
    private static final String STYLE = """
            .cache-line { fill: #f3f4f1; stroke: #7d8894; stroke-width: 1.2; }
            .header { fill: #dfe4ea; stroke: #7d8894; stroke-width: .6; }
            .padding { fill: #ffffff; stroke: #b9c0c7; stroke-width: .6; stroke-dasharray: 3 2; }
            .field { fill: #2566b0; stroke: #1b4a80; stroke-width: .6; }
            .line-name { font-size: 11px; fill: #6b7580; text-anchor: end; }
            .field-name { font-size: 11px; fill: #ffffff; text-anchor: middle; }
            .strip { font-weight: 600; }
            """;

    /** What a box shows. */
    public enum Role {
        HEADER,
        PADDING,
        FIELD
    }

    /** @param offset in bytes from the start of the object */
    public record Box(String name, Role role, int offset, int bytes) {}

    /** An object that starts at a cache line. */
    public record Strip(String title, int bytes, List<Box> boxes) {}

    private final int lineBytes;

    private CacheLineSvg(int lineBytes) {
        this.lineBytes = lineBytes;
    }

    /** @param lineBytes the size of a cache line */
    public static String draw(String title, int lineBytes, List<Strip> strips) {
        return new CacheLineSvg(lineBytes).draw(title, strips);
    }

    private String draw(String title, List<Strip> strips) {
        double width = 2 * MARGIN + NAME_WIDTH + lineBytes * BYTE_WIDTH;
        double height = TITLE_HEIGHT
                + strips.stream()
                        .mapToDouble(strip -> STRIP_GAP + ROW_HEIGHT * lines(strip))
                        .sum()
                + MARGIN;
        var picture = SvgElement.document(width, height, title, SvgStyle.STYLE + STYLE)
                .add(SvgElement.rectangle("paper", 0, 0, width, height))
                .add(SvgElement.text("heading", MARGIN, 34, title));
        double y = TITLE_HEIGHT;
        for (Strip strip : strips) {
            picture.add(draw(strip, y + STRIP_GAP));
            y += STRIP_GAP + ROW_HEIGHT * lines(strip);
        }
        return picture.toXml(NodeNames.NONE);
    }

    private int lines(Strip strip) {
        return Math.ceilDiv(strip.bytes, lineBytes);
    }

    private SvgElement draw(Strip strip, double top) {
        var group = SvgElement.group("object").add(SvgElement.text("strip", MARGIN, top - 12, strip.title));
        double left = MARGIN + NAME_WIDTH;
        for (int line = 0; line < lines(strip); line++) {
            double y = top + ROW_HEIGHT * line;
            int first = line * lineBytes;
            group.add(SvgElement.rectangle("cache-line", left, y, lineBytes * BYTE_WIDTH, BOX_HEIGHT)
                            .withTooltip("bytes " + first + " to " + (first + lineBytes - 1)))
                    .add(SvgElement.text("line-name", left - 8, y + 16, "line " + line));
        }
        strip.boxes.forEach(box -> group.add(draw(box, left, top)));
        return group;
    }

    private SvgElement draw(Box box, double left, double top) {
        double x = left + box.offset % lineBytes * BYTE_WIDTH;
        int line = box.offset / lineBytes;
        double y = top + line * ROW_HEIGHT;
        double width = box.bytes * BYTE_WIDTH;
        var group = SvgElement.group("box")
                .add(SvgElement.rectangle(cssClass(box.role), x, y + 1, width, BOX_HEIGHT - 2)
                        .withTooltip(box.name + " at byte " + box.offset));
        if (box.role == Role.FIELD) {
            group.add(SvgElement.text("field-name", x + width / 2, y + 16, box.name));
        }
        return group;
    }

    private static String cssClass(Role role) {
        return switch (role) {
            case HEADER -> "header";
            case PADDING -> "padding";
            case FIELD -> "field";
        };
    }
}
