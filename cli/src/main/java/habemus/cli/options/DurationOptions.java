package habemus.cli.options;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/** Times: simulated times in milliseconds with up to three decimals, and durations with a unit. */
public final class DurationOptions {

    /** A simulated time, for use in larger patterns. */
    public static final String PATTERN = "\\d{1,12}(?:\\.\\d{1,3})?";

    private static final Pattern TIME = Pattern.compile(PATTERN);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|)");
    private static final Pattern LONG_DURATION = Pattern.compile("([1-9]\\d{0,5})(ms|s|m|h|d)");
    private static final Pattern SHORT_DURATION = Pattern.compile("(\\d{1,6})us|\\d{1,6}(ms|s)");

    private DurationOptions() {}

    /** @throws IllegalArgumentException if the text is not a number of milliseconds */
    public static Duration parseMillis(String text) {
        if (!TIME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time in milliseconds");
        }
        return Duration.ofNanos(new BigDecimal(text).movePointRight(6).longValueExact());
    }

    /** A duration: {@code 500ms}, {@code 5s}, {@code 2m}; a number without a unit is milliseconds. */
    public static ValueType<Duration> duration() {
        return new ValueType<>("a duration with the unit ms, s or m", "5s", DurationOptions::parseDuration);
    }

    /** A duration that may be short: {@code 50us}, {@code 5ms}, {@code 1s}. */
    public static ValueType<Duration> shortDuration() {
        return new ValueType<>("a duration with the unit us, ms or s", "50us", text -> {
            var matcher = SHORT_DURATION.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(text);
            }
            return matcher.group(1) == null
                    ? parseDuration(text)
                    : Duration.ofNanos(1_000 * Long.parseLong(matcher.group(1)));
        });
    }

    /** A duration above zero that may be long: {@code 2s}, {@code 12h}, {@code 30d}. */
    public static ValueType<Duration> longDuration() {
        return new ValueType<>("a duration above 0 with the unit ms, s, m, h or d", "30d", text -> {
            var matcher = LONG_DURATION.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(text);
            }
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "h" -> Duration.ofHours(number);
                case "d" -> Duration.ofDays(number);
                default -> parseDuration(text);
            };
        });
    }

    private static Duration parseDuration(String text) {
        var matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofMillis(number);
        };
    }

    /** The local time of day, for lines that a person watches. */
    public static String wallClock() {
        return "%tT.%<tL".formatted(System.currentTimeMillis());
    }

    public static String formatMillis(Duration time) {
        return formatMillis(time.toNanos() / 1_000);
    }

    public static String formatMillis(long micros) {
        return microsToMillis(micros).toPlainString();
    }

    /** Without trailing zeros. */
    public static BigDecimal microsToMillis(long micros) {
        var exact = BigDecimal.valueOf(micros, 3).stripTrailingZeros();
        return exact.scale() < 0 ? exact.setScale(0) : exact;
    }
}
