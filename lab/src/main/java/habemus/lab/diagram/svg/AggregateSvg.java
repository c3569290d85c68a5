package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.TimeSlots;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The steps and messages of a run that is too long to draw each: counted by stretches of time. Lanes are as dark as
 * there are steps, and messages between the same two nodes are one line, if there are not too many of these either.
 */
final class AggregateSvg {

    private static final int STEP_SLICES = 150;
    private static final List<Integer> BUNDLE_SLICES = List.of(40, 20, 10); // of the lines, which take more room
    private static final int MAX_BUNDLES = 1_500;
    private static final double LANE_HEIGHT = 16;

    /** Something at a node or between two, in a stretch of time; the second is the first if there is but one. */
    private record LinkSlice(int slice, int from, int to) implements Comparable<LinkSlice> {
        @Override
        public int compareTo(LinkSlice other) {
            return slice != other.slice
                    ? Integer.compare(slice, other.slice)
                    : from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
        }
    }

    private final PageLayout pageLayout;
    private final TimeSlots timeSlots;
    private final Map<NodeId, Integer> index;
    private final Map<LinkSlice, Integer> steps = new TreeMap<>();
    private final Map<LinkSlice, Integer> failures = new TreeMap<>();

    AggregateSvg(PageLayout pageLayout) {
        this.pageLayout = pageLayout;
        timeSlots = pageLayout.diagramModel().timeSlots();
        index = index(pageLayout.diagramModel());
        var lines = pageLayout.diagramModel().events();
        for (int i = 0; i < lines.size(); i++) {
            int stretch = sliceOf(timeSlots, i, STEP_SLICES);
            switch (lines.get(i)) {
                case TraceEvent.NodeStep nodeStep -> count(steps, stretch, nodeStep.node());
                case TraceEvent.MessageOutcome(var time, var inFlightMessage, var fate)
                when fate != TraceEvent.Fate.DUPLICATED -> count(failures, stretch, inFlightMessage.to());
                default -> {}
            }
        }
    }

    private static Map<NodeId, Integer> index(DiagramModel diagramModel) {
        var index = new TreeMap<NodeId, Integer>();
        diagramModel.nodes().forEach(node -> index.put(node, index.size()));
        return index;
    }

    private void count(Map<LinkSlice, Integer> counts, int stretch, NodeId node) {
        int place = index.getOrDefault(node, 0);
        counts.merge(new LinkSlice(stretch, place, place), 1, Integer::sum);
    }

    private static int sliceOf(TimeSlots timeSlots, int line, int stretches) {
        return (int) ((long) timeSlots.of(line) * stretches / timeSlots.count());
    }

    /** How many stretches there are so that messages are few enough lines; zero if they never are. */
    private static int bundleSlices(DiagramModel diagramModel) {
        return BUNDLE_SLICES.stream()
                .filter(some -> bundles(diagramModel, some).size() <= MAX_BUNDLES)
                .findFirst()
                .orElse(0);
    }

    private static Map<LinkSlice, Integer> bundles(DiagramModel diagramModel, int stretches) {
        var index = index(diagramModel);
        var bundles = new TreeMap<LinkSlice, Integer>();
        for (int i = 0; i < diagramModel.events().size(); i++) {
            if (diagramModel.events().get(i) instanceof TraceEvent.NodeStep nodeStep) {
                int stretch = sliceOf(diagramModel.timeSlots(), i, stretches);
                nodeStep.sent()
                        .forEach(inFlightMessage -> bundles.merge(
                                new LinkSlice(
                                        stretch,
                                        index.getOrDefault(inFlightMessage.from(), 0),
                                        index.getOrDefault(inFlightMessage.to(), 0)),
                                1,
                                Integer::sum));
            }
        }
        return bundles;
    }

    /** Whether messages are drawn as lines. */
    static boolean hasBundles(DiagramModel diagramModel) {
        return bundleSlices(diagramModel) > 0;
    }

    /** Where a stretch begins. */
    private double x(int stretch, int stretches) {
        double start = pageLayout.startX();
        return start + (pageLayout.axis().end() - start) * stretch / stretches;
    }

    /** What was the time when a stretch began. */
    private String time(int stretch, int stretches) {
        int moment = (int) Math.min(timeSlots.count() - 1L, (long) stretch * timeSlots.count() / stretches);
        return TraceWording.shortMillis(timeSlots.at(moment));
    }

    private String when(int stretch, int stretches) {
        return " between " + time(stretch, stretches) + " and " + time(stretch + 1, stretches);
    }

    private NodeId node(int place) {
        return pageLayout.diagramModel().nodes().get(place);
    }

    private static int maxCount(Map<LinkSlice, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).max().orElse(1);
    }

    SvgElement drawHeat() {
        var group = SvgElement.group("heat");
        double most = maxCount(steps);
        double width = x(1, STEP_SLICES) - x(0, STEP_SLICES);
        steps.forEach((linkSlice, count) -> group.add(SvgElement.rectangle(
                        "busy",
                        x(linkSlice.slice, STEP_SLICES),
                        pageLayout.laneY(node(linkSlice.from)) - LANE_HEIGHT / 2,
                        width,
                        LANE_HEIGHT)
                .with("fill-opacity", Math.max(0.1, Math.sqrt(count / most)))
                .withTooltip(count + " steps of " + node(linkSlice.from) + when(linkSlice.slice, STEP_SLICES))));
        return group;
    }

    /** A line for all messages between two nodes in a stretch; nothing if they would hide each other. */
    SvgElement drawBundles() {
        var group = SvgElement.group("bundles");
        int stretches = bundleSlices(pageLayout.diagramModel());
        if (stretches == 0) {
            return group;
        }
        var bundles = bundles(pageLayout.diagramModel(), stretches);
        double most = maxCount(bundles);
        bundles.forEach((linkSlice, count) -> {
            double share = Math.sqrt(count / most);
            group.add(SvgElement.line(
                            "bundle",
                            x(linkSlice.slice, stretches),
                            pageLayout.laneY(node(linkSlice.from)),
                            x(linkSlice.slice + 1, stretches),
                            pageLayout.laneY(node(linkSlice.to)))
                    .with("stroke-width", 0.8 + 3.2 * share)
                    .with("stroke-opacity", 0.12 + 0.4 * share)
                    .withTooltip(count + " messages from " + node(linkSlice.from) + " to " + node(linkSlice.to)
                            + when(linkSlice.slice, stretches)));
        });
        return group;
    }

    SvgElement drawFailures() {
        var group = SvgElement.group("failures");
        double half = (x(1, STEP_SLICES) - x(0, STEP_SLICES)) / 2;
        failures.forEach((linkSlice, count) -> group.add(SvgElement.group("fault")
                .withTooltip(count + " messages to " + node(linkSlice.from) + " that do not arrive"
                        + when(linkSlice.slice, STEP_SLICES))
                .add(SvgMarkers.cross(
                        "fail",
                        x(linkSlice.slice, STEP_SLICES) + half,
                        pageLayout.laneY(node(linkSlice.from)) - LANE_HEIGHT / 2 - 3,
                        3))));
        return group;
    }
}
