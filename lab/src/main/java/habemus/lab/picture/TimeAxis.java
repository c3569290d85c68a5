package habemus.lab.picture;

import java.util.ArrayList;
import java.util.List;

/**
 * Where on the paper a moment is. Time is warped: neighbouring moments keep a distance, and a long silence is drawn
 * shorter than it was, by its logarithm.
 */
final class TimeAxis {

    static final double LEAST_GAP = 14;
    private static final double STRETCH = 20;
    private static final double GOOD_WIDTH = 900;
    private static final double MOST_MAGNIFICATION = 4;
    private static final double END = 40;
    private static final double TICK_ROOM = 54;
    private static final double SILENCE = 6; // times the usual gap

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
        for (int i = 0; i < moments.count(); i++) {
            if (xs[i] >= free && (i == 0 || micros(i) > 0)) {
                ticks.add(i);
                free = xs[i] + TICK_ROOM;
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
