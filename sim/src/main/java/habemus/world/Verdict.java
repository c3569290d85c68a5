package habemus.world;

import java.util.Locale;

/** The verdict of a run on a property. */
public enum Verdict {
    HOLDS,
    VIOLATED,
    /** Undecided: the run ended too early, or the property is not monitored in this world. */
    OPEN;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
