package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.TimeSlots;
import habemus.lab.trace.TimeScale;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Maps time slots to x coordinates. The scale is not linear: neighbouring slots keep a minimum distance, and long idle
 * periods are compressed logarithmically. In a dense diagram only two steps of one node, and the sending and receipt of
 * a message, keep a distance. In an aggregated diagram all slots have the same width.
 */
final class TimeAxis {

    static final double MIN_GAP = 14;
    private static final double STRETCH = 20;
    private static final double PREFERRED_WIDTH = 900;
    private static final double MAX_MAGNIFICATION = 4;
    private static final double END_MARGIN = 40;
    private static final double MIN_TICK_GAP = 54;
    private static final double TICK_CHARACTER_WIDTH = 6.4;
    private static final double IDLE_FACTOR = 6; // times the median gap
    private static final double DENSE_GAP = 0.4; // between slots of different nodes
    private static final double DENSE_STRETCH = 1.5;
    private static final double MIN_STEP_GAP = 11; // of one node
    private static final double LONG_GAP_FACTOR = 100; // times the median gap: shown with a fixed width
    private static final double LONG_GAP = 70;
    private static final double MIN_MESSAGE_LENGTH = 13;
    private static final double AGGREGATED_WIDTH = 3_000;
    private static final double GRID = 1024; // positions in a pixel

    /** A long time without events, between a slot and the next. */
    record IdlePeriod(int slot, long micros) {}

    private final TimeSlots timeSlots;
    private final double[] xs;
    private final double medianGap;

    TimeAxis(TimeSlots timeSlots, double start) {
        this.timeSlots = timeSlots;
        medianGap = medianGap(timeSlots);
        var gaps = new double[timeSlots.count()];
        double width = 0;
        for (int i = 1; i < gaps.length; i++) {
            gaps[i] = MIN_GAP + STRETCH * StrictMath.log1p(micros(i) / medianGap);
            width += gaps[i];
        }
        double magnification = width == 0 ? 1 : Math.clamp(PREFERRED_WIDTH / width, 1, MAX_MAGNIFICATION);
        xs = new double[gaps.length + 1];
        double x = start;
        for (int i = 0; i < gaps.length; i++) {
            x += snap(gaps[i] * magnification);
            xs[i] = x;
        }
        xs[gaps.length] = x + END_MARGIN;
    }

    /** @param xs the x coordinate of each slot */
    private TimeAxis(TimeSlots timeSlots, double[] xs) {
        this.timeSlots = timeSlots;
        this.xs = xs;
        medianGap = medianGap(timeSlots);
    }

    /** The axis for the detail level of the diagram. */
    static TimeAxis of(DiagramModel model, double start) {
        return switch (model.detailLevel()) {
            case FULL -> new TimeAxis(model.timeSlots(), start);
            case DENSE -> new TimeAxis(model.timeSlots(), denseXs(model, start));
            case AGGREGATED ->
                new TimeAxis(model.timeSlots(), evenXs(model.timeSlots().count(), start));
        };
    }

    private static double[] denseXs(DiagramModel model, double start) {
        var timeSlots = model.timeSlots();
        double median = medianGap(timeSlots);
        var xs = new double[timeSlots.count() + 1];
        var last = new TreeMap<NodeId, Integer>(); // slot of each node's last step
        var sent = new HashMap<Long, Integer>(); // slot of each message's sending
        xs[0] = start;
        for (int index = 0; index < model.events().size(); index++) {
            int slot = timeSlots.slotOf(index);
            if (slot > 0 && xs[slot] == 0) {
                xs[slot] = xs[slot - 1] + denseGap((timeSlots.at(slot) - timeSlots.at(slot - 1)) / median);
            }
            if (model.events().get(index) instanceof TraceEvent.NodeStep nodeStep
                    && !TimeSlots.isUneventful(nodeStep)) {
                double x = xs[slot];
                if (last.containsKey(nodeStep.node())) {
                    x = Math.max(x, xs[last.get(nodeStep.node())] + MIN_STEP_GAP);
                }
                if (nodeStep instanceof TraceEvent.Step step && sent.containsKey(step.messageNumber())) {
                    x = Math.max(x, xs[sent.get(step.messageNumber())] + MIN_MESSAGE_LENGTH);
                }
                xs[slot] = x;
                last.put(nodeStep.node(), slot);
                nodeStep.sent().forEach(message -> sent.put(message.number(), slot));
            }
        }
        xs[timeSlots.count()] = xs[timeSlots.count() - 1] + END_MARGIN;
        return xs;
    }

    private static double denseGap(double medianGaps) {
        return medianGaps > LONG_GAP_FACTOR ? LONG_GAP : snap(DENSE_GAP + DENSE_STRETCH * StrictMath.log1p(medianGaps));
    }

    /** Browsers round the last digit of a logarithm differently. On this grid, all sums and differences are exact. */
    private static double snap(double width) {
        return Math.rint(width * GRID) / GRID;
    }

    private static double[] evenXs(int slots, double start) {
        return IntStream.rangeClosed(0, slots)
                .mapToDouble(slot -> start + AGGREGATED_WIDTH * slot / slots)
                .toArray();
    }

    private static double medianGap(TimeSlots timeSlots) {
        var gaps = new ArrayList<Long>();
        for (int i = 1; i < timeSlots.count(); i++) {
            if (timeSlots.at(i) > timeSlots.at(i - 1)) {
                gaps.add(timeSlots.at(i) - timeSlots.at(i - 1));
            }
        }
        gaps.sort(null);
        return gaps.isEmpty() ? 1 : gaps.get(gaps.size() / 2);
    }

    private long micros(int slot) {
        return timeSlots.at(slot) - timeSlots.at(slot - 1);
    }

    double x(int slot) {
        return xs[slot];
    }

    double end() {
        return xs[xs.length - 1];
    }

    /** The slots whose time is written, as many as fit. */
    List<Integer> ticks() {
        var ticks = new ArrayList<Integer>();
        double free = Double.NEGATIVE_INFINITY;
        int characters = timeSlots.count() == 0
                ? 0
                : TimeScale.MILLIS.when(timeSlots.at(timeSlots.count() - 1)).length(); // the longer of both scales
        double width = Math.max(MIN_TICK_GAP, (characters - 1) * TICK_CHARACTER_WIDTH); // the unit is written once
        for (int i = 0; i < timeSlots.count(); i++) {
            if (xs[i] >= free && (i == 0 || micros(i) > 0)) {
                ticks.add(i);
                free = xs[i] + width;
            }
        }
        return ticks;
    }

    /** The periods that are much shorter in the drawing than in time. */
    List<IdlePeriod> idlePeriods() {
        var idlePeriods = new ArrayList<IdlePeriod>();
        for (int i = 1; i < timeSlots.count(); i++) {
            if (micros(i) > IDLE_FACTOR * medianGap) {
                idlePeriods.add(new IdlePeriod(i - 1, micros(i)));
            }
        }
        return idlePeriods;
    }
}
