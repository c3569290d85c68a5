package habemus.bench.peers;

import habemus.bench.product.BenchmarkStep;
import habemus.bench.product.StepResult;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** All that was measured, of all rounds. */
final class Results {

    private final Map<ProductId, List<StepResult>> stepResults = new EnumMap<>(ProductId.class);
    private final List<String> failures = new ArrayList<>();

    synchronized void add(ProductId productId, StepResult stepResult) {
        stepResults.computeIfAbsent(productId, any -> new ArrayList<>()).add(stepResult);
    }

    synchronized void addFailure(String words) {
        failures.add(words);
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** In rising order. */
    synchronized double[] values(ProductId productId, BenchmarkStep benchmarkStep, String figure) {
        return sorted(stepResults.getOrDefault(productId, List.of()).stream()
                .filter(stepResult -> stepResult.benchmarkStep().equals(benchmarkStep))
                .filter(stepResult -> stepResult.figures().containsKey(figure))
                .mapToDouble(stepResult -> stepResult.figures().get(figure)));
    }

    /** Of all products and steps that have it, in rising order. */
    synchronized double[] values(String figure) {
        return sorted(stepResults.values().stream()
                .flatMap(List::stream)
                .flatMap(stepResult -> Stream.ofNullable(stepResult.figures().get(figure)))
                .mapToDouble(Double::doubleValue));
    }

    private static double[] sorted(DoubleStream figures) {
        return figures.sorted().toArray();
    }

    OptionalDouble median(ProductId productId, BenchmarkStep benchmarkStep, String figure) {
        return median(values(productId, benchmarkStep, figure));
    }

    /** @param rising of an even number, the mean of the two in the middle */
    static OptionalDouble median(double... rising) {
        int half = rising.length / 2;
        if (rising.length == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(rising.length % 2 == 1 ? rising[half] : (rising[half - 1] + rising[half]) / 2);
    }

    /** Of those that keep grants on the disks of a majority, ours left out. */
    synchronized DoubleStream durablePeerMedians(BenchmarkStep benchmarkStep, String figure) {
        return stepResults.keySet().stream()
                .filter(ProductId::isDurable)
                .filter(productId -> productId != ProductId.HABEMUS)
                .flatMapToDouble(productId -> median(productId, benchmarkStep, figure).stream());
    }
}
