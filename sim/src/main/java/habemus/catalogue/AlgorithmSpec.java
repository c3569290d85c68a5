package habemus.catalogue;

import habemus.protocol.Protocol;
import habemus.world.Problem;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An algorithm and the choices of its user, as all nodes of a cluster must have it.
 *
 * @param text as it is written: {@code central --lease 5000}
 */
public record AlgorithmSpec(Algorithm algorithm, AlgorithmParameters parameters, String text) {

    /** @throws IllegalArgumentException saying what is wrong with it */
    public static AlgorithmSpec parse(String text, Problem problem) {
        var words = new ArrayList<>(Arrays.asList(text.strip().split("\\s+")));
        var name = words.removeFirst();
        var algorithm = Catalogue.find(name)
                .filter(found -> found.problem() == problem && !found.isService())
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no " + problem + " '" + name + "': there are " + String.join(", ", names(problem))));
        var algorithmParameters = AlgorithmParameters.defaults();
        while (!words.isEmpty()) {
            var word = words.removeFirst();
            var algorithmOption = algorithm.algorithmOptions().stream()
                    .filter(one -> word.equals("--" + one.name()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(name + " has no option " + word));
            boolean alone = algorithmOption.defaultValue().equals(false)
                    && (words.isEmpty() || words.getFirst().startsWith("--"));
            if (!alone && words.isEmpty()) {
                throw new IllegalArgumentException(word + " of " + name + " needs a value");
            }
            algorithmParameters = with(algorithmParameters, algorithmOption, alone ? "true" : words.removeFirst());
        }
        return new AlgorithmSpec(algorithm, algorithmParameters, text.strip());
    }

    private static <T> AlgorithmParameters with(
            AlgorithmParameters algorithmParameters, AlgorithmOption<T> algorithmOption, String value) {
        return algorithmParameters.with(algorithmOption, algorithmOption.parse(value));
    }

    public static List<String> names(Problem problem) {
        return Catalogue.ALL.stream()
                .filter(one -> one.problem() == problem && !one.broken() && !one.isService())
                .map(Algorithm::name)
                .toList();
    }

    public Protocol<?, ?> protocol(int nodes) {
        return algorithm.create(parameters.withNodeCount(nodes));
    }

    /** Where it runs: a ring goes by number, and from the last to the first. */
    public Topology topology(int nodes) {
        return algorithm.shape() == Topology.Shape.RING ? Topology.ring(nodes) : Topology.complete(nodes);
    }

    @Override
    public String toString() {
        return text;
    }
}
