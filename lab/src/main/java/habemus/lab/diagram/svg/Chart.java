package habemus.lab.diagram.svg;

import habemus.lab.trace.NodeNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A chart with curves for formulas and dots for measurements, as one self-contained SVG image. */
public final class Chart {

    private static final double WIDTH = 930;
    private static final double LEFT = 84;
    private static final double RIGHT = 306; // width of the legend
    private static final double TOP = 66;
    private static final double BOTTOM = 430;
    private static final double MIN_HEIGHT = 486;
    private static final double LEGEND_LINE_HEIGHT = 20;
    private static final List<String> COLOURS = List.of(
            "#2566b0", "#d9730d", "#7b4bb3", "#0f8f95", "#b5417f", "#7a5c3e", "#4b5bd0", "#94870f", "#5b6770",
            "#2fa866");
    private static final String STYLE = """

            text { font-family: Inter, "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif; \
            font-size: 12px; fill: #1f2933; }
            .paper { fill: #fdfdfb; }
            .heading { font-size: 17px; font-weight: 600; }
            .grid { stroke: #e9ebe6; stroke-width: 1; }
            .axis { stroke: #7d8894; stroke-width: 1.2; }
            .tick-x { font-size: 11px; fill: #6b7580; text-anchor: middle; }
            .tick-y { font-size: 11px; fill: #6b7580; text-anchor: end; }
            .unit { fill: #3d4852; }
            .curve { fill: none; stroke-width: 2; stroke-linejoin: round; }
            .mark { stroke: #d7263d; stroke-width: 1.4; stroke-dasharray: 5 3; }
            .mark-label { fill: #b3122a; font-weight: 600; font-size: 11px; }
            """;

    /** @param logarithmic whether the values are exponents of ten */
    public record Axis(String unit, boolean logarithmic) {}

    public record Point(double x, double y) {}

    /** A formula as a curve, and measurements as dots. */
    private record Series(String name, List<Point> curve, List<Point> dots) {}

    private final String title;
    private final Axis xAxis;
    private final Axis yAxis;
    private final List<Series> series = new ArrayList<>();
    private Optional<Point> mark = Optional.empty();
    private String markLabel = "";

    public Chart(String title, Axis xAxis, Axis yAxis) {
        this.title = title;
        this.xAxis = xAxis;
        this.yAxis = yAxis;
    }

    public Chart curve(String name, List<Point> points) {
        return curve(name, points, List.of());
    }

    /** @param dots measurements, drawn in the colour of the curve; either list may be empty */
    public Chart curve(String name, List<Point> points, List<Point> dots) {
        series.add(new Series(name, List.copyOf(points), List.copyOf(dots)));
        return this;
    }

    /** Marks one point with a vertical line and a label. */
    public Chart mark(Point point, String label) {
        mark = Optional.of(point);
        markLabel = label;
        return this;
    }

    public String draw() {
        var x = AxisScale.covering(values(Point::x), xAxis.logarithmic, LEFT, WIDTH - RIGHT);
        var y = AxisScale.covering(values(Point::y), yAxis.logarithmic, BOTTOM, TOP);
        double height = Math.max(MIN_HEIGHT, TOP + LEGEND_LINE_HEIGHT * (series.size() + 1));
        var picture = SvgElement.document(WIDTH, height, title, STYLE)
                .add(SvgElement.rectangle("paper", 0, 0, WIDTH, height))
                .add(SvgElement.text("heading", 28, 32, title));
        drawAxes(picture, x, y);
        for (int i = 0; i < series.size(); i++) {
            draw(picture, series.get(i), COLOURS.get(i % COLOURS.size()), x, y);
            drawName(picture, i);
        }
        mark.ifPresent(point -> drawMark(picture, point, x, y));
        return picture.toXml(NodeNames.NONE);
    }

    private List<Double> values(ToDoubleFunction<Point> which) {
        return Stream.concat(
                        series.stream()
                                .flatMap(plotted -> Stream.concat(plotted.curve.stream(), plotted.dots.stream())),
                        mark.stream())
                .map(which::applyAsDouble)
                .toList();
    }

    private void drawAxes(SvgElement picture, AxisScale x, AxisScale y) {
        for (var tick : y.ticks()) {
            double at = y.position(tick.value());
            picture.add(SvgElement.line("grid", LEFT, at, WIDTH - RIGHT, at));
            picture.add(SvgElement.text("tick-y", LEFT - 8, at + 4, tick.label()));
        }
        for (var tick : x.ticks()) {
            double at = x.position(tick.value());
            picture.add(SvgElement.line("grid", at, TOP, at, BOTTOM));
            picture.add(SvgElement.text("tick-x", at, BOTTOM + 18, tick.label()));
        }
        picture.add(SvgElement.line("axis", LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM));
        picture.add(SvgElement.line("axis", LEFT, TOP, LEFT, BOTTOM));
        picture.add(SvgElement.text("unit", LEFT, TOP - 12, yAxis.unit));
        picture.add(
                SvgElement.text("unit", WIDTH - RIGHT, BOTTOM + 40, xAxis.unit).with("text-anchor", "end"));
    }

    private static void draw(SvgElement picture, Series line, String colour, AxisScale x, AxisScale y) {
        if (!line.curve.isEmpty()) {
            var path = line.curve.stream()
                    .map(point -> SvgElement.formatNumber(x.position(point.x)) + " "
                            + SvgElement.formatNumber(y.position(point.y)))
                    .collect(Collectors.joining(" L "));
            picture.add(
                    SvgElement.path("curve", "M " + path).with("stroke", colour).withTooltip(line.name));
        }
        line.dots.forEach(point -> picture.add(SvgElement.circle("dot", x.position(point.x), y.position(point.y), 3.5)
                .with("fill", colour)
                .withTooltip(line.name)));
    }

    private void drawName(SvgElement picture, int i) {
        double left = WIDTH - RIGHT + 22;
        double height = TOP + 8 + LEGEND_LINE_HEIGHT * i;
        var colour = COLOURS.get(i % COLOURS.size());
        if (!series.get(i).curve.isEmpty()) {
            picture.add(SvgElement.line("curve", left, height - 4, left + 18, height - 4)
                    .with("stroke", colour));
        }
        if (!series.get(i).dots.isEmpty()) {
            picture.add(SvgElement.circle("dot", left + 9, height - 4, 3.5).with("fill", colour));
        }
        picture.add(SvgElement.text("legend", left + 26, height, series.get(i).name));
    }

    private void drawMark(SvgElement picture, Point point, AxisScale x, AxisScale y) {
        double at = x.position(point.x);
        picture.add(SvgElement.line("mark", at, TOP, at, BOTTOM));
        picture.add(SvgElement.circle("dot", at, y.position(point.y), 5).with("fill", "#d7263d"));
        boolean right = at < (LEFT + WIDTH - RIGHT) / 2;
        picture.add(SvgElement.text("mark-label", at + (right ? 8 : -8), TOP + 14, markLabel)
                .with("text-anchor", right ? "start" : "end"));
    }
}
