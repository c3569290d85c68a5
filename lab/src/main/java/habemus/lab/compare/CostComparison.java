package habemus.lab.compare;

import habemus.catalogue.CostFormula;
import habemus.measure.CostMeasurement;
import java.util.stream.Collectors;

/**
 * A theoretical cost beside the measured one.
 *
 * @param measured formatted; a mean over random rings has its margin of error
 * @param agrees whether the measurement agrees with the theory
 * @param remark how they are compared, if not by equality
 */
public record CostComparison(CostFormula costFormula, double expected, String measured, boolean agrees, String remark) {

    static CostComparison of(CostFormula costFormula, CostMeasurement measurement) {
        double expected = costFormula.function().applyAsDouble(measurement.nodes());
        boolean sampled = measurement.nodes() > CostMeasurement.MAX_EXHAUSTIVE_NODES;
        return switch (costFormula.measure()) {
            case MESSAGES_ALL_CANDIDATES_MEAN ->
                sampled
                        ? mean(costFormula, expected, measurement.samples())
                        : exact(costFormula, expected, measurement);
            case MESSAGES_ALL_CANDIDATES_BOUND, MESSAGES_NOT_FORWARDED_BOUND ->
                bound(costFormula, expected, measurement, "the theory gives a bound");
            case MESSAGES_ALL_CANDIDATES_WORST ->
                sampled
                        ? bound(costFormula, expected, measurement, "only some rings were measured")
                        : exact(costFormula, expected, measurement);
            default -> exact(costFormula, expected, measurement);
        };
    }

    private static CostComparison exact(CostFormula costFormula, double expected, CostMeasurement measurement) {
        var ratios = measurement.measure(costFormula);
        var text = ratios.stream().map(Object::toString).distinct().collect(Collectors.joining(", "));
        return new CostComparison(
                costFormula, expected, text, ratios.stream().allMatch(ratio -> ratio.isCloseTo(expected)), "");
    }

    private static CostComparison bound(
            CostFormula costFormula, double expected, CostMeasurement measurement, String remark) {
        var ratio = measurement.measure(costFormula).getFirst();
        return new CostComparison(costFormula, expected, ratio.toString(), ratio.value() <= expected, remark);
    }

    private static CostComparison mean(CostFormula costFormula, double expected, long[] samples) {
        var sampleMean = SampleMean.of(samples);
        return new CostComparison(
                costFormula,
                expected,
                sampleMean.toString(),
                sampleMean.isWithinMargin(expected),
                samples.length + " random rings, 99 % confidence");
    }
}
