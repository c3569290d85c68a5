package habemus.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** Reads the numbers of an option, and writes those of an answer, however large or small. */
final class Numbers {

    private static final double PLAIN = -5; // smaller powers of ten are written as such

    private Numbers() {}

    static void require(ParseResult parsed, String option, String example) {
        if (!parsed.hasMatchedOption(option)) {
            throw Refusal.wrong(option + " is missing", "write it as in " + option + " " + example);
        }
    }

    /** A whole number from 1 on. */
    static long upTo(long most, ParseResult parsed, String option, long standard) {
        long number = Output.number(parsed, option, standard);
        if (number > most) {
            throw Refusal.wrong(option + " " + number + " is out of range", "it is from 1 to " + most);
        }
        return number;
    }

    static Optional<Double> probability(ParseResult parsed, String option) {
        return Output.text(parsed, option)
                .map(text -> parse(text)
                        .filter(value -> value <= 1)
                        .orElseThrow(() -> Refusal.wrong(
                                option + " " + ShellWords.quote(text) + " is no probability",
                                "it is from 0 to 1, as in " + option + " 0.001")));
    }

    /** A number larger than zero. */
    static double positive(ParseResult parsed, String option, double standard) {
        return Output.text(parsed, option)
                .map(text -> parse(text)
                        .filter(value -> value > 0)
                        .orElseThrow(() -> Refusal.wrong(
                                option + " " + ShellWords.quote(text) + " is not a number larger than 0",
                                "write it as in " + option + " " + text(standard))))
                .orElse(standard);
    }

    private static Optional<Double> parse(String text) {
        try {
            double value = Double.parseDouble(text);
            return value >= 0 && Double.isFinite(value) ? Optional.of(value) : Optional.empty();
        } catch (NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    /** With three digits. */
    static String text(double value) {
        return value == 0 ? "0" : power(Math.log10(value));
    }

    /** The same of ten to this power, which may be smaller than any number of the usual kind. */
    static String power(double log10) {
        if (log10 == Double.NEGATIVE_INFINITY) {
            return "0";
        }
        if (log10 > PLAIN) {
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
