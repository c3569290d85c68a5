package habemus.cli.options;

import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ShellSyntax;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** Reads the numbers of an option, and writes those of an answer, however large or small. */
public final class NumberOptions {

    private static final double MIN_PLAIN_EXPONENT = -5; // smaller powers of ten are written as such

    private NumberOptions() {}

    public static void require(ParseResult parsed, String option, String example) {
        if (!parsed.hasMatchedOption(option)) {
            throw CommandException.usage(option + " is missing", "write it as in " + option + " " + example);
        }
    }

    /** A whole number from 1 on. */
    public static long upTo(long max, ParseResult parsed, String option, long defaultValue) {
        long number = OutputOptions.number(parsed, option, defaultValue);
        if (number > max) {
            throw CommandException.usage(option + " " + number + " is out of range", "it is from 1 to " + max);
        }
        return number;
    }

    public static Optional<Double> probability(ParseResult parsed, String option) {
        return OutputOptions.text(parsed, option)
                .map(text -> parseNonNegative(text)
                        .filter(value -> value <= 1)
                        .orElseThrow(() -> CommandException.usage(
                                option + " " + ShellSyntax.quote(text) + " is no probability",
                                "it is from 0 to 1, as in " + option + " 0.001")));
    }

    /** A number larger than zero. */
    public static double positive(ParseResult parsed, String option, double defaultValue) {
        return OutputOptions.text(parsed, option)
                .map(text -> parseNonNegative(text)
                        .filter(value -> value > 0)
                        .orElseThrow(() -> CommandException.usage(
                                option + " " + ShellSyntax.quote(text) + " is not a number larger than 0",
                                "write it as in " + option + " " + format(defaultValue))))
                .orElse(defaultValue);
    }

    private static Optional<Double> parseNonNegative(String text) {
        try {
            double value = Double.parseDouble(text);
            return value >= 0 && Double.isFinite(value) ? Optional.of(value) : Optional.empty();
        } catch (NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    /** With three digits. */
    public static String format(double value) {
        return value == 0 ? "0" : formatPowerOfTen(Math.log10(value));
    }

    /** The same of ten to this power, which may be smaller than any number of the usual kind. */
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
