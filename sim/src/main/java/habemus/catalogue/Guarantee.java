package habemus.catalogue;

import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.World;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * An assume/guarantee claim: the properties hold under this timing assumption, whatever faults of the tolerated kinds
 * occur. Simulations and checks try to refute it.
 */
public record Guarantee(Set<Property> properties, Set<FaultKind> tolerates, TimingAssumption timing) {

    public Guarantee {
        properties = Collections.unmodifiableSet(EnumSet.copyOf(properties));
        tolerates = Collections.unmodifiableSet(
                tolerates.isEmpty() ? EnumSet.noneOf(FaultKind.class) : EnumSet.copyOf(tolerates));
    }

    /** Guarantees the properties in an asynchronous world without faults. */
    public static Guarantee of(Property... properties) {
        return new Guarantee(Set.of(properties), Set.of(), new TimingAssumption.Asynchronous());
    }

    public Guarantee tolerating(FaultKind... faultKinds) {
        return new Guarantee(properties, EnumSet.copyOf(List.of(faultKinds)), timing);
    }

    public Guarantee assuming(TimingAssumption next) {
        return new Guarantee(properties, tolerates, next);
    }

    /** Whether the guarantee applies to this world. */
    public boolean covers(World world) {
        return tolerates.containsAll(FaultKind.of(world)) && timing.covers(world);
    }
}
