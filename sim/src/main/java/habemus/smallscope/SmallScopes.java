package habemus.smallscope;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Guarantee;
import habemus.check.model.Scope;
import habemus.protocol.NodeSet;
import habemus.world.FaultKind;
import habemus.world.KebabCase;
import habemus.world.Problem;
import habemus.world.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Scopes that are small enough for an exhaustive check within seconds. */
public final class SmallScopes {

    /** Enough for two elections: with pre-vote, the second one deposes the first leader. */
    private static final int LOG_TIMEOUTS = 2;

    /** The value of a duration option that is off (zero) by default, in variants that turn it on. */
    private static final String ENABLED_DURATION_MILLIS = "100";

    /**
     * @param nodes the number of nodes
     * @param entries the number of requests of each caller
     * @param callers how many nodes make requests: the first ones
     * @param timed whether timers fire, where the algorithm allows it
     */
    public record Size(int nodes, int entries, int callers, boolean timed) {

        /** Every node makes requests. */
        public Size(int nodes, int entries) {
            this(nodes, entries, nodes, true);
        }

        public Size withoutTimeouts() {
            return new Size(nodes, entries, callers, false);
        }

        @Override
        public String toString() {
            var times = entries == 1 ? "once" : entries == 2 ? "twice" : entries + " times";
            var who = callers == nodes ? "" : callers == 1 ? "n1 " : "n1 to n" + callers + " ";
            return entries == 0 ? nodes + " nodes" : nodes + " nodes, " + who + times;
        }
    }

    private SmallScopes() {}

    /** From the smallest to the largest. */
    public static List<Size> sizes(Algorithm algorithm) {
        if (algorithm.isService()) {
            return List.of(new Size(3, 2), new Size(4, 1), new Size(4, 2)); // two nodes make no requests
        }
        return switch (algorithm.problem()) {
            case MUTEX -> List.of(new Size(2, 2), new Size(3, 1), new Size(3, 2));
            case ELECTION -> List.of(new Size(2, 1), new Size(3, 1), new Size(4, 1));
            case DETECTOR -> List.of(new Size(2, 0), new Size(3, 0), new Size(4, 0));
            case LOG -> List.of(new Size(2, 1), new Size(3, 1));
            case THREADS -> List.of(new Size(2, 1), new Size(2, 2), new Size(3, 1)); // threads and rounds
        };
    }

    /** A scope with FIFO links and without faults. */
    public static Scope scope(Algorithm algorithm, Size size) {
        return scope(algorithm, size, ScopeLayout.defaultFor(algorithm, size.nodes));
    }

    static Scope scope(Algorithm algorithm, Size size, ScopeLayout layout) {
        if (algorithm.problem() == Problem.LOG) { // the first timeout elects a leader
            return Scope.of(layout.topology())
                    .withLogCalls(new Scope.LogCalls(size.entries, 0, 0, 0, 0))
                    .withMaxTimeouts(LOG_TIMEOUTS);
        }
        return Scope.of(layout.topology())
                .withRanking(layout.ranking())
                .withRequests(NodeSet.of(layout.topology().nodes().subList(0, size.callers)), size.entries)
                .withBypassBound(algorithm.bypassBound(size.nodes))
                .withMaxTimeouts(algorithm.checkedTimeouts());
    }

    /** The properties that an algorithm guarantees in all runs of a scope. */
    public static Set<Property> guaranteed(Algorithm algorithm, AlgorithmParameters parameters, Scope scope) {
        var kinds = EnumSet.noneOf(FaultKind.class);
        scope.faults().limits().forEach((kind, times) -> {
            if (times > 0) {
                kinds.add(kind);
            }
        });
        if (!scope.inOrder()) {
            kinds.add(FaultKind.REORDER);
        }
        var guaranteed = EnumSet.noneOf(Property.class);
        for (Guarantee guarantee : algorithm.guarantees().apply(parameters)) {
            boolean isTimely = scope.isSynchronous() || guarantee.timing().allowsEarlyTimeouts();
            if (isTimely && guarantee.tolerates().containsAll(kinds)) {
                guaranteed.addAll(guarantee.properties());
            }
        }
        return guaranteed;
    }

    /** The parameters of a variant for this size. The threads and rounds of a program are options. */
    static AlgorithmParameters parameters(Algorithm algorithm, Variant variant, Size size) {
        var parameters = variant.parameters().withNodeCount(size.nodes);
        if (algorithm.problem() == Problem.THREADS) {
            for (var option : algorithm.options()) {
                parameters = switch (option.name()) {
                    case "threads" -> with(parameters, option, size.nodes);
                    case "rounds" -> with(parameters, option, size.entries);
                    default -> parameters;
                };
            }
        }
        return parameters;
    }

    private static <T> AlgorithmParameters with(AlgorithmParameters parameters, AlgorithmOption<T> option, int value) {
        return parameters.with(option, option.parse(Integer.toString(value)));
    }

    /**
     * The default parameters, and one variant for each flag or duration option, with that option turned on or off. An
     * option with a choice has one variant for each of its other values. The lowest node as the best has none: reversed
     * ranks do the same, and are a {@link ScopeLayout}.
     */
    public static List<Variant> variants(Algorithm algorithm) {
        var variants = new ArrayList<Variant>();
        variants.add(new Variant("", AlgorithmParameters.defaults()));
        algorithm.options().stream()
                .filter(option -> !option.equals(AlgorithmParameters.BEST))
                .forEach(option -> add(variants, option));
        return List.copyOf(variants);
    }

    /** One variant for each numeric option with a default above one: that option set to one; largest default first. */
    static List<Variant> minimalVariants(Algorithm algorithm) {
        return algorithm.options().stream()
                .filter(option -> number(option) > 1 && algorithm.problem() != Problem.THREADS) // a size of its own
                .sorted(Comparator.comparingInt(SmallScopes::number).reversed())
                .map(SmallScopes::setToOne)
                .toList();
    }

    private static int number(AlgorithmOption<?> option) {
        return option.defaultValue() instanceof Integer value ? value : 0;
    }

    private static <T> Variant setToOne(AlgorithmOption<T> option) {
        return new Variant(
                "--" + option.name() + " 1", AlgorithmParameters.defaults().with(option, option.parse("1")));
    }

    /** @param option as written on the command line; empty for the default parameters */
    public record Variant(String option, AlgorithmParameters parameters) {}

    private static <T> void add(List<Variant> variants, AlgorithmOption<T> option) {
        if (option.defaultValue() instanceof Boolean isOn) {
            var toggled = AlgorithmParameters.defaults().with(option, option.parse(Boolean.toString(!isOn)));
            variants.add(new Variant("--" + option.name() + (isOn ? " false" : ""), toggled));
        } else if (option.defaultValue() instanceof Enum<?> choice) {
            for (Enum<?> other : choice.getDeclaringClass().getEnumConstants()) {
                var text = KebabCase.of(other);
                if (other != choice) {
                    var chosen = AlgorithmParameters.defaults().with(option, option.parse(text));
                    variants.add(new Variant("--" + option.name() + " " + text, chosen));
                }
            }
        } else if (option.defaultValue() instanceof Duration duration && duration.isZero()) {
            var enabled = AlgorithmParameters.defaults().with(option, option.parse(ENABLED_DURATION_MILLIS));
            variants.add(new Variant("--" + option.name() + " " + ENABLED_DURATION_MILLIS, enabled));
        }
    }
}
