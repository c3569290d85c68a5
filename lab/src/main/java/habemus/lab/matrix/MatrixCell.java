package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.check.model.CheckOptions;
import habemus.check.model.Scope;
import habemus.protocol.FailureAware;
import habemus.protocol.Protocol;
import habemus.protocol.Timed;
import habemus.smallscope.SmallScopes;
import habemus.world.NetworkModel;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One combination of the matrix: algorithm with its options, network, timing and fault. */
public record MatrixCell(
        Algorithm algorithm,
        SmallScopes.Variant variant,
        NetworkModel network,
        Scope.Timing timing,
        FaultScenario faultScenario) {

    /** All cells of an algorithm. */
    public static List<MatrixCell> allOf(Algorithm algorithm) {
        var cells = new ArrayList<MatrixCell>();
        for (var variant : SmallScopes.variants(algorithm)) {
            var protocol = algorithm.create(variant.parameters());
            for (var timing : timings(protocol)) {
                for (var networkModel : List.of(NetworkModel.FIFO, NetworkModel.BAG)) {
                    for (var faultScenario : FaultScenario.values()) {
                        if (fitsNetwork(faultScenario, networkModel)
                                && faultScenario.appliesTo(
                                        algorithm, variant.parameters().withNodeCount(2), timing)) {
                            cells.add(new MatrixCell(algorithm, variant, networkModel, timing, faultScenario));
                        }
                    }
                }
            }
        }
        return List.copyOf(cells);
    }

    /** Without another fault, a network without order is the scenario {@code REORDER}. */
    private static boolean fitsNetwork(FaultScenario faultScenario, NetworkModel networkModel) {
        return switch (faultScenario) {
            case NOTHING -> networkModel.inOrder();
            case REORDER -> !networkModel.inOrder();
            default -> true;
        };
    }

    private static List<Scope.Timing> timings(Protocol<?, ?> protocol) {
        boolean timed = protocol instanceof Timed || protocol instanceof FailureAware;
        return timed
                ? List.of(Scope.Timing.ASYNCHRONOUS, Scope.Timing.SYNCHRONOUS)
                : List.of(Scope.Timing.ASYNCHRONOUS);
    }

    /** The scope of this size. */
    public Scope scope(SmallScopes.Size size, CheckOptions checkOptions) {
        var parameters = variant.parameters().withNodeCount(size.nodes());
        var scope = faultScenario
                .applyTo(SmallScopes.scope(algorithm, size), algorithm, parameters)
                .withOptions(checkOptions);
        scope = network.inOrder() ? scope : scope.withUnorderedLinks();
        if (!isSynchronous()) {
            return scope;
        }
        return scope.synchronous()
                .withMaxTimeouts(size.timed() ? algorithm.synchronousTimeouts() : algorithm.checkedTimeouts());
    }

    /** From the smallest to the largest. An election that retries gets one with a single candidate. */
    List<SmallScopes.Size> sizes() {
        return algorithm.problem() == Problem.ELECTION && algorithm.checkedTimeouts() == 0
                ? List.of(new SmallScopes.Size(2, 1), new SmallScopes.Size(3, 1, 1, true), new SmallScopes.Size(3, 1))
                : SmallScopes.sizes(algorithm);
    }

    /** Worlds for the case that timers make even the smallest one too large: they have none. */
    List<SmallScopes.Size> sizesWithoutTimeouts() {
        return isSynchronous() && algorithm.checkedTimeouts() < algorithm.synchronousTimeouts()
                ? sizes().stream().map(SmallScopes.Size::withoutTimeouts).toList()
                : List.of();
    }

    /** The world of this size, as far as it differs between sizes and algorithms. */
    String describe(SmallScopes.Size size) {
        boolean hasTimers = protocol(size) instanceof Timed;
        int timeouts = scope(size, CheckOptions.defaults()).timers().maxTimeouts();
        return hasTimers && timeouts == 0 ? size + ", untimed" : size.toString();
    }

    public Protocol<?, ?> protocol(SmallScopes.Size size) {
        return algorithm.create(variant.parameters().withNodeCount(size.nodes()));
    }

    public boolean isSynchronous() {
        return timing == Scope.Timing.SYNCHRONOUS;
    }

    public String timingName() {
        return timing.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        var name = variant.option().isEmpty() ? algorithm.name() : algorithm.name() + " " + variant.option();
        return name + ", " + network + ", " + timingName() + ", " + faultScenario;
    }
}
