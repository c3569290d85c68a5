package habemus.bench.peers;

import habemus.peers.Answer;
import habemus.peers.Step;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** All that was measured, of all rounds. */
final class Results {

    private final Map<Product, List<Answer>> answers = new EnumMap<>(Product.class);
    private final List<String> failures = new ArrayList<>();

    synchronized void add(Product product, Answer answer) {
        answers.computeIfAbsent(product, any -> new ArrayList<>()).add(answer);
    }

    synchronized void fail(String words) {
        failures.add(words);
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** In rising order. */
    synchronized double[] all(Product product, Step step, String figure) {
        return sorted(answers.getOrDefault(product, List.of()).stream()
                .filter(answer -> answer.step().equals(step))
                .filter(answer -> answer.figures().containsKey(figure))
                .mapToDouble(answer -> answer.figures().get(figure)));
    }

    /** Of all products and steps that have it, in rising order. */
    synchronized double[] all(String figure) {
        return sorted(answers.values().stream()
                .flatMap(List::stream)
                .flatMap(answer -> Stream.ofNullable(answer.figures().get(figure)))
                .mapToDouble(Double::doubleValue));
    }

    private static double[] sorted(DoubleStream figures) {
        return figures.sorted().toArray();
    }

    OptionalDouble median(Product product, Step step, String figure) {
        return median(all(product, step, figure));
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
    synchronized DoubleStream durable(Step step, String figure) {
        return answers.keySet().stream()
                .filter(Product::isDurable)
                .filter(product -> product != Product.HABEMUS)
                .flatMapToDouble(product -> median(product, step, figure).stream());
    }
}
