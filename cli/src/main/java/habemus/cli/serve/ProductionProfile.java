package habemus.cli.serve;

import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.Guarantee;
import habemus.catalogue.TimingAssumption;
import habemus.cli.terminal.CommandException;
import habemus.protocol.FailureAware;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The profile for data that matters. There what is promised is fenced exclusion, and that its holder is told before
 * somebody else is let in: no algorithm of the catalogue promises both, and most do harm in a network that is real.
 */
final class ProductionProfile {

    /** What happens to every cluster sooner or later. The links deliver in order, and once. */
    private static final Set<FaultKind> EXPECTED_FAULTS = EnumSet.of(
            FaultKind.LOSS,
            FaultKind.CRASH,
            FaultKind.RESTART,
            FaultKind.PAUSE,
            FaultKind.PARTITION,
            FaultKind.SLOWNESS);

    private ProductionProfile() {}

    /** By name, with the reason. */
    static CommandException rejection(AlgorithmSpec algorithmSpec) {
        boolean lock = algorithmSpec.algorithm().problem() == Problem.MUTEX;
        var properties =
                lock ? Set.of(Property.MUTUAL_EXCLUSION, Property.FENCES_GROW) : Set.of(Property.ONE_LEADER_PER_TERM);
        var reason = properties.stream()
                .sorted()
                .filter(property -> !missingFaults(algorithmSpec, property).isEmpty())
                .findFirst()
                .map(property -> "it does not promise that " + property.sentence() + " if "
                        + missingFaults(algorithmSpec, property).stream()
                                .map(FaultKind::sentence)
                                .collect(Collectors.joining(", or ")))
                .orElse("it does no harm, but tells nobody of a loss before somebody else is let in");
        return CommandException.usage(
                algorithmSpec + " is refused in production: " + reason,
                "leave --algorithm and --election out for the production service, or --profile to try this");
    }

    /** Under the promise that comes closest. */
    private static Set<FaultKind> missingFaults(AlgorithmSpec algorithmSpec, Property property) {
        return algorithmSpec.algorithm().guarantees().apply(algorithmSpec.parameters()).stream()
                .filter(guarantee -> guarantee.properties().contains(property))
                .filter(guarantee -> guarantee.timingAssumption() instanceof TimingAssumption.Asynchronous)
                .map(guarantee -> missingFrom(algorithmSpec, guarantee))
                .min(Comparator.comparingInt(Set::size))
                .orElse(EXPECTED_FAULTS);
    }

    private static Set<FaultKind> missingFrom(AlgorithmSpec algorithmSpec, Guarantee guarantee) {
        var missing = EnumSet.copyOf(EXPECTED_FAULTS);
        if (algorithmSpec.algorithm().create(algorithmSpec.parameters()) instanceof FailureAware) {
            missing.add(FaultKind.MISTAKE);
        }
        missing.removeAll(guarantee.tolerates());
        return missing;
    }
}
