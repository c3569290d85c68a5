package habemus.lab.picture;

import habemus.lab.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An element of an SVG picture, with its attributes and what it contains. */
final class Svg {

    private final String name;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final List<Svg> children = new ArrayList<>();
    private String words = "";

    private Svg(String name) {
        this.name = name;
    }

    static Svg tag(String name) {
        return new Svg(name);
    }

    /** A whole picture, still empty, that stands by itself. */
    static Svg paper(double width, double height, String title, String style) {
        return tag("svg")
                .with("xmlns", "http://www.w3.org/2000/svg")
                .with("width", width)
                .with("height", height)
                .with("viewBox", "0 0 " + number(width) + " " + number(height))
                .with("role", "img")
                .add(tag("title").saying(title))
                .add(tag("style").saying(style));
    }

    /** A paper as a file. */
    String file() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + this;
    }

    static Svg group(String look) {
        return tag("g").with("class", look);
    }

    static Svg line(String look, double x1, double y1, double x2, double y2) {
        return tag("line")
                .with("class", look)
                .with("x1", x1)
                .with("y1", y1)
                .with("x2", x2)
                .with("y2", y2);
    }

    static Svg box(String look, double x, double y, double width, double height) {
        return tag("rect")
                .with("class", look)
                .with("x", x)
                .with("y", y)
                .with("width", width)
                .with("height", height);
    }

    static Svg dot(String look, double x, double y, double radius) {
        return tag("circle").with("class", look).with("cx", x).with("cy", y).with("r", radius);
    }

    static Svg path(String look, String d) {
        return tag("path").with("class", look).with("d", d);
    }

    static Svg text(String look, double x, double y, String words) {
        return tag("text").with("class", look).with("x", x).with("y", y).saying(words);
    }

    Svg with(String attribute, String value) {
        attributes.put(attribute, value);
        return this;
    }

    Svg with(String attribute, double value) {
        return with(attribute, number(value));
    }

    Svg saying(String next) {
        words = next;
        return this;
    }

    /** What a browser shows when the mouse rests here. */
    Svg titled(String tooltip) {
        children.add(0, tag("title").saying(tooltip));
        return this;
    }

    Svg add(Svg child) {
        children.add(child);
        return this;
    }

    Svg addAll(List<Svg> more) {
        children.addAll(more);
        return this;
    }

    /** With one decimal at most, which is finer than any eye. */
    static String number(double value) {
        return Table.number(value);
    }

    static String escape(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints().filter(Svg::isAllowed).forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                default -> safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }

    /** XML has no way to write the others. */
    private static boolean isAllowed(int c) {
        boolean character = c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000;
        return character || c == '\t' || c == '\n' || c == '\r';
    }

    /** An element a line. */
    @Override
    public String toString() {
        var out = new StringBuilder();
        write(out, "");
        return out.toString();
    }

    private void write(StringBuilder out, String indent) {
        out.append(indent).append('<').append(name);
        attributes.forEach((key, value) ->
                out.append(' ').append(key).append("=\"").append(escape(value)).append('"'));
        if (children.isEmpty()) {
            out.append(words.isEmpty() ? "/>" : ">" + escape(words) + "</" + name + ">")
                    .append('\n');
        } else {
            out.append('>').append(escape(words)).append('\n');
            children.forEach(child -> child.write(out, indent + " "));
            out.append(indent).append("</").append(name).append(">\n");
        }
    }
}
