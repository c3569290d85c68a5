package habemus.lab.trace;

import java.math.BigDecimal;

/** What the times of a trace mean: microseconds of a simulated or real run, or the steps of a checked run. */
public enum TimeScale {
    MILLIS("ms") {
        @Override
        public String exact(long at) {
            return BigDecimal.valueOf(at, 3).toPlainString();
        }

        @Override
        public String number(long at) {
            return JsonNumber.of(at, 3).toPlainString();
        }

        @Override
        public String when(long at) {
            return number(at) + " ms";
        }
    },
    STEPS("step") {
        @Override
        public String exact(long at) {
            return Long.toString(at);
        }

        @Override
        public String number(long at) {
            return Long.toString(at);
        }

        @Override
        public String when(long at) {
            return "step " + at;
        }
    };

    private final String unit;

    TimeScale(String unit) {
        this.unit = unit;
    }

    /** The heading of a column or axis of times. */
    public String unit() {
        return unit;
    }

    /** A time, all with the same number of decimals: {@code 1.250}. */
    public abstract String exact(long at);

    /** A time without trailing zeros: {@code 1.25}. */
    public abstract String number(long at);

    /** A point in time: {@code 1.25 ms}, or {@code step 3}. */
    public abstract String when(long at);

    /** A span of time: {@code 1.25 ms}, or {@code 3 steps}. */
    public String span(long duration) {
        return this == MILLIS ? when(duration) : duration + (duration == 1 ? " step" : " steps");
    }
}
