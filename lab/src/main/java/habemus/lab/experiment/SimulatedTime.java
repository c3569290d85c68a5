package habemus.lab.experiment;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/** Simulated times as text: milliseconds with up to three decimals. */
public final class SimulatedTime {

    /** For use in larger patterns. */
    public static final String PATTERN = "\\d{1,12}(?:\\.\\d{1,3})?";

    private static final Pattern TIME = Pattern.compile(PATTERN);

    private SimulatedTime() {}

    /** @throws IllegalArgumentException if the text is not a number of milliseconds */
    public static Duration parseMillis(String text) {
        if (!TIME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time in milliseconds");
        }
        return Duration.ofNanos(new BigDecimal(text).movePointRight(6).longValueExact());
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
