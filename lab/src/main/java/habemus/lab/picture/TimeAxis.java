package habemus.lab.picture;

import habemus.lab.trace.Words;
import habemus.protocol.NodeId;
import habemus.world.TraceLine;
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

    static final double LEAST_GAP = 14;
    private static final double STRETCH = 20;
    private static final double GOOD_WIDTH = 900;
    private static final double MOST_MAGNIFICATION = 4;
    private static final double END = 40;
    private static final double TICK_ROOM = 54;
    private static final double TICK_LETTER = 6.4;
    private static final double SILENCE = 6; // times the usual gap
    private static final double CLOSE_GAP = 0.4; // between moments of different nodes
    private static final double CLOSE_STRETCH = 1.5;
    private static final double STEP = 11; // between two of one node
    private static final double PAUSE = 100; // times the usual gap: so long that it must be seen
    private static final double PAUSE_GAP = 70;
    private static final double FLIGHT = 13; // of a message
    private static final double COARSE_WIDTH = 3_000;

    /** A long silence, between a moment and the next. */
    record Silence(int moment, long micros) {}

    private final Moments moments;
    private final double[] xs;
    private final double usual;

    TimeAxis(Moments moments, double start) {
        this.moments = moments;
        usual = usualGap(moments);
        var gaps = new double[moments.count()];
        double width = 0;
        for (int i = 1; i < gaps.length; i++) {
            gaps[i] = LEAST_GAP + STRETCH * StrictMath.log1p(micros(i) / usual);
            width += gaps[i];
        }
        double magnification = width == 0 ? 1 : Math.clamp(GOOD_WIDTH / width, 1, MOST_MAGNIFICATION);
        xs = new double[gaps.length + 1];
        double x = start;
        for (int i = 0; i < gaps.length; i++) {
            x += gaps[i] * magnification;
            xs[i] = x;
        }
        xs[gaps.length] = x + END;
    }

    /** @param xs where each moment is */
    private TimeAxis(Moments moments, double[] xs) {
        this.moments = moments;
        this.xs = xs;
        usual = usualGap(moments);
    }

    /** As the grain of the picture asks for. */
    static TimeAxis of(Scene scene, double start) {
        return switch (scene.grain()) {
            case ROOMY -> new TimeAxis(scene.moments(), start);
            case CLOSE -> new TimeAxis(scene.moments(), close(scene, start));
            case COARSE -> new TimeAxis(scene.moments(), even(scene.moments().count(), start));
        };
    }

    private static double[] close(Scene scene, double start) {
        var moments = scene.moments();
        double usual = usualGap(moments);
        var xs = new double[moments.count() + 1];
        var last = new TreeMap<NodeId, Integer>(); // the moment of each node's last step
        var sent = new HashMap<Long, Integer>();
        xs[0] = start;
        for (int line = 0; line < scene.lines().size(); line++) {
            int moment = moments.of(line);
            if (moment > 0 && xs[moment] == 0) {
                xs[moment] = xs[moment - 1] + closeGap((moments.at(moment) - moments.at(moment - 1)) / usual);
            }
            if (scene.lines().get(line) instanceof TraceLine.Acted acted && !Moments.isUneventful(acted)) {
                double x = xs[moment];
                if (last.containsKey(acted.node())) {
                    x = Math.max(x, xs[last.get(acted.node())] + STEP);
                }
                if (acted instanceof TraceLine.Stepped stepped && sent.containsKey(stepped.mail())) {
                    x = Math.max(x, xs[sent.get(stepped.mail())] + FLIGHT);
                }
                xs[moment] = x;
                last.put(acted.node(), moment);
                acted.sent().forEach(mail -> sent.put(mail.number(), moment));
            }
        }
        xs[moments.count()] = xs[moments.count() - 1] + END;
        return xs;
    }

    private static double closeGap(double passed) {
        return passed > PAUSE ? PAUSE_GAP : CLOSE_GAP + CLOSE_STRETCH * StrictMath.log1p(passed);
    }

    private static double[] even(int moments, double start) {
        return IntStream.rangeClosed(0, moments)
                .mapToDouble(moment -> start + COARSE_WIDTH * moment / moments)
                .toArray();
    }

    private static double usualGap(Moments moments) {
        var gaps = new ArrayList<Long>();
        for (int i = 1; i < moments.count(); i++) {
            if (moments.at(i) > moments.at(i - 1)) {
                gaps.add(moments.at(i) - moments.at(i - 1));
            }
        }
        gaps.sort(null);
        return gaps.isEmpty() ? 1 : gaps.get(gaps.size() / 2);
    }

    private long micros(int moment) {
        return moments.at(moment) - moments.at(moment - 1);
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
        int letters = moments.count() == 0
                ? 0
                : Words.shortMillis(moments.at(moments.count() - 1)).length();
        double room = Math.max(TICK_ROOM, (letters - 1) * TICK_LETTER); // the unit is written once
        for (int i = 0; i < moments.count(); i++) {
            if (xs[i] >= free && (i == 0 || micros(i) > 0)) {
                ticks.add(i);
                free = xs[i] + room;
            }
        }
        return ticks;
    }

    /** Where the drawing is much shorter than the time. */
    List<Silence> silences() {
        var silences = new ArrayList<Silence>();
        for (int i = 1; i < moments.count(); i++) {
            if (micros(i) > SILENCE * usual) {
                silences.add(new Silence(i - 1, micros(i)));
            }
        }
        return silences;
    }
}
