package habemus.lab.advice;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Guarantee;
import habemus.catalogue.TimingAssumption;
import habemus.protocol.FailureAware;
import habemus.smallscope.SmallScopes;
import habemus.world.FaultKind;
import habemus.world.Property;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** An algorithm with its default parameters, or with one of its options. */
public record AlgorithmForm(Algorithm algorithm, SmallScopes.Variant variant) {

    private static final Set<FaultKind> LIKE_A_CRASH =
            EnumSet.of(FaultKind.PARTITION, FaultKind.PAUSE, FaultKind.SLOWNESS);

    /** The algorithm with its default parameters. */
    public static AlgorithmForm of(Algorithm algorithm) {
        return forms(algorithm).getFirst();
    }

    /** The algorithm with its default parameters, and with each of its options. */
    public static List<AlgorithmForm> forms(Algorithm algorithm) {
        return SmallScopes.variants(algorithm).stream()
                .map(variant -> new AlgorithmForm(algorithm, variant))
                .toList();
    }

    /** The correct algorithms that survive these faults: with their defaults, or else with every option that helps. */
    public static List<AlgorithmForm> surviving(Collection<Algorithm> algorithms, Set<FaultKind> faults) {
        return algorithms.stream()
                .filter(algorithm -> !algorithm.broken())
                .flatMap(algorithm -> of(algorithm).survives(faults)
                        ? Stream.of(of(algorithm))
                        : forms(algorithm).stream().filter(form -> form.survives(faults)))
                .toList();
    }

    /** Whether it guarantees that its problem is solved, whatever faults of these kinds occur. */
    public boolean survives(Set<FaultKind> faults) {
        var faced = faced(faults);
        return essentialProperties().stream()
                .allMatch(property -> guarantee(property, faced).isPresent());
    }

    /**
     * The faults that this algorithm is exposed to. Without a failure detector nothing is suspected. With one, faults
     * that no timeout can tell from a crash also make it suspect live nodes.
     */
    Set<FaultKind> faced(Set<FaultKind> faults) {
        var faced = EnumSet.noneOf(FaultKind.class);
        faced.addAll(faults);
        if (!usesDetector()) {
            faced.remove(FaultKind.MISTAKE);
        } else if (faults.stream().anyMatch(LIKE_A_CRASH::contains)) {
            faced.add(FaultKind.MISTAKE);
        }
        return faced;
    }

    private boolean usesDetector() {
        return algorithm.create(variant.parameters()) instanceof FailureAware;
    }

    public Set<Property> essentialProperties() {
        return algorithm.essentialProperties(variant.parameters());
    }

    /** The guarantee of this property under these faults with the weakest timing assumption. */
    public Optional<Guarantee> guarantee(Property property, Set<FaultKind> faults) {
        return algorithm.guarantees().apply(variant.parameters()).stream()
                .filter(guarantee -> guarantee.properties().contains(property)
                        && guarantee.tolerates().containsAll(faults))
                .min(Comparator.comparing(guarantee -> !isAsynchronous(guarantee.timing())));
    }

    /** What the guarantees of its essential properties assume, without those that assume nothing. */
    public List<TimingAssumption> assumptions(Set<FaultKind> faults) {
        return assumptions(property -> faults);
    }

    /** The same with other faults for each property. Without a guarantee under faults, that without faults counts. */
    List<TimingAssumption> assumptions(Function<Property, Set<FaultKind>> faults) {
        return essentialProperties().stream()
                .flatMap(property ->
                        guarantee(property, faults.apply(property)).or(() -> guarantee(property, Set.of())).stream())
                .map(Guarantee::timing)
                .filter(timing -> !isAsynchronous(timing))
                .distinct()
                .toList();
    }

    private static boolean isAsynchronous(TimingAssumption timing) {
        return timing instanceof TimingAssumption.Asynchronous;
    }

    /** Its durations that are not off, by the name of the option. */
    public Map<String, Duration> durations() {
        var durations = new LinkedHashMap<String, Duration>();
        for (AlgorithmOption<?> option : algorithm.options()) {
            if (variant.parameters().get(option) instanceof Duration duration && !duration.isZero()) {
                durations.put(option.name(), duration);
            }
        }
        return durations;
    }

    /** The same with other parameters. */
    AlgorithmForm with(AlgorithmParameters parameters) {
        return new AlgorithmForm(algorithm, new SmallScopes.Variant(variant.option(), parameters));
    }

    /** As on the command line, such as {@code central --lease 100}. */
    @Override
    public String toString() {
        return (algorithm.name() + " " + variant.option()).strip();
    }
}
