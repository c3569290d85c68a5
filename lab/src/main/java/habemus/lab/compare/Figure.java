package habemus.lab.compare;

import habemus.catalogue.Cost;
import habemus.measure.Measurements;
import java.util.stream.Collectors;

/**
 * A cost that theory knows, and what was measured.
 *
 * @param measured in words; a mean over rings that were drawn is told with how far it may be off
 * @param agrees whether theory is right here
 * @param remark why it is compared so, if that is not by equality
 */
public record Figure(Cost cost, double expected, String measured, boolean agrees, String remark) {

    static Figure of(Cost cost, Measurements measurements) {
        double expected = cost.of().applyAsDouble(measurements.nodes());
        boolean sampled = measurements.nodes() > Measurements.EXACT;
        return switch (cost.measure()) {
            case MESSAGES_ALL_CANDIDATES_MEAN ->
                sampled ? mean(cost, expected, measurements.samples()) : exact(cost, expected, measurements);
            case MESSAGES_ALL_CANDIDATES_BOUND -> bound(cost, expected, measurements, "theory has a bound");
            case MESSAGES_ALL_CANDIDATES_WORST ->
                sampled
                        ? bound(cost, expected, measurements, "not all rings were tried")
                        : exact(cost, expected, measurements);
            default -> exact(cost, expected, measurements);
        };
    }

    private static Figure exact(Cost cost, double expected, Measurements measurements) {
        var shares = measurements.of(cost.measure());
        var words = shares.stream().map(Object::toString).distinct().collect(Collectors.joining(", "));
        return new Figure(cost, expected, words, shares.stream().allMatch(share -> share.is(expected)), "");
    }

    private static Figure bound(Cost cost, double expected, Measurements measurements, String remark) {
        var share = measurements.of(cost.measure()).getFirst();
        return new Figure(cost, expected, share.toString(), share.value() <= expected, remark);
    }

    private static Figure mean(Cost cost, double expected, long[] samples) {
        var mean = Mean.of(samples);
        return new Figure(
                cost, expected, mean.toString(), mean.mayBe(expected), samples.length + " rings were drawn, 99 % sure");
    }
}
