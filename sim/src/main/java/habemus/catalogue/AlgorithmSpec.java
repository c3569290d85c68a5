package habemus.catalogue;

import habemus.protocol.Protocol;
import habemus.world.Problem;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An algorithm with its options, as written on a command line. All nodes of a cluster must use the same.
 *
 * @param text for example {@code central --lease 5000}
 */
public record AlgorithmSpec(Algorithm algorithm, AlgorithmParameters parameters, String text) {

    /** @throws IllegalArgumentException if the algorithm is unknown or an option is invalid */
    public static AlgorithmSpec parse(String text, Problem problem) {
        var words = new ArrayList<>(Arrays.asList(text.strip().split("\\s+")));
        var name = words.removeFirst();
        var algorithm = Catalogue.find(name)
                .filter(found -> found.problem() == problem && !found.isService())
                .orElseThrow(() -> new IllegalArgumentException("unknown " + problem + " algorithm: '" + name
                        + "' (known: " + String.join(", ", algorithmNames(problem)) + ")"));
        var parameters = AlgorithmParameters.defaults();
        while (!words.isEmpty()) {
            var word = words.removeFirst();
            var option = algorithm.options().stream()
                    .filter(candidate -> word.equals("--" + candidate.name()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown option of " + name + ": " + word));
            boolean isBareFlag = option.defaultValue().equals(false)
                    && (words.isEmpty() || words.getFirst().startsWith("--"));
            if (!isBareFlag && words.isEmpty()) {
                throw new IllegalArgumentException("missing value of option " + word + " of " + name);
            }
            parameters = with(parameters, option, isBareFlag ? "true" : words.removeFirst());
        }
        return new AlgorithmSpec(algorithm, parameters, text.strip());
    }

    private static <T> AlgorithmParameters with(
            AlgorithmParameters parameters, AlgorithmOption<T> option, String value) {
        return parameters.with(option, option.parse(value));
    }

    public static List<String> algorithmNames(Problem problem) {
        return Catalogue.ALL.stream()
                .filter(algorithm -> algorithm.problem() == problem && !algorithm.broken() && !algorithm.isService())
                .map(Algorithm::name)
                .toList();
    }

    public Protocol<?, ?> protocol(int nodes) {
        return algorithm.create(parameters.withNodeCount(nodes));
    }

    /** The topology on which a cluster runs it: a ring in the order of the numbers, or a complete graph. */
    public Topology topology(int nodes) {
        return algorithm.shape() == Topology.Shape.RING ? Topology.ring(nodes) : Topology.complete(nodes);
    }

    @Override
    public String toString() {
        return text;
    }
}
