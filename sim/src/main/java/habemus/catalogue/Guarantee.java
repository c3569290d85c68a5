package habemus.catalogue;

import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.World;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * An assume/guarantee claim: the properties hold under this timing assumption, whatever faults of the tolerated kinds
 * occur. Simulations and checks try to refute it.
 *
 * @param bypassBound what {@code bounded-waiting} means; present if and only if that is one of the properties
 */
public record Guarantee(
        Set<Property> properties,
        Set<FaultKind> tolerates,
        TimingAssumption timing,
        Optional<BypassFormula> bypassBound) {

    public Guarantee {
        properties = Collections.unmodifiableSet(EnumSet.copyOf(properties));
        tolerates = Collections.unmodifiableSet(
                tolerates.isEmpty() ? EnumSet.noneOf(FaultKind.class) : EnumSet.copyOf(tolerates));
        if (properties.contains(Property.BOUNDED_WAITING) != bypassBound.isPresent()) {
            throw new IllegalArgumentException("bounded waiting needs a bound, and a bound bounded waiting");
        }
    }

    /** Guarantees the properties in an asynchronous world without faults. */
    public static Guarantee of(Property... properties) {
        return new Guarantee(Set.of(properties), Set.of(), new TimingAssumption.Asynchronous(), Optional.empty());
    }

    /**
     * Guarantees bounded waiting in an asynchronous world without faults.
     *
     * @param formula how often other nodes may enter while one node waits, as people write it
     */
    public static Guarantee boundedWaiting(String formula, IntUnaryOperator bound) {
        return new Guarantee(
                Set.of(Property.BOUNDED_WAITING),
                Set.of(),
                new TimingAssumption.Asynchronous(),
                Optional.of(new BypassFormula(formula, bound)));
    }

    public Guarantee tolerating(FaultKind... faultKinds) {
        return new Guarantee(properties, EnumSet.copyOf(List.of(faultKinds)), timing, bypassBound);
    }

    public Guarantee assuming(TimingAssumption next) {
        return new Guarantee(properties, tolerates, next, bypassBound);
    }

    /** Whether the guarantee applies to this world. */
    public boolean covers(World world) {
        return tolerates.containsAll(FaultKind.of(world)) && timing.covers(world);
    }
}
