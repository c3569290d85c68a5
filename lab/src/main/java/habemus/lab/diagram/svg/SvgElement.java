package habemus.lab.diagram.svg;

import habemus.lab.table.TextTable;
import habemus.lab.trace.NodeNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An SVG element with its attributes, text and children. */
final class SvgElement {

    private final String name;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final List<SvgElement> children = new ArrayList<>();
    private String textContent = "";

    private SvgElement(String name) {
        this.name = name;
    }

    static SvgElement tag(String name) {
        return new SvgElement(name);
    }

    /** An empty self-contained SVG document. */
    static SvgElement document(double width, double height, String title, String style) {
        return tag("svg")
                .with("xmlns", "http://www.w3.org/2000/svg")
                .with("width", width)
                .with("height", height)
                .with("viewBox", "0 0 " + formatNumber(width) + " " + formatNumber(height))
                .with("role", "img")
                .add(tag("title").withText(title))
                .add(tag("style").withText(style));
    }

    /** The document as the content of a file, with the names of nodes in all texts and tooltips. */
    String toXml(NodeNames names) {
        putIn(names);
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + this;
    }

    private void putIn(NodeNames names) {
        if (!name.equals("style") && !name.equals("script")) {
            textContent = names.in(textContent);
        }
        children.forEach(child -> child.putIn(names));
    }

    static SvgElement group(String cssClass) {
        return tag("g").with("class", cssClass);
    }

    static SvgElement line(String cssClass, double x1, double y1, double x2, double y2) {
        return tag("line")
                .with("class", cssClass)
                .with("x1", x1)
                .with("y1", y1)
                .with("x2", x2)
                .with("y2", y2);
    }

    static SvgElement rectangle(String cssClass, double x, double y, double width, double height) {
        return tag("rect")
                .with("class", cssClass)
                .with("x", x)
                .with("y", y)
                .with("width", width)
                .with("height", height);
    }

    static SvgElement circle(String cssClass, double x, double y, double radius) {
        return tag("circle").with("class", cssClass).with("cx", x).with("cy", y).with("r", radius);
    }

    static SvgElement path(String cssClass, String d) {
        return tag("path").with("class", cssClass).with("d", d);
    }

    static SvgElement text(String cssClass, double x, double y, String text) {
        return tag("text").with("class", cssClass).with("x", x).with("y", y).withText(text);
    }

    SvgElement with(String attribute, String value) {
        attributes.put(attribute, value);
        return this;
    }

    SvgElement with(String attribute, double value) {
        return with(attribute, formatNumber(value));
    }

    SvgElement withText(String text) {
        textContent = text;
        return this;
    }

    /** Adds a tooltip, which browsers show when the mouse rests on the element. */
    SvgElement withTooltip(String tooltip) {
        children.add(0, tag("title").withText(tooltip));
        return this;
    }

    SvgElement add(SvgElement child) {
        children.add(child);
        return this;
    }

    SvgElement addAll(List<SvgElement> more) {
        children.addAll(more);
        return this;
    }

    /** A number with one decimal at most. */
    static String formatNumber(double value) {
        return TextTable.formatNumber(value);
    }

    static String escape(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints().filter(SvgElement::isAllowed).forEach(c -> {
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

    /** Whether XML allows the character. */
    private static boolean isAllowed(int c) {
        boolean character = c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000;
        return character || c == '\t' || c == '\n' || c == '\r';
    }

    /** One line for each element. */
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
            out.append(textContent.isEmpty() ? "/>" : ">" + escape(textContent) + "</" + name + ">")
                    .append('\n');
        } else {
            out.append('>').append(escape(textContent)).append('\n');
            children.forEach(child -> child.write(out, indent + " "));
            out.append(indent).append("</").append(name).append(">\n");
        }
    }
}
