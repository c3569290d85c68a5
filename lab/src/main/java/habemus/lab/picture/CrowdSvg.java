package habemus.lab.picture;

import habemus.lab.trace.Words;
import habemus.protocol.NodeId;
import habemus.world.TraceLine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The steps and messages of a run that is too long to draw each: counted by stretches of time. Lanes are as dark as
 * there are steps, and messages between the same two nodes are one line, if there are not too many of these either.
 */
final class CrowdSvg {

    private static final int STRETCHES = 150;
    private static final List<Integer> LONG_STRETCHES = List.of(40, 20, 10); // of the lines, which take more room
    private static final int MOST_BUNDLES = 1_500;
    private static final double THICK = 16;

    /** Something at a node or between two, in a stretch of time; the second is the first if there is but one. */
    private record Place(int stretch, int from, int to) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return stretch != other.stretch
                    ? Integer.compare(stretch, other.stretch)
                    : from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
        }
    }

    private final Sheet sheet;
    private final Moments moments;
    private final Map<NodeId, Integer> index;
    private final Map<Place, Integer> steps = new TreeMap<>();
    private final Map<Place, Integer> failures = new TreeMap<>();

    CrowdSvg(Sheet sheet) {
        this.sheet = sheet;
        moments = sheet.scene().moments();
        index = index(sheet.scene());
        var lines = sheet.scene().lines();
        for (int i = 0; i < lines.size(); i++) {
            int stretch = stretch(moments, i, STRETCHES);
            switch (lines.get(i)) {
                case TraceLine.Acted acted -> count(steps, stretch, acted.node());
                case TraceLine.Fared(var time, var mail, var fate)
                when fate != TraceLine.Fate.DUPLICATED -> count(failures, stretch, mail.to());
                default -> {}
            }
        }
    }

    private static Map<NodeId, Integer> index(Scene scene) {
        var index = new TreeMap<NodeId, Integer>();
        scene.nodes().forEach(node -> index.put(node, index.size()));
        return index;
    }

    private void count(Map<Place, Integer> counts, int stretch, NodeId node) {
        int place = index.getOrDefault(node, 0);
        counts.merge(new Place(stretch, place, place), 1, Integer::sum);
    }

    private static int stretch(Moments moments, int line, int stretches) {
        return (int) ((long) moments.of(line) * stretches / moments.count());
    }

    /** How many stretches there are so that messages are few enough lines; zero if they never are. */
    private static int longStretches(Scene scene) {
        return LONG_STRETCHES.stream()
                .filter(some -> bundles(scene, some).size() <= MOST_BUNDLES)
                .findFirst()
                .orElse(0);
    }

    private static Map<Place, Integer> bundles(Scene scene, int stretches) {
        var index = index(scene);
        var bundles = new TreeMap<Place, Integer>();
        for (int i = 0; i < scene.lines().size(); i++) {
            if (scene.lines().get(i) instanceof TraceLine.Acted acted) {
                int stretch = stretch(scene.moments(), i, stretches);
                acted.sent()
                        .forEach(mail -> bundles.merge(
                                new Place(
                                        stretch, index.getOrDefault(mail.from(), 0), index.getOrDefault(mail.to(), 0)),
                                1,
                                Integer::sum));
            }
        }
        return bundles;
    }

    /** Whether messages are drawn as lines. */
    static boolean hasBundles(Scene scene) {
        return longStretches(scene) > 0;
    }

    /** Where a stretch begins. */
    private double x(int stretch, int stretches) {
        double start = sheet.start();
        return start + (sheet.axis().end() - start) * stretch / stretches;
    }

    /** What was the time when a stretch began. */
    private String time(int stretch, int stretches) {
        int moment = (int) Math.min(moments.count() - 1L, (long) stretch * moments.count() / stretches);
        return Words.shortMillis(moments.at(moment));
    }

    private String when(int stretch, int stretches) {
        return " between " + time(stretch, stretches) + " and " + time(stretch + 1, stretches);
    }

    private NodeId node(int place) {
        return sheet.scene().nodes().get(place);
    }

    private static int most(Map<Place, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).max().orElse(1);
    }

    Svg drawHeat() {
        var group = Svg.group("heat");
        double most = most(steps);
        double width = x(1, STRETCHES) - x(0, STRETCHES);
        steps.forEach((place, count) -> group.add(
                Svg.box("busy", x(place.stretch, STRETCHES), sheet.lane(node(place.from)) - THICK / 2, width, THICK)
                        .with("fill-opacity", Math.max(0.1, Math.sqrt(count / most)))
                        .titled(count + " steps of " + node(place.from) + when(place.stretch, STRETCHES))));
        return group;
    }

    /** A line for all messages between two nodes in a stretch; nothing if they would hide each other. */
    Svg drawBundles() {
        var group = Svg.group("bundles");
        int stretches = longStretches(sheet.scene());
        if (stretches == 0) {
            return group;
        }
        var bundles = bundles(sheet.scene(), stretches);
        double most = most(bundles);
        bundles.forEach((place, count) -> {
            double share = Math.sqrt(count / most);
            group.add(Svg.line(
                            "bundle",
                            x(place.stretch, stretches),
                            sheet.lane(node(place.from)),
                            x(place.stretch + 1, stretches),
                            sheet.lane(node(place.to)))
                    .with("stroke-width", 0.8 + 3.2 * share)
                    .with("stroke-opacity", 0.12 + 0.4 * share)
                    .titled(count + " messages from " + node(place.from) + " to " + node(place.to)
                            + when(place.stretch, stretches)));
        });
        return group;
    }

    Svg drawFailures() {
        var group = Svg.group("failures");
        double half = (x(1, STRETCHES) - x(0, STRETCHES)) / 2;
        failures.forEach((place, count) -> group.add(Svg.group("fault")
                .titled(count + " messages to " + node(place.from) + " that do not arrive"
                        + when(place.stretch, STRETCHES))
                .add(Marks.cross(
                        "fail", x(place.stretch, STRETCHES) + half, sheet.lane(node(place.from)) - THICK / 2 - 3, 3))));
        return group;
    }
}
