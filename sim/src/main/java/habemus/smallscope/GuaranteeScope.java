package habemus.smallscope;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Guarantee;
import habemus.catalogue.TimingAssumption;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.protocol.Protocol;
import habemus.world.FaultKind;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A small world that a promise is about, for the checker: one of its hazards may strike, if only once or twice. */
public record GuaranteeScope(
        Algorithm algorithm,
        SmallScopes.Variant variant,
        Guarantee guarantee,
        SmallScopes.Size size,
        ScopeLayout scopeLayout,
        ScopeFaults scopeFaults) {

    private static final long MAX_STATES = 100_000;

    /** For those who survive all smaller ones: Sanders' correction takes four nodes to be missed. */
    private static final SmallScopes.Size LARGE = new SmallScopes.Size(4, 1);

    private static final long MAX_STATES_LARGE = 2_000_000;

    /** All in which nothing strikes twice and the node with the highest number is the best, small ones first. */
    public static List<GuaranteeScope> of(Algorithm algorithm) {
        return sizes(algorithm).stream()
                .flatMap(size -> with(algorithm, SmallScopes.variants(algorithm), size).stream())
                .toList();
    }

    /** More, small ones first: also with other ranks, on other graphs, and where something strikes twice. */
    public static List<GuaranteeScope> all(Algorithm algorithm) {
        return sizes(algorithm).stream().flatMap(size -> all(algorithm, size)).toList();
    }

    private static Stream<GuaranteeScope> all(Algorithm algorithm, SmallScopes.Size size) {
        var usual = with(algorithm, SmallScopes.variants(algorithm), size);
        var others = ScopeLayout.alternatives(algorithm, size.nodes());
        return Stream.of(
                        usual.stream(),
                        with(algorithm, SmallScopes.minimalVariants(algorithm), size).stream(),
                        others.stream().flatMap(other -> usual.stream().map(world -> world.withLayout(other))),
                        usual.stream().flatMap(world -> world.scopeFaults.twice().map(world::withFaults).stream()))
                .flatMap(worlds -> worlds);
    }

    private static List<SmallScopes.Size> sizes(Algorithm algorithm) {
        var sizes = new ArrayList<>(SmallScopes.sizes(algorithm));
        if (sizes.getLast().nodes() < LARGE.nodes()) {
            sizes.add(LARGE);
        }
        return sizes;
    }

    private static List<GuaranteeScope> with(
            Algorithm algorithm, List<SmallScopes.Variant> variants, SmallScopes.Size size) {
        var scopeLayout = ScopeLayout.defaultFor(algorithm, size.nodes());
        var worlds = new ArrayList<GuaranteeScope>();
        for (var variant : variants) {
            for (var guarantee : algorithm.guarantees().apply(variant.parameters())) {
                ScopeFaults.of(guarantee)
                        .forEach(scopeFaults -> worlds.add(
                                new GuaranteeScope(algorithm, variant, guarantee, size, scopeLayout, scopeFaults)));
            }
        }
        return List.copyOf(worlds);
    }

    private GuaranteeScope withLayout(ScopeLayout other) {
        return new GuaranteeScope(algorithm, variant, guarantee, size, other, scopeFaults);
    }

    private GuaranteeScope withFaults(ScopeFaults other) {
        return new GuaranteeScope(algorithm, variant, guarantee, size, scopeLayout, other);
    }

    /** The algorithm as it stands. */
    public Protocol<?, ?> protocol() {
        return algorithm.create(variant.parameters().withNodeCount(size.nodes()).withRanking(scopeLayout.ranking()));
    }

    /** Whether whoever runs here breaks one of these, or does the impossible. */
    public CheckReport check(Protocol<?, ?> stranger, Property... properties) {
        var checkOptions = CheckOptions.defaults().withMaxStates(size.equals(LARGE) ? MAX_STATES_LARGE : MAX_STATES);
        return ModelChecker.check(stranger, scope().withOptions(checkOptions), properties);
    }

    /** All that may happen here. */
    public Scope scope() {
        var scope = SmallScopes.scope(algorithm, size, scopeLayout);
        for (FaultKind faultKind : scopeFaults.faultKinds()) {
            scope = faultKind == FaultKind.REORDER
                    ? scope.withUnorderedLinks()
                    : scope.withFault(faultKind, scopeFaults.maxOccurrences());
        }
        return switch (guarantee.timingAssumption()) {
            case TimingAssumption.Asynchronous() -> scope;
            case TimingAssumption.CrashDetection() -> scope;
            case TimingAssumption.Synchronous synchronous -> scope.synchronous();
            case TimingAssumption.DelayBound delayBound -> scope.synchronous();
            case TimingAssumption.UnknownDelayBound() -> scope.synchronous();
            case TimingAssumption.Clocked() -> scope.synchronous();
        };
    }

    /** In words, which tell it from all others of the algorithm that promise the same. */
    @Override
    public String toString() {
        var words = new ArrayList<String>();
        words.add(size.nodes() + " nodes" + calls());
        words.add(scopeLayout.toString());
        words.add(scopeFaults.toString());
        words.add(scope().timing() == Scope.Timing.SYNCHRONOUS ? "alarms ring after all messages" : "");
        words.add(variant.option());
        words.removeIf(String::isEmpty);
        return String.join(", ", words);
    }

    private String calls() {
        var often = size.entries() == 1 ? " once" : size.entries() == 2 ? " twice" : " " + size.entries() + " times";
        return switch (algorithm.problem()) {
            case MUTEX -> ", each asks" + often;
            case ELECTION -> ", each campaigns" + often;
            case DETECTOR -> "";
        };
    }
}
