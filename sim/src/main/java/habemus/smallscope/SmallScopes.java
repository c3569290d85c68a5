package habemus.smallscope;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.AlgorithmParameters;
import habemus.check.model.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The worlds that are small enough to be looked at wholly, in a moment. */
public final class SmallScopes {

    /** What an option that is off by itself, and takes a time, is set to where it is on. */
    private static final String ENABLED_DURATION_MILLIS = "100";

    /**
     * @param nodes how many there are
     * @param entries how often each asks
     */
    public record Size(int nodes, int entries) {
        @Override
        public String toString() {
            return entries == 0
                    ? nodes + " nodes"
                    : nodes + " nodes, " + (entries == 1 ? "once" : entries == 2 ? "twice" : entries + " times");
        }
    }

    private SmallScopes() {}

    /** From the one that says least to the one that says most. */
    public static List<Size> sizes(Algorithm algorithm) {
        if (algorithm.isService()) {
            return List.of(new Size(3, 2), new Size(4, 1), new Size(4, 2)); // two of them ask for nothing
        }
        return switch (algorithm.problem()) {
            case MUTEX -> List.of(new Size(2, 2), new Size(3, 1), new Size(3, 2));
            case ELECTION -> List.of(new Size(2, 1), new Size(3, 1), new Size(4, 1));
            case DETECTOR -> List.of(new Size(2, 0), new Size(3, 0), new Size(4, 0));
        };
    }

    /** Everything in order, no hazards. */
    public static Scope scope(Algorithm algorithm, Size size) {
        return scope(algorithm, size, ScopeLayout.defaultFor(algorithm, size.nodes));
    }

    static Scope scope(Algorithm algorithm, Size size, ScopeLayout scopeLayout) {
        return Scope.of(scopeLayout.topology())
                .withRanking(scopeLayout.ranking())
                .withRequestsPerNode(size.entries)
                .withBypassBound(algorithm.bypassBound(size.nodes))
                .withMaxTimeouts(algorithm.checkedTimeouts());
    }

    /** As it stands, and with each of its options that are off turned on, or the other way round, one at a time. */
    public static List<Variant> variants(Algorithm algorithm) {
        var variants = new ArrayList<Variant>();
        variants.add(new Variant("", AlgorithmParameters.defaults()));
        algorithm.algorithmOptions().forEach(algorithmOption -> add(variants, algorithmOption));
        return List.copyOf(variants);
    }

    /** With each of its options that is a number larger than one set to one, one at a time, the largest first. */
    static List<Variant> minimalVariants(Algorithm algorithm) {
        return algorithm.algorithmOptions().stream()
                .filter(algorithmOption -> number(algorithmOption) > 1)
                .sorted(Comparator.comparingInt(SmallScopes::number).reversed())
                .map(SmallScopes::setToOne)
                .toList();
    }

    private static int number(AlgorithmOption<?> algorithmOption) {
        return algorithmOption.defaultValue() instanceof Integer value ? value : 0;
    }

    private static <T> Variant setToOne(AlgorithmOption<T> algorithmOption) {
        return new Variant(
                "--" + algorithmOption.name() + " 1",
                AlgorithmParameters.defaults().with(algorithmOption, algorithmOption.parse("1")));
    }

    /** @param option as it is written on the command line; empty for the algorithm as it stands */
    public record Variant(String option, AlgorithmParameters parameters) {}

    private static <T> void add(List<Variant> variants, AlgorithmOption<T> algorithmOption) {
        if (algorithmOption.defaultValue() instanceof Boolean on) {
            var other =
                    AlgorithmParameters.defaults().with(algorithmOption, algorithmOption.parse(Boolean.toString(!on)));
            variants.add(new Variant("--" + algorithmOption.name() + (on ? " false" : ""), other));
        } else if (algorithmOption.defaultValue() instanceof Duration time && time.isZero()) {
            var on = AlgorithmParameters.defaults()
                    .with(algorithmOption, algorithmOption.parse(ENABLED_DURATION_MILLIS));
            variants.add(new Variant("--" + algorithmOption.name() + " " + ENABLED_DURATION_MILLIS, on));
        }
    }
}
