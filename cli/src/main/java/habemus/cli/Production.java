package habemus.cli;

import habemus.catalogue.Promise;
import habemus.catalogue.Recipe;
import habemus.catalogue.Timing;
import habemus.protocol.Watchful;
import habemus.world.Hazard;
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
final class Production {

    /** What happens to every cluster sooner or later. The links deliver in order, and once. */
    private static final Set<Hazard> CERTAIN =
            EnumSet.of(Hazard.LOSS, Hazard.CRASH, Hazard.RESTART, Hazard.PAUSE, Hazard.PARTITION, Hazard.SLOWNESS);

    private Production() {}

    /** By name, with the reason. */
    static Refusal refusal(Recipe recipe) {
        boolean lock = recipe.algorithm().problem() == Problem.MUTEX;
        var properties =
                lock ? Set.of(Property.MUTUAL_EXCLUSION, Property.FENCES_GROW) : Set.of(Property.ONE_LEADER_PER_TERM);
        var reason = properties.stream()
                .sorted()
                .filter(property -> !unsurvived(recipe, property).isEmpty())
                .findFirst()
                .map(property -> "it does not promise that " + property.sentence() + " if "
                        + unsurvived(recipe, property).stream()
                                .map(Hazard::sentence)
                                .collect(Collectors.joining(", or ")))
                .orElse("it does no harm, but tells nobody of a loss before somebody else is let in");
        return Refusal.wrong(
                recipe + " is refused in production: " + reason,
                "leave --algorithm and --election out for the production service, or --profile to try this");
    }

    /** Under the promise that comes closest. */
    private static Set<Hazard> unsurvived(Recipe recipe, Property property) {
        return recipe.algorithm().promises().apply(recipe.setting()).stream()
                .filter(promise -> promise.properties().contains(property))
                .filter(promise -> promise.timing() instanceof Timing.Asynchronous)
                .map(promise -> missing(recipe, promise))
                .min(Comparator.comparingInt(Set::size))
                .orElse(CERTAIN);
    }

    private static Set<Hazard> missing(Recipe recipe, Promise promise) {
        var missing = EnumSet.copyOf(CERTAIN);
        if (recipe.algorithm().make(recipe.setting()) instanceof Watchful) {
            missing.add(Hazard.MISTAKE);
        }
        missing.removeAll(promise.survives());
        return missing;
    }
}
