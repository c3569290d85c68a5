package habemus.lab.picture;

import habemus.protocol.Event;
import habemus.world.TraceLine;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What the colours and signs of a picture mean; only those that it has. */
final class LegendSvg {

    private static final double LETTER = 5.9;
    private static final double SIGN = 26;
    private static final double BETWEEN = 20;

    private final Svg group = Svg.group("legend-row");
    private final double y;
    private double x;

    private LegendSvg(double x, double y) {
        this.x = x;
        this.y = y;
    }

    static Svg draw(Scene scene, Palette palette, double x, double y) {
        var legend = new LegendSvg(x, y);
        legend.kinds(scene, palette)
                .forEach((name, colour) -> legend.add(
                        Svg.line("arrow-sign", legend.x, y - 4, legend.x + 18, y - 4)
                                .with("stroke", colour)
                                .with("stroke-width", "2")
                                .with("marker-end", "url(#head-" + colour.substring(1) + ")"),
                        name));
        legend.addSigns(scene);
        return legend.group;
    }

    /** Their colours by their names; none where messages are only counted. */
    private Map<String, String> kinds(Scene scene, Palette palette) {
        return scene.grain() == Grain.COARSE ? Map.of() : palette.messages();
    }

    private void addSigns(Scene scene) {
        if (scene.grain() == Grain.COARSE) {
            add(Svg.box("busy", x, y - 11, 18, 12).with("fill-opacity", 0.5), "steps: the darker, the more");
            if (CrowdSvg.hasBundles(scene)) {
                add(
                        Svg.line("bundle", x, y - 4, x + 18, y - 4).with("stroke-width", 3),
                        "messages: the thicker, the more");
            }
        }
        if (has(scene, Condition.Inside.class::isInstance)) {
            add(Svg.box("inside", x, y - 9, 18, 9).with("rx", 3), "inside");
        }
        if (has(scene, Condition.Leading.class::isInstance)) {
            add(Marks.crown(x + 9, y + 1), "leads");
        }
        if (!scene.clashes().isEmpty()) {
            add(Svg.box("clash", x, y - 9, 18, 9).with("rx", 3), "two at once");
        }
        if (has(scene, Condition.Down.class::isInstance)) {
            add(Marks.cross("cross", x + 9, y - 4, 6), "crash");
        }
        if (has(scene, Condition.Paused.class::isInstance)) {
            add(Svg.line("paused", x, y - 4, x + 18, y - 4), "paused");
        }
        for (TraceLine.Start how : List.of(TraceLine.Start.WITH_MEMORY, TraceLine.Start.WITH_AMNESIA)) {
            boolean amnesia = how == TraceLine.Start.WITH_AMNESIA;
            if (scene.lines().stream().anyMatch(line -> line instanceof TraceLine.Started s && s.how() == how)) {
                add(Marks.restart(amnesia, x + 9, y - 4), amnesia ? "restart with amnesia" : "restart");
            }
        }
        if (scene.arrows().stream().anyMatch(arrow -> arrow.end() instanceof Arrow.End.Failed)) {
            add(Marks.cross("fail", x + 9, y - 4, 4), "does not arrive");
        }
        if (!scene.bands().isEmpty()) {
            add(Svg.box("cut", x, y - 11, 18, 12), "links are cut");
        }
        addRareSigns(scene);
    }

    private void addRareSigns(Scene scene) {
        if (scene.arrows().stream().anyMatch(Arrow::copy)) {
            add(Svg.group("arrow").add(sample("copy")), "arrives again");
        }
        if (scene.arrows().stream().anyMatch(Arrow::told)) {
            add(Svg.group("arrow").add(sample("told")), "applications talk");
        }
        var wrong = Doubts.wrong(scene.lines());
        if (!wrong.isEmpty()) {
            add(Svg.text("doubt wrong", x + 9, y, "n?"), "wrongly suspected");
        }
        if (scene.lines().stream().filter(LegendSvg::suspects).count() > wrong.size()) {
            add(Svg.text("doubt", x + 9, y, "n?"), "suspected");
        }
    }

    private static boolean suspects(TraceLine line) {
        return line instanceof TraceLine.Stepped step && step.event() instanceof Event.Suspect<?>;
    }

    private Svg sample(String look) {
        return Svg.line(look, x, y - 4, x + 18, y - 4).with("stroke", Palette.APPLICATION);
    }

    private static boolean has(Scene scene, Predicate<Condition> kind) {
        return scene.spans().stream().map(Span::condition).anyMatch(kind);
    }

    private void add(Svg sign, String words) {
        group.add(sign).add(Svg.text("legend", x + SIGN, y, words));
        x += SIGN + words.length() * LETTER + BETWEEN;
    }

    /** How wide it would be. */
    static double width(Scene scene, Palette palette) {
        var legend = new LegendSvg(0, 0);
        legend.kinds(scene, palette).keySet().forEach(name -> legend.add(Svg.group(""), name));
        legend.addSigns(scene);
        return legend.x;
    }
}
