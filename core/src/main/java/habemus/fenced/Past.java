package habemus.fenced;

import java.util.Locale;

/** Somebody was inside. Times are milliseconds since 1970, on the clocks of those who proposed the entries. */
public record Past(Name name, Person person, long fence, long since, long until, How how) {

    public enum How {
        RELEASED,
        CLOSED,
        EXPIRED,
        REVOKED,
        TRANSFERRED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
