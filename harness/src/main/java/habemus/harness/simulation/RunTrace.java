package habemus.harness.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a simulated run: a hash over all of it, the last lines as text, and the first violation. Two
 * runs with equal hashes have sent the same bytes at the same times.
 */
final class RunTrace {

    /** A property that does not hold, and what shows it. */
    record Violation(String property, String detail) {}

    private static final int LAST_LINES = 2_000;
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final boolean isTextWanted;
    private final Deque<String> lines = new ArrayDeque<>();
    private long hash = HASH_FACTOR;
    private @Nullable VirtualTime time;
    private @Nullable Violation violation;

    /** @param isTextWanted whether lines are kept; the hash does not depend on it */
    RunTrace(boolean isTextWanted) {
        this.isTextWanted = isTextWanted;
    }

    void setTime(VirtualTime virtualTime) {
        time = virtualTime;
    }

    private long now() {
        return time == null ? 0 : time.now();
    }

    /** Adds a fact to the hash. */
    void add(long first, long second) {
        mix(now());
        mix(first);
        mix(second);
    }

    private void mix(long value) {
        hash = Long.rotateLeft((hash ^ value) * HASH_FACTOR, 29);
    }

    void add(long kind, byte[] bytes) {
        add(kind, bytes.length);
        long sum = 0;
        for (byte each : bytes) {
            sum = sum * 31 + each;
        }
        mix(sum);
    }

    /** Adds a line of text, if lines are wanted. */
    void line(Supplier<String> text) {
        if (isTextWanted) {
            lines.add("%9.3f  %s".formatted(now() / 1e9, text.get()));
            if (lines.size() > LAST_LINES) {
                lines.remove();
            }
        }
    }

    void violate(String property, Supplier<String> detail) {
        if (violation == null) {
            var first = new Violation(property, detail.get());
            violation = first;
            line(() -> "VIOLATED " + property + ": " + first.detail());
        }
    }

    boolean isViolated() {
        return violation != null;
    }

    Optional<Violation> violation() {
        return Optional.ofNullable(violation);
    }

    long hash() {
        return hash;
    }

    /** The last lines of the run. */
    List<String> lines() {
        return new ArrayList<>(lines);
    }
}
