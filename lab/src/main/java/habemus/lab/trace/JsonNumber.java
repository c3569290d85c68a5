package habemus.lab.trace;

import java.math.BigDecimal;
import java.time.Duration;

/** Decimal numbers without trailing zeros and without the exponent that {@link BigDecimal} prints for round numbers. */
public final class JsonNumber {

    private JsonNumber() {}

    public static BigDecimal of(long unscaled, int decimals) {
        var stripped = BigDecimal.valueOf(unscaled, decimals).stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    static BigDecimal millis(Duration duration) {
        return of(duration.toNanos(), 6);
    }
}
