package habemus.catalogue;

import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.World;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * These properties hold, whatever these hazards do, under this assumption about time. A claim, that simulations and
 * checks try to refute.
 */
public record Promise(Set<Property> properties, Set<Hazard> survives, Timing timing) {

    public Promise {
        properties = Collections.unmodifiableSet(EnumSet.copyOf(properties));
        survives = Collections.unmodifiableSet(
                survives.isEmpty() ? EnumSet.noneOf(Hazard.class) : EnumSet.copyOf(survives));
    }

    /** In a world without hazards, whatever its timing. */
    public static Promise of(Property... properties) {
        return new Promise(Set.of(properties), Set.of(), new Timing.Asynchronous());
    }

    public Promise surviving(Hazard... hazards) {
        return new Promise(properties, EnumSet.copyOf(List.of(hazards)), timing);
    }

    public Promise under(Timing next) {
        return new Promise(properties, survives, next);
    }

    /** Whether this world is among those that the promise is about. */
    public boolean covers(World world) {
        return survives.containsAll(Hazard.of(world)) && timing.covers(world);
    }
}
