package habemus.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.ParseResult;

/** Times as they are written: milliseconds, with up to three decimals. */
final class Times {

    /** As a part of a larger pattern. */
    static final String PATTERN = "\\d{1,12}(?:\\.\\d{1,3})?";

    private static final Pattern TIME = Pattern.compile(PATTERN);
    private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(ms|s|m|)");

    private Times() {}

    /** @throws IllegalArgumentException if this is no time */
    static Duration read(String text) {
        if (!TIME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time in milliseconds");
        }
        return Duration.ofNanos(new BigDecimal(text).movePointRight(6).longValueExact());
    }

    /**
     * A time of people rather than of messages: {@code 500ms}, {@code 5s}, {@code 2m}; without a unit milliseconds.
     */
    static Optional<Duration> span(ParseResult parsed, String option) {
        return Output.text(parsed, option).map(text -> {
            var matcher = SPAN.matcher(text);
            if (!matcher.matches()) {
                throw Refusal.wrong(
                        option + " " + ShellWords.quote(text) + " is no time",
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
    static String clock() {
        return "%tT.%<tL".formatted(System.currentTimeMillis());
    }

    static String text(Duration time) {
        return text(time.toNanos() / 1_000);
    }

    static String text(long micros) {
        return millis(micros).toPlainString();
    }

    /** Without needless zeros. */
    static BigDecimal millis(long micros) {
        var exact = BigDecimal.valueOf(micros, 3).stripTrailingZeros();
        return exact.scale() < 0 ? exact.setScale(0) : exact;
    }
}
