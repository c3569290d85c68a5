package habemus.cli.options;

import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ShellSyntax;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.ParseResult;

/** Times as they are written: milliseconds, with up to three decimals. */
public final class DurationOptions {

    /** As a part of a larger pattern. */
    public static final String PATTERN = "\\d{1,12}(?:\\.\\d{1,3})?";

    private static final Pattern TIME = Pattern.compile(PATTERN);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|)");

    private DurationOptions() {}

    /** @throws IllegalArgumentException if this is no time */
    public static Duration parseMillis(String text) {
        if (!TIME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time in milliseconds");
        }
        return Duration.ofNanos(new BigDecimal(text).movePointRight(6).longValueExact());
    }

    /**
     * A time of people rather than of messages: {@code 500ms}, {@code 5s}, {@code 2m}; without a unit milliseconds.
     */
    public static Optional<Duration> duration(ParseResult parsed, String option) {
        return OutputOptions.text(parsed, option).map(text -> {
            var matcher = DURATION.matcher(text);
            if (!matcher.matches()) {
                throw CommandException.usage(
                        option + " " + ShellSyntax.quote(text) + " is no time",
                        "write it as in " + option + " 500ms, 5s or 2m");
            }
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                default -> Duration.ofMillis(number);
            };
        });
    }

    /** What a clock on the wall shows now. */
    public static String wallClock() {
        return "%tT.%<tL".formatted(System.currentTimeMillis());
    }

    public static String formatMillis(Duration time) {
        return formatMillis(time.toNanos() / 1_000);
    }

    public static String formatMillis(long micros) {
        return microsToMillis(micros).toPlainString();
    }

    /** Without needless zeros. */
    public static BigDecimal microsToMillis(long micros) {
        var exact = BigDecimal.valueOf(micros, 3).stripTrailingZeros();
        return exact.scale() < 0 ? exact.setScale(0) : exact;
    }
}
