package habemus.lab.trace;

import java.math.BigDecimal;
import java.time.Duration;

/** Numbers without trailing zeros, and without the E that {@link BigDecimal} has for round ones. */
final class JsonNumber {

    private JsonNumber() {}

    static BigDecimal of(long unscaled, int decimals) {
        var bare = BigDecimal.valueOf(unscaled, decimals).stripTrailingZeros();
        return bare.scale() < 0 ? bare.setScale(0) : bare;
    }

    static BigDecimal millis(Duration duration) {
        return of(duration.toNanos(), 6);
    }
}
