package habemus.catalogue;

import habemus.world.FaultKind;
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
public record Guarantee(Set<Property> properties, Set<FaultKind> tolerates, TimingAssumption timingAssumption) {

    public Guarantee {
        properties = Collections.unmodifiableSet(EnumSet.copyOf(properties));
        tolerates = Collections.unmodifiableSet(
                tolerates.isEmpty() ? EnumSet.noneOf(FaultKind.class) : EnumSet.copyOf(tolerates));
    }

    /** In a world without hazards, whatever its timing. */
    public static Guarantee of(Property... properties) {
        return new Guarantee(Set.of(properties), Set.of(), new TimingAssumption.Asynchronous());
    }

    public Guarantee tolerating(FaultKind... faultKinds) {
        return new Guarantee(properties, EnumSet.copyOf(List.of(faultKinds)), timingAssumption);
    }

    public Guarantee assuming(TimingAssumption next) {
        return new Guarantee(properties, tolerates, next);
    }

    /** Whether this world is among those that the promise is about. */
    public boolean covers(World world) {
        return tolerates.containsAll(FaultKind.of(world)) && timingAssumption.covers(world);
    }
}
