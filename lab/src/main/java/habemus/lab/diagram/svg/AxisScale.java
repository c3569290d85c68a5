package habemus.lab.diagram.svg;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Maps numbers to coordinates on an axis, and chooses its ticks.
 *
 * @param logarithmic whether the numbers are exponents of ten
 * @param from the coordinate of the lowest number
 * @param to the coordinate of the highest number
 */
record AxisScale(double lowest, double highest, boolean logarithmic, double from, double to) {

    /** A number and its label. */
    record Tick(double value, String label) {}

    private static final double FEW_DECADES = 3; // fewer decades get ticks at 1, 2 and 5
    private static final double ROUNDING = 1e-9;
    private static final String SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    /** A scale from the last tick before the lowest number to the first tick after the highest. */
    static AxisScale covering(List<Double> numbers, boolean powers, double from, double to) {
        double lowest = numbers.stream().mapToDouble(d -> d).min().orElse(0);
        double highest = numbers.stream().mapToDouble(d -> d).max().orElse(1);
        if (powers && highest - lowest < FEW_DECADES) {
            var ticks = logTicks(lowest, highest);
            return new AxisScale(ticks.getFirst(), ticks.getLast(), true, from, to);
        }
        double step = step(highest - lowest, powers);
        return new AxisScale(
                Math.floor(lowest / step) * step,
                Math.max(Math.ceil(highest / step) * step, Math.floor(lowest / step) * step + step),
                powers,
                from,
                to);
    }

    /** One, two and five times each power of ten, from the last before the lowest to the first after the highest. */
    private static List<Double> logTicks(double lowest, double highest) {
        var marks = new ArrayList<Double>();
        for (int power = (int) Math.floor(lowest) - 1; power <= Math.ceil(highest); power++) {
            for (double digit : new double[] {1, 2, 5}) {
                marks.add(power + Math.log10(digit));
            }
        }
        int first =
                (int) marks.stream().filter(mark -> mark <= lowest + ROUNDING).count() - 1;
        int last = marks.size()
                - (int) marks.stream()
                        .filter(mark -> mark >= highest - ROUNDING)
                        .count();
        return marks.subList(first, Math.max(last, first + 1) + 1);
    }

    double position(double value) {
        return from + (value - lowest) / (highest - lowest) * (to - from);
    }

    List<Tick> ticks() {
        if (logarithmic && highest - lowest < FEW_DECADES + 1) {
            return logTicks(lowest, highest).stream()
                    .map(mark -> new Tick(mark, plain(Math.pow(10, mark))))
                    .toList();
        }
        var ticks = new ArrayList<Tick>();
        double step = step(highest - lowest, logarithmic);
        for (int i = 0; lowest + i * step <= highest + step / 1000; i++) {
            double value = lowest + i * step;
            ticks.add(new Tick(value, logarithmic ? power(value) : plain(value)));
        }
        return ticks;
    }

    /** The distance of ticks: one, two or five times a power of ten, so that there are four to ten ticks. */
    private static double step(double range, boolean powers) {
        double raw = Math.max(range, 1e-9) / 5;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double ratio = raw / power;
        double step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
        return powers ? Math.max(1, step) : step;
    }

    private static String plain(double value) {
        var rounded =
                BigDecimal.valueOf(Math.round(value * 1e6)).movePointLeft(6).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }

    private static String power(double exponent) {
        int whole = (int) Math.round(exponent);
        if (whole >= 0 && whole <= 4) {
            return plain(Math.pow(10, whole));
        }
        var digits = new StringBuilder(whole < 0 ? "10⁻" : "10");
        Integer.toString(Math.abs(whole)).chars().forEach(digit -> digits.append(SUPERSCRIPT.charAt(digit - '0')));
        return digits.toString();
    }
}
