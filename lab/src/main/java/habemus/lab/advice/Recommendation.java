package habemus.lab.advice;

import habemus.catalogue.CostFormula;
import habemus.catalogue.TimingAssumption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An algorithm that fits.
 *
 * @param support why it fits
 * @param assumptions what its guarantees assume; empty if they assume nothing
 * @param durations the timeouts for the given latency, by option; empty without a latency
 * @param bypassBound how often others may enter while a node waits; empty if unbounded
 * @param needsFences whether only a resource that checks fences is safe from a paused holder
 */
public record Recommendation(
        AlgorithmForm form,
        Support support,
        List<TimingAssumption> assumptions,
        Map<String, Duration> durations,
        OptionalInt bypassBound,
        boolean needsFences) {

    private static final Set<CostFormula.Measure> DELAYS =
            Set.of(CostFormula.Measure.CLIENT_DELAY, CostFormula.Measure.HANDOVER_DELAY);

    /** Why an algorithm fits. */
    public enum Support {
        /** It guarantees its properties under all faults at once. */
        GUARANTEED,
        /** The matrix found no violation with one fault at a time in small worlds; it does not guarantee more. */
        CHECKED
    }

    /** Whether its guarantees assume that crashes are detected, and live nodes are not suspected. */
    public boolean needsDetector() {
        return assumptions.stream()
                .anyMatch(timing -> timing instanceof TimingAssumption.CrashDetection
                        || timing instanceof TimingAssumption.Synchronous);
    }

    /** The largest number of messages of its cost formulas; empty if it has none. */
    OptionalDouble messages(int nodes) {
        return form.algorithm().costs().stream()
                .filter(cost -> !DELAYS.contains(cost.measure()))
                .mapToDouble(cost -> cost.function().applyAsDouble(nodes))
                .max();
    }

    /** All its delays together, in message delays; empty if it has no formula. */
    OptionalDouble delay(int nodes) {
        var delays = form.algorithm().costs().stream()
                .filter(cost -> DELAYS.contains(cost.measure()))
                .mapToDouble(cost -> cost.function().applyAsDouble(nodes))
                .toArray();
        return delays.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Arrays.stream(delays).sum());
    }
}
