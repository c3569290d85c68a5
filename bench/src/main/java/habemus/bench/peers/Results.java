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

    synchronized void add(ProductId product, StepResult result) {
        stepResults.computeIfAbsent(product, any -> new ArrayList<>()).add(result);
    }

    synchronized void addFailure(String description) {
        failures.add(description);
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** All values of a product and step, in rising order. */
    synchronized double[] values(ProductId product, BenchmarkStep step, String name) {
        return sorted(stepResults.getOrDefault(product, List.of()).stream()
                .filter(result -> result.benchmarkStep().equals(step))
                .filter(result -> result.values().containsKey(name))
                .mapToDouble(result -> result.values().get(name)));
    }

    /** The values of all products and steps, in rising order. */
    synchronized double[] values(String name) {
        return sorted(stepResults.values().stream()
                .flatMap(List::stream)
                .flatMap(result -> Stream.ofNullable(result.values().get(name)))
                .mapToDouble(Double::doubleValue));
    }

    private static double[] sorted(DoubleStream values) {
        return values.sorted().toArray();
    }

    OptionalDouble median(ProductId product, BenchmarkStep step, String name) {
        return median(values(product, step, name));
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
    synchronized DoubleStream durablePeerMedians(BenchmarkStep step, String name) {
        return stepResults.keySet().stream()
                .filter(ProductId::isDurable)
                .filter(product -> !product.isHabemus())
                .flatMapToDouble(product -> median(product, step, name).stream());
    }
}
