package habemus.world;

import java.util.Locale;

/** What a run says of a property. */
public enum Verdict {
    HOLDS,
    VIOLATED,
    /** The run ended before it could be told, or there is nothing to compare with. */
    OPEN;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
