package habemus.cli.serve;

import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.Guarantee;
import habemus.catalogue.TimingAssumption;
import habemus.lab.command.CommandException;
import habemus.protocol.FailureAware;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The profile {@code production}, which rejects classic algorithms. It requires fenced exclusion, and that a holder is
 * notified of a loss before the next grant. No classic algorithm guarantees both.
 */
final class ProductionProfile {

    /** The faults of every real cluster. The transport delivers in order and without duplicates. */
    private static final Set<FaultKind> EXPECTED_FAULTS = EnumSet.of(
            FaultKind.LOSS,
            FaultKind.CRASH,
            FaultKind.RESTART,
            FaultKind.PAUSE,
            FaultKind.PARTITION,
            FaultKind.SLOWNESS);

    private ProductionProfile() {}

    /** Names the guarantee that the algorithm lacks. */
    static CommandException rejection(AlgorithmSpec spec) {
        boolean lock = spec.algorithm().problem() == Problem.MUTEX;
        var properties =
                lock ? Set.of(Property.MUTUAL_EXCLUSION, Property.FENCES_GROW) : Set.of(Property.ONE_LEADER_PER_TERM);
        var reason = properties.stream()
                .sorted()
                .filter(property -> !missingFaults(spec, property).isEmpty())
                .findFirst()
                .map(property -> "it does not guarantee that " + property.sentence() + " if "
                        + missingFaults(spec, property).stream()
                                .map(FaultKind::sentence)
                                .collect(Collectors.joining(", or ")))
                .orElse("it is safe, but does not notify a holder of a loss before the next grant");
        return CommandException.usage(
                spec + " is not allowed in production: " + reason,
                "leave out --algorithm and --election for the production service, or leave out --profile");
    }

    /** The expected faults that the closest guarantee does not tolerate. */
    private static Set<FaultKind> missingFaults(AlgorithmSpec spec, Property property) {
        return spec.algorithm().guarantees().apply(spec.parameters()).stream()
                .filter(guarantee -> guarantee.properties().contains(property))
                .filter(guarantee -> guarantee.timing() instanceof TimingAssumption.Asynchronous)
                .map(guarantee -> missingFrom(spec, guarantee))
                .min(Comparator.comparingInt(Set::size))
                .orElse(EXPECTED_FAULTS);
    }

    private static Set<FaultKind> missingFrom(AlgorithmSpec spec, Guarantee guarantee) {
        var missing = EnumSet.copyOf(EXPECTED_FAULTS);
        if (spec.algorithm().create(spec.parameters()) instanceof FailureAware) {
            missing.add(FaultKind.MISTAKE);
        }
        missing.removeAll(guarantee.tolerates());
        return missing;
    }
}
