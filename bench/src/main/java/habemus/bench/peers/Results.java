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

/** The measured values of all rounds. */
final class Results {

    private final Map<ProductId, List<StepResult>> stepResults = new EnumMap<>(ProductId.class);
    private final List<String> failures = new ArrayList<>();

    synchronized void add(ProductId productId, StepResult stepResult) {
        stepResults.computeIfAbsent(productId, any -> new ArrayList<>()).add(stepResult);
    }

    synchronized void addFailure(String description) {
        failures.add(description);
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** All values of a product and step, in rising order. */
    synchronized double[] values(ProductId productId, BenchmarkStep benchmarkStep, String name) {
        return sorted(stepResults.getOrDefault(productId, List.of()).stream()
                .filter(stepResult -> stepResult.benchmarkStep().equals(benchmarkStep))
                .filter(stepResult -> stepResult.values().containsKey(name))
                .mapToDouble(stepResult -> stepResult.values().get(name)));
    }

    /** The values of all products and steps, in rising order. */
    synchronized double[] values(String name) {
        return sorted(stepResults.values().stream()
                .flatMap(List::stream)
                .flatMap(stepResult -> Stream.ofNullable(stepResult.values().get(name)))
                .mapToDouble(Double::doubleValue));
    }

    private static double[] sorted(DoubleStream values) {
        return values.sorted().toArray();
    }

    OptionalDouble median(ProductId productId, BenchmarkStep benchmarkStep, String name) {
        return median(values(productId, benchmarkStep, name));
    }

    /** The median; the mean of the two middle values if their number is even. @param rising in rising order */
    static OptionalDouble median(double... rising) {
        int half = rising.length / 2;
        if (rising.length == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(rising.length % 2 == 1 ? rising[half] : (rising[half - 1] + rising[half]) / 2);
    }

    /** The medians of the other products that store grants on the disks of a majority. */
    synchronized DoubleStream durablePeerMedians(BenchmarkStep benchmarkStep, String name) {
        return stepResults.keySet().stream()
                .filter(ProductId::isDurable)
                .filter(productId -> productId != ProductId.HABEMUS)
                .flatMapToDouble(productId -> median(productId, benchmarkStep, name).stream());
    }
}
