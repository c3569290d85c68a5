package habemus.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/** Times as they are written: milliseconds, with up to three decimals. */
final class Times {

    /** As a part of a larger pattern. */
    static final String PATTERN = "\\d{1,12}(?:\\.\\d{1,3})?";

    private static final Pattern TIME = Pattern.compile(PATTERN);

    private Times() {}

    /** @throws IllegalArgumentException if this is no time */
    static Duration read(String text) {
        if (!TIME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time in milliseconds");
        }
        return Duration.ofNanos(new BigDecimal(text).movePointRight(6).longValueExact());
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
