package habemus.lab.matrix;

import habemus.world.Property;
import habemus.world.Verdict;
import java.util.Locale;

/** What the checker says of a property in a cell, the best first. */
public enum CellVerdict {
    /** In every run of the worlds that were looked at wholly. */
    HOLDS("✓"),
    /**
     * Nothing was found, but not even the smallest world was looked at wholly; or it is about the end of runs that
     * alarms keep going for ever, and was not asked.
     */
    INCOMPLETE("?"),
    /** Nothing wrong is done, but who waits waits for ever. */
    STUCK("⊘"),
    VIOLATED("✗");

    private final String symbol;

    CellVerdict(String sign) {
        this.symbol = sign;
    }

    static CellVerdict of(Verdict verdict, String property) {
        return switch (verdict) {
            case HOLDS -> HOLDS;
            case OPEN -> INCOMPLETE;
            case VIOLATED ->
                Property.find(property).filter(Property::isProgress).isPresent() ? STUCK : VIOLATED;
        };
    }

    /** @throws IllegalArgumentException if there is none that is written so */
    static CellVerdict parse(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    public String symbol() {
        return symbol;
    }

    /** Whether there is a run that shows it. */
    public boolean hasCounterexample() {
        return this == STUCK || this == VIOLATED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
