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
 * The profile for data that matters: only algorithms that do no harm whatever a network and its nodes do, as they
 * promise themselves. Whether somebody gets in is another matter: nobody can promise that of a cluster that is down.
 */
final class Production {

    /** What happens to every cluster sooner or later. The links deliver in order, and once. */
    private static final Set<Hazard> CERTAIN =
            EnumSet.of(Hazard.LOSS, Hazard.CRASH, Hazard.RESTART, Hazard.PAUSE, Hazard.PARTITION, Hazard.SLOWNESS);

    private Production() {}

    /** @throws Refusal with the reason, if it might do harm */
    static void require(Recipe recipe) {
        boolean lock = recipe.algorithm().problem() == Problem.MUTEX;
        for (var property :
                lock ? Set.of(Property.MUTUAL_EXCLUSION, Property.FENCES_GROW) : Set.of(Property.ONE_LEADER_PER_TERM)) {
            var missing = unsurvived(recipe, property);
            if (!missing.isEmpty()) {
                throw Refusal.wrong(
                        recipe + " is refused in production: it does not promise that " + property.sentence() + " if "
                                + missing.stream().map(Hazard::sentence).collect(Collectors.joining(", or ")),
                        lock
                                ? "take --algorithm 'quorum --durable', or leave --profile out to try it"
                                : "take --election term-majority, or leave --profile out to try it");
            }
        }
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
