package habemus.small;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Promise;
import habemus.catalogue.Timing;
import habemus.check.Checker;
import habemus.check.Effort;
import habemus.check.Report;
import habemus.check.Scope;
import habemus.protocol.Protocol;
import habemus.world.Hazard;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A small world that a promise is about, for the checker: one of its hazards may strike, if only once or twice. */
public record PromisedWorld(
        Algorithm algorithm,
        SmallWorlds.Variant variant,
        Promise promise,
        SmallWorlds.Size size,
        Company company,
        Trouble trouble) {

    private static final long STATES = 100_000;

    /** For those who survive all smaller ones: Sanders' correction takes four nodes to be missed. */
    private static final SmallWorlds.Size LARGE = new SmallWorlds.Size(4, 1);

    private static final long MORE_STATES = 2_000_000;

    /** All in which nothing strikes twice and the node with the highest number is the best, small ones first. */
    public static List<PromisedWorld> of(Algorithm algorithm) {
        return sizes(algorithm).stream()
                .flatMap(size -> with(algorithm, SmallWorlds.variants(algorithm), size).stream())
                .toList();
    }

    /** More, small ones first: also with other ranks, on other graphs, and where something strikes twice. */
    public static List<PromisedWorld> all(Algorithm algorithm) {
        return sizes(algorithm).stream().flatMap(size -> all(algorithm, size)).toList();
    }

    private static Stream<PromisedWorld> all(Algorithm algorithm, SmallWorlds.Size size) {
        var usual = with(algorithm, SmallWorlds.variants(algorithm), size);
        var others = Company.others(algorithm, size.nodes());
        return Stream.of(
                        usual.stream(),
                        with(algorithm, SmallWorlds.frugal(algorithm), size).stream(),
                        others.stream().flatMap(other -> usual.stream().map(world -> world.among(other))),
                        usual.stream().flatMap(world -> world.trouble.twice().map(world::struckBy).stream()))
                .flatMap(worlds -> worlds);
    }

    private static List<SmallWorlds.Size> sizes(Algorithm algorithm) {
        var sizes = new ArrayList<>(SmallWorlds.sizes(algorithm));
        if (sizes.getLast().nodes() < LARGE.nodes()) {
            sizes.add(LARGE);
        }
        return sizes;
    }

    private static List<PromisedWorld> with(
            Algorithm algorithm, List<SmallWorlds.Variant> variants, SmallWorlds.Size size) {
        var company = Company.usual(algorithm, size.nodes());
        var worlds = new ArrayList<PromisedWorld>();
        for (var variant : variants) {
            for (var promise : algorithm.promises().apply(variant.setting())) {
                Trouble.of(promise)
                        .forEach(trouble ->
                                worlds.add(new PromisedWorld(algorithm, variant, promise, size, company, trouble)));
            }
        }
        return List.copyOf(worlds);
    }

    private PromisedWorld among(Company other) {
        return new PromisedWorld(algorithm, variant, promise, size, other, trouble);
    }

    private PromisedWorld struckBy(Trouble other) {
        return new PromisedWorld(algorithm, variant, promise, size, company, other);
    }

    /** The algorithm as it stands. */
    public Protocol<?, ?> protocol() {
        return algorithm.make(variant.setting().among(size.nodes()).ranked(company.ranking()));
    }

    /** Whether whoever runs here breaks one of these, or does the impossible. */
    public Report check(Protocol<?, ?> stranger, Property... properties) {
        var effort = Effort.ample().states(size.equals(LARGE) ? MORE_STATES : STATES);
        return Checker.check(stranger, scope().spending(effort), properties);
    }

    /** All that may happen here. */
    public Scope scope() {
        var scope = SmallWorlds.scope(algorithm, size, company);
        for (Hazard hazard : trouble.hazards()) {
            scope = hazard == Hazard.REORDER ? scope.unordered() : scope.allowing(hazard, trouble.times());
        }
        return switch (promise.timing()) {
            case Timing.Asynchronous() -> scope;
            case Timing.Noticing() -> scope;
            case Timing.Synchronous synchronous -> scope.synchronous();
            case Timing.Prompt prompt -> scope.synchronous();
            case Timing.Bounded() -> scope.synchronous();
            case Timing.Clocked() -> scope.synchronous();
        };
    }

    /** In words, which tell it from all others of the algorithm that promise the same. */
    @Override
    public String toString() {
        var words = new ArrayList<String>();
        words.add(size.nodes() + " nodes" + calls());
        words.add(company.toString());
        words.add(trouble.toString());
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
