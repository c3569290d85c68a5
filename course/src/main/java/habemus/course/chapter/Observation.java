package habemus.course.chapter;

import java.util.Locale;

/**
 * What a demonstration claims, and what it observed.
 *
 * @param observed the values of this run, as text
 */
public record Observation(String claim, String observed, Verdict verdict) {

    /** Whether the run supports the claim. A race that did not happen, or a missing tool, shows nothing. */
    public enum Verdict {
        SHOWN,
        REFUTED,
        NOT_SHOWN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    static Observation of(String claim, String observed, boolean holds) {
        return new Observation(claim, observed, holds ? Verdict.SHOWN : Verdict.REFUTED);
    }

    /** For what depends on luck or on the machine. */
    static Observation ifSeen(String claim, String observed, boolean seen) {
        return new Observation(claim, observed, seen ? Verdict.SHOWN : Verdict.NOT_SHOWN);
    }
}
