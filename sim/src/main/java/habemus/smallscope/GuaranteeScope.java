package habemus.smallscope;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Guarantee;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.protocol.Protocol;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/** A small scope for the model checker in which a guarantee must hold: one tolerated fault may occur once or twice. */
public record GuaranteeScope(
        Algorithm algorithm,
        SmallScopes.Variant variant,
        Guarantee guarantee,
        SmallScopes.Size size,
        ScopeLayout layout,
        ScopeFaults faults)
        implements SmallScope {

    private static final long MAX_STATES = 100_000;

    /** Some bugs need four nodes, such as a missing part of Sanders' correction. */
    private static final SmallScopes.Size LARGE = new SmallScopes.Size(4, 1);

    private static final long MAX_STATES_LARGE = 2_000_000;

    /** The scopes with the default layout in which a fault occurs at most once, smallest first. */
    public static List<GuaranteeScope> of(Algorithm algorithm) {
        return sizes(algorithm).stream()
                .flatMap(size -> with(algorithm, SmallScopes.variants(algorithm), size).stream())
                .toList();
    }

    /** All scopes, smallest first: also with other rankings and graphs, and with two occurrences of a fault. */
    public static List<GuaranteeScope> all(Algorithm algorithm) {
        return sizes(algorithm).stream().flatMap(size -> all(algorithm, size)).toList();
    }

    private static Stream<GuaranteeScope> all(Algorithm algorithm, SmallScopes.Size size) {
        var standard = with(algorithm, SmallScopes.variants(algorithm), size);
        var layouts = ScopeLayout.alternatives(algorithm, size.nodes());
        return Stream.of(
                        standard.stream(),
                        with(algorithm, SmallScopes.minimalVariants(algorithm), size).stream(),
                        layouts.stream().flatMap(other -> standard.stream().map(scope -> scope.withLayout(other))),
                        standard.stream().flatMap(scope -> scope.faults.twice().map(scope::withFaults).stream()))
                .flatMap(scopes -> scopes);
    }

    private static List<SmallScopes.Size> sizes(Algorithm algorithm) {
        var sizes = new ArrayList<>(SmallScopes.sizes(algorithm));
        if (sizes.getLast().nodes() < LARGE.nodes() && algorithm.problem() != Problem.THREADS) {
            sizes.add(LARGE);
        }
        return sizes;
    }

    private static List<GuaranteeScope> with(
            Algorithm algorithm, List<SmallScopes.Variant> variants, SmallScopes.Size size) {
        var scopes = new ArrayList<GuaranteeScope>();
        for (var variant : variants) {
            int nodes = algorithm
                    .nodeCount(SmallScopes.parameters(algorithm, variant, size))
                    .orElse(size.nodes());
            var layout = ScopeLayout.defaultFor(algorithm, nodes);
            var seen = new HashSet<List<Object>>(); // two guarantees of the same properties may share a fault
            for (var guarantee : algorithm.guarantees().apply(variant.parameters())) {
                ScopeFaults.of(guarantee).stream()
                        .filter(scopeFaults ->
                                seen.add(List.of(guarantee.properties(), guarantee.timing(), scopeFaults)))
                        .forEach(scopeFaults -> scopes.add(
                                new GuaranteeScope(algorithm, variant, guarantee, size, layout, scopeFaults)));
            }
        }
        return List.copyOf(scopes);
    }

    private GuaranteeScope withLayout(ScopeLayout other) {
        return new GuaranteeScope(algorithm, variant, guarantee, size, other, faults);
    }

    private GuaranteeScope withFaults(ScopeFaults other) {
        return new GuaranteeScope(algorithm, variant, guarantee, size, layout, other);
    }

    /** The algorithm with the parameters of the variant. */
    @Override
    public Protocol<?, ?> protocol() {
        return algorithm.create(SmallScopes.parameters(algorithm, variant, size).withRanking(layout.ranking()));
    }

    @Override
    public List<Property> properties() {
        return List.copyOf(guarantee.properties());
    }

    @Override
    public CheckReport check(Protocol<?, ?> protocol, Property... properties) {
        var checkOptions = CheckOptions.defaults().withMaxStates(size.equals(LARGE) ? MAX_STATES_LARGE : MAX_STATES);
        return ModelChecker.check(protocol, scope().withOptions(checkOptions), properties);
    }

    /** The scope of the model checker. */
    @Override
    public Scope scope() {
        var scope = SmallScopes.scope(algorithm, size, layout);
        for (FaultKind kind : faults.faultKinds()) {
            scope = switch (kind) {
                case REORDER -> scope.withUnorderedLinks();
                case JOIN -> scope.withJoins(faults.maxOccurrences());
                default -> scope.withFault(kind, faults.maxOccurrences());
            };
        }
        return guarantee.timing().allowsEarlyTimeouts() ? scope : scope.synchronous();
    }

    /** A description that is unique among the scopes of one guarantee of the algorithm. */
    @Override
    public String toString() {
        var parts = new ArrayList<String>();
        parts.add(size.nodes() + (algorithm.problem() == Problem.THREADS ? " threads" : " nodes") + requests());
        parts.add(layout.toString());
        parts.add(faults.toString());
        parts.add(scope().timers().timing() == Scope.Timing.SYNCHRONOUS ? "synchronous" : "");
        parts.add(variant.option());
        parts.removeIf(String::isEmpty);
        return String.join(", ", parts);
    }

    private String requests() {
        var times = size.entries() == 1 ? " once" : size.entries() == 2 ? " twice" : " " + size.entries() + " times";
        return switch (algorithm.problem()) {
            case MUTEX -> ", each requests" + times;
            case ELECTION -> ", each campaigns" + times;
            case DETECTOR -> "";
            case LOG -> ", the leader gets " + size.entries() + (size.entries() == 1 ? " proposal" : " proposals");
            case THREADS -> ", each works" + times;
        };
    }
}
