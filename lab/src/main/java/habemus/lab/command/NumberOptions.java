package habemus.lab.command;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Numbers as option values and in output. */
public final class NumberOptions {

    private static final double MIN_PLAIN_EXPONENT = -5; // smaller numbers are printed as 1.00e-9
    private static final long MAX_COUNT = 999_999_999_999L;

    private NumberOptions() {}

    /** A whole number from 1. */
    public static ValueType<Long> count() {
        return new ValueType<>("a whole number from 1", "1", text -> parse(text, MAX_COUNT));
    }

    /** A whole number from 1 to {@code max}. */
    public static ValueType<Long> count(long max) {
        return new ValueType<>("a whole number from 1 to " + max, "1", text -> parse(text, max));
    }

    /** A whole number from 0. */
    public static ValueType<Long> countOrZero() {
        return new ValueType<>("a whole number from 0", "1", text -> text.equals("0") ? 0 : parse(text, MAX_COUNT));
    }

    /** A whole number from 1, or {@code unbounded} for {@link Long#MAX_VALUE}. */
    public static ValueType<Long> countOrUnbounded() {
        return new ValueType<>(
                "a whole number from 1, or unbounded",
                "1",
                text -> text.equals("unbounded") ? Long.MAX_VALUE : parse(text, MAX_COUNT));
    }

    /** Whole numbers from 1 to {@code max}, separated by commas. */
    public static ValueType<List<Integer>> counts(int max) {
        return new ValueType<>(
                "numbers from 1 to " + max,
                "1,2",
                text -> Stream.of(text.split(",", -1))
                        .map(part -> Math.toIntExact(parse(part, max)))
                        .toList());
    }

    private static long parse(String text, long max) {
        long number = Long.parseLong(text);
        if (number < 1 || number > max) {
            throw new IllegalArgumentException(text);
        }
        return number;
    }

    public static ValueType<Double> probability() {
        return new ValueType<>("a probability from 0 to 1", "0.001", text -> parse(text, 0, 1));
    }

    /** A number greater than 0. */
    public static ValueType<Double> positive() {
        return new ValueType<>("a number greater than 0", "1", text -> parse(text, Double.MIN_VALUE, Double.MAX_VALUE));
    }

    private static double parse(String text, double min, double max) {
        double number = Double.parseDouble(text);
        if (!(number >= min && number <= max)) {
            throw new IllegalArgumentException(text);
        }
        return number;
    }

    /** Three significant digits. */
    public static String format(double value) {
        return value == 0 ? "0" : formatPowerOfTen(Math.log10(value));
    }

    /** The number {@code 10^log10}, which may be smaller than any {@code double}; three significant digits. */
    public static String formatPowerOfTen(double log10) {
        if (log10 == Double.NEGATIVE_INFINITY) {
            return "0";
        }
        if (log10 > MIN_PLAIN_EXPONENT) {
            var rounded = new BigDecimal(Math.pow(10, log10))
                    .round(new MathContext(3))
                    .stripTrailingZeros();
            return rounded.toPlainString();
        }
        double exponent = Math.floor(log10);
        var digits = String.format(Locale.ROOT, "%.2f", Math.pow(10, log10 - exponent));
        return digits.startsWith("10") ? "1.00e" + (long) (exponent + 1) : digits + "e" + (long) exponent;
    }
}
