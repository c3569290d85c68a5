package habemus.lab.matrix;

import habemus.world.Property;
import habemus.world.Verdict;
import java.util.Locale;

/** The checker's verdict on a property in a cell, the best first. */
public enum CellVerdict {
    /** The property holds in all runs of the scopes that were checked completely. */
    HOLDS("✓"),
    /**
     * No counterexample was found, but not even the smallest scope was checked completely. Also liveness properties of
     * scopes in which timers keep all runs infinite: they are not checked.
     */
    INCOMPLETE("?"),
    /** No bound of bypasses is stated. The finding has the largest bypass instead, and whether it grows. */
    MEASURED("~"),
    /** Liveness is violated: a node waits forever. */
    STUCK("⊘"),
    VIOLATED("✗");

    private final String symbol;

    CellVerdict(String symbol) {
        this.symbol = symbol;
    }

    static CellVerdict of(Verdict verdict, String property) {
        return switch (verdict) {
            case HOLDS -> HOLDS;
            case OPEN -> INCOMPLETE;
            case VIOLATED ->
                Property.find(property).filter(Property::isProgress).isPresent() ? STUCK : VIOLATED;
        };
    }

    /** @throws IllegalArgumentException if no verdict has this name */
    static CellVerdict parse(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    public String symbol() {
        return symbol;
    }

    /** Whether the verdict has a counterexample. */
    public boolean hasCounterexample() {
        return this == STUCK || this == VIOLATED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
