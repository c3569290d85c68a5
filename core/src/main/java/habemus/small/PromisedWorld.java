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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A small world that a promise is about, for the checker: one of its hazards may strike once.
 *
 * @param hazards none, or the one; who comes back has crashed before
 */
public record PromisedWorld(
        Algorithm algorithm, SmallWorlds.Variant variant, Promise promise, SmallWorlds.Size size, Set<Hazard> hazards) {

    private static final long STATES = 100_000;

    /** For those who survive all smaller ones: Sanders' correction takes four nodes to be missed. */
    private static final SmallWorlds.Size LARGE = new SmallWorlds.Size(4, 1);

    private static final long MORE_STATES = 2_000_000;

    /** All of them, small ones first. */
    public static List<PromisedWorld> of(Algorithm algorithm) {
        var worlds = new ArrayList<PromisedWorld>();
        var sizes = new ArrayList<>(SmallWorlds.sizes(algorithm));
        sizes.add(LARGE);
        for (var size : sizes) {
            for (var variant : SmallWorlds.variants(algorithm)) {
                for (var promise : algorithm.promises().apply(variant.setting())) {
                    troubles(promise)
                            .forEach(trouble ->
                                    worlds.add(new PromisedWorld(algorithm, variant, promise, size, trouble)));
                }
            }
        }
        return List.copyOf(worlds);
    }

    private static List<Set<Hazard>> troubles(Promise promise) {
        var troubles = new ArrayList<Set<Hazard>>();
        troubles.add(Set.of());
        for (Hazard hazard : promise.survives()) {
            switch (hazard) {
                case RESTART, AMNESIA -> troubles.add(EnumSet.of(Hazard.CRASH, hazard));
                case REORDER, LOSS, DUPLICATION, CRASH, MISTAKE -> troubles.add(EnumSet.of(hazard));
                case PAUSE, PARTITION, SLOWNESS -> {} // in every world messages take as long as they like, or are lost
            }
        }
        return troubles;
    }

    /** The algorithm as it stands. */
    public Protocol<?, ?> protocol() {
        return algorithm.make(variant.setting().among(size.nodes()));
    }

    /** Whether whoever runs here breaks one of these, or does the impossible. */
    public Report check(Protocol<?, ?> stranger, Property... properties) {
        var effort = Effort.ample().states(size.equals(LARGE) ? MORE_STATES : STATES);
        return Checker.check(stranger, scope().spending(effort), properties);
    }

    private Scope scope() {
        var scope = SmallWorlds.scope(algorithm, size);
        for (Hazard hazard : hazards) {
            scope = hazard == Hazard.REORDER ? scope.unordered() : scope.allowing(hazard, 1);
        }
        return switch (promise.timing()) {
            case Timing.Asynchronous() -> scope;
            case Timing.Noticing() -> scope;
            case Timing.Synchronous synchronous -> scope.synchronous();
            case Timing.Prompt prompt -> scope.synchronous();
            case Timing.Bounded() -> scope.synchronous();
        };
    }

    @Override
    public String toString() {
        return algorithm.name() + " " + variant.option() + " " + hazards + " " + promise.timing() + ", " + size;
    }
}
