package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.TimeSlots;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Where on the paper a moment is. Time is warped: neighbouring moments keep a distance, and a long silence is drawn
 * shorter than it was, by its logarithm. In a long run only the steps of one node keep a distance, and the sending of a
 * message and its receipt; in a very long one nothing does.
 */
final class TimeAxis {

    static final double MIN_GAP = 14;
    private static final double STRETCH = 20;
    private static final double PREFERRED_WIDTH = 900;
    private static final double MAX_MAGNIFICATION = 4;
    private static final double END_MARGIN = 40;
    private static final double MIN_TICK_GAP = 54;
    private static final double TICK_CHARACTER_WIDTH = 6.4;
    private static final double IDLE_FACTOR = 6; // times the usual gap
    private static final double DENSE_GAP = 0.4; // between moments of different nodes
    private static final double DENSE_STRETCH = 1.5;
    private static final double MIN_STEP_GAP = 11; // between two of one node
    private static final double LONG_GAP_FACTOR = 100; // times the usual gap: so long that it must be seen
    private static final double LONG_GAP = 70;
    private static final double MIN_MESSAGE_LENGTH = 13; // of a message
    private static final double AGGREGATED_WIDTH = 3_000;

    /** A long silence, between a moment and the next. */
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
            x += gaps[i] * magnification;
            xs[i] = x;
        }
        xs[gaps.length] = x + END_MARGIN;
    }

    /** @param xs where each moment is */
    private TimeAxis(TimeSlots timeSlots, double[] xs) {
        this.timeSlots = timeSlots;
        this.xs = xs;
        medianGap = medianGap(timeSlots);
    }

    /** As the grain of the picture asks for. */
    static TimeAxis of(DiagramModel diagramModel, double start) {
        return switch (diagramModel.detailLevel()) {
            case FULL -> new TimeAxis(diagramModel.timeSlots(), start);
            case DENSE -> new TimeAxis(diagramModel.timeSlots(), denseXs(diagramModel, start));
            case AGGREGATED ->
                new TimeAxis(
                        diagramModel.timeSlots(),
                        evenXs(diagramModel.timeSlots().count(), start));
        };
    }

    private static double[] denseXs(DiagramModel diagramModel, double start) {
        var timeSlots = diagramModel.timeSlots();
        double usual = medianGap(timeSlots);
        var xs = new double[timeSlots.count() + 1];
        var last = new TreeMap<NodeId, Integer>(); // the moment of each node's last step
        var sent = new HashMap<Long, Integer>();
        xs[0] = start;
        for (int line = 0; line < diagramModel.events().size(); line++) {
            int moment = timeSlots.of(line);
            if (moment > 0 && xs[moment] == 0) {
                xs[moment] = xs[moment - 1] + denseGap((timeSlots.at(moment) - timeSlots.at(moment - 1)) / usual);
            }
            if (diagramModel.events().get(line) instanceof TraceEvent.NodeStep nodeStep
                    && !TimeSlots.isUneventful(nodeStep)) {
                double x = xs[moment];
                if (last.containsKey(nodeStep.node())) {
                    x = Math.max(x, xs[last.get(nodeStep.node())] + MIN_STEP_GAP);
                }
                if (nodeStep instanceof TraceEvent.Step step && sent.containsKey(step.messageNumber())) {
                    x = Math.max(x, xs[sent.get(step.messageNumber())] + MIN_MESSAGE_LENGTH);
                }
                xs[moment] = x;
                last.put(nodeStep.node(), moment);
                nodeStep.sent().forEach(inFlightMessage -> sent.put(inFlightMessage.number(), moment));
            }
        }
        xs[timeSlots.count()] = xs[timeSlots.count() - 1] + END_MARGIN;
        return xs;
    }

    private static double denseGap(double passed) {
        return passed > LONG_GAP_FACTOR ? LONG_GAP : DENSE_GAP + DENSE_STRETCH * StrictMath.log1p(passed);
    }

    private static double[] evenXs(int moments, double start) {
        return IntStream.rangeClosed(0, moments)
                .mapToDouble(moment -> start + AGGREGATED_WIDTH * moment / moments)
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

    private long micros(int moment) {
        return timeSlots.at(moment) - timeSlots.at(moment - 1);
    }

    double x(int moment) {
        return xs[moment];
    }

    double end() {
        return xs[xs.length - 1];
    }

    /** The moments whose time is written, as many as there is room for. */
    List<Integer> ticks() {
        var ticks = new ArrayList<Integer>();
        double free = Double.NEGATIVE_INFINITY;
        int letters = timeSlots.count() == 0
                ? 0
                : TraceWording.shortMillis(timeSlots.at(timeSlots.count() - 1)).length();
        double room = Math.max(MIN_TICK_GAP, (letters - 1) * TICK_CHARACTER_WIDTH); // the unit is written once
        for (int i = 0; i < timeSlots.count(); i++) {
            if (xs[i] >= free && (i == 0 || micros(i) > 0)) {
                ticks.add(i);
                free = xs[i] + room;
            }
        }
        return ticks;
    }

    /** Where the drawing is much shorter than the time. */
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
