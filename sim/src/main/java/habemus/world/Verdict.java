package habemus.world;

import java.util.Locale;

/** The verdict of a run on a property. */
public enum Verdict {
    HOLDS,
    VIOLATED,
    /** Undecided: the run ended too early, or the property is not monitored in this world. */
    OPEN;

    /** What is said about a property that does not count, because the algorithm does not guarantee it. */
    public static String notGuaranteed(String here) {
        return "not guaranteed (here: " + here + ")";
    }

    /** Whether the property is true here: {@code yes}, {@code no} or {@code open}. */
    public String answer() {
        return switch (this) {
            case HOLDS -> "yes";
            case VIOLATED -> "no";
            case OPEN -> "open";
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
