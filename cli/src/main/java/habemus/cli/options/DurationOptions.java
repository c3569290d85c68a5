package habemus.cli.options;

import habemus.lab.command.ValueType;
import java.time.Duration;
import java.util.regex.Pattern;

/** Durations with a unit. Without a unit, every number is in seconds. */
public final class DurationOptions {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|)");
    private static final Pattern LONG_DURATION = Pattern.compile("([1-9]\\d{0,5})(ms|s|m|h|d|)");
    private static final Pattern SHORT_DURATION = Pattern.compile("(\\d{1,6})us|\\d{1,6}(ms|s|)");

    private DurationOptions() {}

    /** A duration: {@code 500ms}, {@code 5s}, {@code 2m}. */
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
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
        };
    }

    /** {@code 5 s}, or {@code 300 ms} if it is no whole number of seconds. */
    public static String format(Duration duration) {
        return duration.toMillisPart() == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    /** The local time of day, for lines that a person watches. */
    public static String wallClock() {
        return "%tT.%<tL".formatted(System.currentTimeMillis());
    }
}
