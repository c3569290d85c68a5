package habemus.lab.compare;

import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.world.Problem;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What a comparison measures: all algorithms of a problem.
 *
 * @param sizes numbers of nodes
 */
public record ComparisonParameters(Problem problem, List<Integer> sizes) {

    public static final String DEFAULT_SIZES = "5,9";

    private static final int MIN_NODES = 3;
    private static final int MAX_NODES = 200;

    /**
     * @param problem {@code mutex} or {@code election}
     * @param sizes numbers separated by commas
     * @throws CommandException if there is no such problem, or a number is out of range
     */
    public static ComparisonParameters parse(String problem, String sizes) {
        return new ComparisonParameters(problem(problem), sizes(sizes));
    }

    private static Problem problem(String word) {
        return Stream.of(Problem.MUTEX, Problem.ELECTION)
                .filter(problem -> problem.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(
                        "unknown problem: '" + word + "'",
                        SpellingSuggestion.hint(word, List.of("mutex", "election")) + "use mutex or election"));
    }

    private static List<Integer> sizes(String text) {
        return Stream.of(text.split(",", -1))
                .map(part -> {
                    boolean isNumber = part.matches("\\d{1,6}");
                    if (!isNumber || Integer.parseInt(part) < MIN_NODES || Integer.parseInt(part) > MAX_NODES) {
                        throw CommandException.usage(
                                "-n must be a list of numbers from " + MIN_NODES + " to " + MAX_NODES + ", was '" + text
                                        + "'",
                                "write -n " + DEFAULT_SIZES);
                    }
                    return Integer.parseInt(part);
                })
                .distinct()
                .toList();
    }

    /** The number of measurements. */
    public int count() {
        return sizes.size() * Comparison.algorithms(problem).size();
    }

    /** @param progress receives the name of each measurement before it starts */
    public List<ComparisonRow> measure(Consumer<String> progress) {
        return Comparison.of(problem, sizes, progress);
    }
}
