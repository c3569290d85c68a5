package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.TimeSlots;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws counts of steps and messages per time slice, for runs with too many steps to draw each. A lane is darker where
 * it has more steps. Messages between the same two nodes in a slice are one line, unless there are too many such lines.
 */
final class AggregateSvg {

    private static final int STEP_SLICES = 150;
    private static final List<Integer> BUNDLE_SLICES = List.of(40, 20, 10); // of the messages: longer slices
    private static final int MAX_BUNDLES = 1_500;
    private static final double LANE_HEIGHT = 16;

    /** A node, or a link between two nodes, in one time slice. For a node both indexes are equal. */
    private record LinkSlice(int slice, int from, int to) implements Comparable<LinkSlice> {
        @Override
        public int compareTo(LinkSlice other) {
            return slice != other.slice
                    ? Integer.compare(slice, other.slice)
                    : from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
        }
    }

    private final PageLayout layout;
    private final TimeSlots timeSlots;
    private final Map<NodeId, Integer> index;
    private final Map<LinkSlice, Integer> steps = new TreeMap<>();
    private final Map<LinkSlice, Integer> failures = new TreeMap<>();

    AggregateSvg(PageLayout layout) {
        this.layout = layout;
        timeSlots = layout.model().timeSlots();
        index = index(layout.model());
        var events = layout.model().events();
        for (int i = 0; i < events.size(); i++) {
            int slice = sliceOf(timeSlots, i, STEP_SLICES);
            switch (events.get(i)) {
                case TraceEvent.NodeStep step -> count(steps, slice, step.node());
                case TraceEvent.MessageOutcome(var time, var message, var fate)
                when fate != TraceEvent.Fate.DUPLICATED -> count(failures, slice, message.to());
                default -> {}
            }
        }
    }

    private static Map<NodeId, Integer> index(DiagramModel model) {
        var index = new TreeMap<NodeId, Integer>();
        model.nodes().forEach(node -> index.put(node, index.size()));
        return index;
    }

    private void count(Map<LinkSlice, Integer> counts, int slice, NodeId node) {
        int place = index.getOrDefault(node, 0);
        counts.merge(new LinkSlice(slice, place, place), 1, Integer::sum);
    }

    private static int sliceOf(TimeSlots timeSlots, int index, int slices) {
        return (int) ((long) timeSlots.slotOf(index) * slices / timeSlots.count());
    }

    /** The number of slices with at most {@link #MAX_BUNDLES} message lines; zero if none of them fits. */
    private static int bundleSlices(DiagramModel model) {
        return BUNDLE_SLICES.stream()
                .filter(slices -> bundles(model, slices).size() <= MAX_BUNDLES)
                .findFirst()
                .orElse(0);
    }

    private static Map<LinkSlice, Integer> bundles(DiagramModel model, int slices) {
        var index = index(model);
        var bundles = new TreeMap<LinkSlice, Integer>();
        for (int i = 0; i < model.events().size(); i++) {
            if (model.events().get(i) instanceof TraceEvent.NodeStep step) {
                int slice = sliceOf(model.timeSlots(), i, slices);
                step.sent()
                        .forEach(message -> bundles.merge(
                                new LinkSlice(
                                        slice,
                                        index.getOrDefault(message.from(), 0),
                                        index.getOrDefault(message.to(), 0)),
                                1,
                                Integer::sum));
            }
        }
        return bundles;
    }

    /** Whether messages are drawn as lines at all. */
    static boolean hasBundles(DiagramModel model) {
        return bundleSlices(model) > 0;
    }

    /** The x coordinate at which a slice starts. */
    private double x(int slice, int slices) {
        double start = layout.startX();
        return start + (layout.axis().end() - start) * slice / slices;
    }

    /** The time at which a slice starts. */
    private String time(int slice, int slices) {
        int slot = (int) Math.min(timeSlots.count() - 1L, (long) slice * timeSlots.count() / slices);
        return layout.model().recording().timeScale().when(timeSlots.at(slot));
    }

    private String when(int slice, int slices) {
        return " between " + time(slice, slices) + " and " + time(slice + 1, slices);
    }

    private NodeId node(int place) {
        return layout.model().nodes().get(place);
    }

    private static int maxCount(Map<LinkSlice, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).max().orElse(1);
    }

    SvgElement drawHeat() {
        var group = SvgElement.group("heat");
        double max = maxCount(steps);
        double width = x(1, STEP_SLICES) - x(0, STEP_SLICES);
        steps.forEach((linkSlice, count) -> group.add(SvgElement.rectangle(
                        "activity",
                        x(linkSlice.slice, STEP_SLICES),
                        layout.laneY(node(linkSlice.from)) - LANE_HEIGHT / 2,
                        width,
                        LANE_HEIGHT)
                .with("fill-opacity", Math.max(0.1, Math.sqrt(count / max)))
                .withTooltip(count + " steps of " + node(linkSlice.from) + when(linkSlice.slice, STEP_SLICES))));
        return group;
    }

    /** One line for all messages between two nodes in a slice; empty if the lines would cover each other. */
    SvgElement drawBundles() {
        var group = SvgElement.group("bundles");
        int slices = bundleSlices(layout.model());
        if (slices == 0) {
            return group;
        }
        var bundles = bundles(layout.model(), slices);
        double max = maxCount(bundles);
        bundles.forEach((linkSlice, count) -> {
            double share = Math.sqrt(count / max);
            group.add(SvgElement.line(
                            "bundle",
                            x(linkSlice.slice, slices),
                            layout.laneY(node(linkSlice.from)),
                            x(linkSlice.slice + 1, slices),
                            layout.laneY(node(linkSlice.to)))
                    .with("stroke-width", 0.8 + 3.2 * share)
                    .with("stroke-opacity", 0.12 + 0.4 * share)
                    .withTooltip(count + " messages from " + node(linkSlice.from) + " to " + node(linkSlice.to)
                            + when(linkSlice.slice, slices)));
        });
        return group;
    }

    SvgElement drawFailures() {
        var group = SvgElement.group("failures");
        double half = (x(1, STEP_SLICES) - x(0, STEP_SLICES)) / 2;
        failures.forEach((linkSlice, count) -> group.add(SvgElement.group("fault")
                .withTooltip(count + " messages to " + node(linkSlice.from) + " dropped"
                        + when(linkSlice.slice, STEP_SLICES))
                .add(SvgMarkers.cross(
                        "fail",
                        x(linkSlice.slice, STEP_SLICES) + half,
                        layout.laneY(node(linkSlice.from)) - LANE_HEIGHT / 2 - 3,
                        3))));
        return group;
    }
}
