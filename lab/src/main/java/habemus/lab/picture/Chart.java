package habemus.lab.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Numbers drawn over numbers: curves, and dots for what was measured. One self-contained SVG picture. */
public final class Chart {

    private static final double WIDTH = 930;
    private static final double LEFT = 84;
    private static final double RIGHT = 306; // room for the legend
    private static final double TOP = 66;
    private static final double BOTTOM = 430;
    private static final double HEIGHT = 486; // at least
    private static final double LINE = 20;
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
            .mark-words { fill: #b3122a; font-weight: 600; font-size: 11px; }
            """;

    /** What an axis shows. @param powers whether the numbers are exponents of ten */
    public record Axis(String unit, boolean powers) {}

    public record Point(double x, double y) {}

    /** What theory says as a curve, and what was measured as dots. */
    private record Series(String name, List<Point> curve, List<Point> dots) {}

    private final String title;
    private final Axis across;
    private final Axis up;
    private final List<Series> series = new ArrayList<>();
    private Optional<Point> mark = Optional.empty();
    private String remark = "";

    public Chart(String title, Axis across, Axis up) {
        this.title = title;
        this.across = across;
        this.up = up;
    }

    public Chart curve(String name, List<Point> points) {
        return curve(name, points, List.of());
    }

    /** @param dots in the colour of the curve; either may be empty */
    public Chart curve(String name, List<Point> points, List<Point> dots) {
        series.add(new Series(name, List.copyOf(points), List.copyOf(dots)));
        return this;
    }

    /** The point that all this is about. */
    public Chart mark(Point point, String words) {
        mark = Optional.of(point);
        remark = words;
        return this;
    }

    public String draw() {
        var x = Scale.around(values(Point::x), across.powers, LEFT, WIDTH - RIGHT);
        var y = Scale.around(values(Point::y), up.powers, BOTTOM, TOP);
        double height = Math.max(HEIGHT, TOP + LINE * (series.size() + 1));
        var picture = Svg.paper(WIDTH, height, title, STYLE)
                .add(Svg.box("paper", 0, 0, WIDTH, height))
                .add(Svg.text("heading", 28, 32, title));
        drawAxes(picture, x, y);
        for (int i = 0; i < series.size(); i++) {
            draw(picture, series.get(i), COLOURS.get(i % COLOURS.size()), x, y);
            drawName(picture, i);
        }
        mark.ifPresent(point -> drawMark(picture, point, x, y));
        return picture.file();
    }

    private List<Double> values(ToDoubleFunction<Point> which) {
        return Stream.concat(
                        series.stream().flatMap(one -> Stream.concat(one.curve.stream(), one.dots.stream())),
                        mark.stream())
                .map(which::applyAsDouble)
                .toList();
    }

    private void drawAxes(Svg picture, Scale x, Scale y) {
        for (var tick : y.ticks()) {
            double at = y.at(tick.value());
            picture.add(Svg.line("grid", LEFT, at, WIDTH - RIGHT, at));
            picture.add(Svg.text("tick-y", LEFT - 8, at + 4, tick.words()));
        }
        for (var tick : x.ticks()) {
            double at = x.at(tick.value());
            picture.add(Svg.line("grid", at, TOP, at, BOTTOM));
            picture.add(Svg.text("tick-x", at, BOTTOM + 18, tick.words()));
        }
        picture.add(Svg.line("axis", LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM));
        picture.add(Svg.line("axis", LEFT, TOP, LEFT, BOTTOM));
        picture.add(Svg.text("unit", LEFT, TOP - 12, up.unit));
        picture.add(Svg.text("unit", WIDTH - RIGHT, BOTTOM + 40, across.unit).with("text-anchor", "end"));
    }

    private static void draw(Svg picture, Series one, String colour, Scale x, Scale y) {
        if (!one.curve.isEmpty()) {
            var way = one.curve.stream()
                    .map(point -> Svg.number(x.at(point.x)) + " " + Svg.number(y.at(point.y)))
                    .collect(Collectors.joining(" L "));
            picture.add(Svg.path("curve", "M " + way).with("stroke", colour).titled(one.name));
        }
        one.dots.forEach(point -> picture.add(Svg.dot("dot", x.at(point.x), y.at(point.y), 3.5)
                .with("fill", colour)
                .titled(one.name)));
    }

    private void drawName(Svg picture, int i) {
        double left = WIDTH - RIGHT + 22;
        double height = TOP + 8 + LINE * i;
        var colour = COLOURS.get(i % COLOURS.size());
        if (!series.get(i).curve.isEmpty()) {
            picture.add(
                    Svg.line("curve", left, height - 4, left + 18, height - 4).with("stroke", colour));
        }
        if (!series.get(i).dots.isEmpty()) {
            picture.add(Svg.dot("dot", left + 9, height - 4, 3.5).with("fill", colour));
        }
        picture.add(Svg.text("legend", left + 26, height, series.get(i).name));
    }

    private void drawMark(Svg picture, Point point, Scale x, Scale y) {
        double at = x.at(point.x);
        picture.add(Svg.line("mark", at, TOP, at, BOTTOM));
        picture.add(Svg.dot("dot", at, y.at(point.y), 5).with("fill", "#d7263d"));
        boolean right = at < (LEFT + WIDTH - RIGHT) / 2;
        picture.add(Svg.text("mark-words", at + (right ? 8 : -8), TOP + 14, remark)
                .with("text-anchor", right ? "start" : "end"));
    }
}
