package habemus.harness.history;

import java.util.List;
import java.util.Locale;

/**
 * A line in the history that a client writes of itself.
 *
 * @param atNanos nanoseconds on the monotonic clock of the machine, which all of its processes share
 * @param client one life of it
 * @param request numbers what the client asks for; zero for what concerns no claim
 * @param isShared whether others may hold the same, who share it too
 * @param names of what is asked for
 * @param fence of the grant; zero before
 * @param detail the reason of a loss; for a stall, how many nanoseconds it was
 */
public record HistoryEvent(
        long atNanos,
        String client,
        Kind kind,
        long request,
        boolean isShared,
        List<String> names,
        long fence,
        String detail) {

    /** What happened. */
    public enum Kind {
        /** Before it asks. */
        REQUESTED,
        /** After it was told. */
        GRANTED,
        /** It has looked, after that time, whether it still holds it, and does. */
        VALID,
        /** Was told that it lost it. */
        LOST,
        /** Before it gives it back. */
        RELEASING,
        /** The service has confirmed that. */
        RELEASED,
        /** Nobody knows whether it was given back. */
        UNKNOWN,
        /** Was not let in in time. */
        TIMED_OUT,
        /** It leads; the fence is the term. */
        ELECTED,
        /** It leads no more. */
        DEPOSED,
        /** The whole process stood still until now. */
        STALLED,
        /** The guarded resource has refused its fence, though it looked before whether it holds the lock. */
        STALE_FENCE
    }

    private static final int FIELDS = 8;

    public HistoryEvent {
        names = List.copyOf(names);
    }

    /** One line, without its end. */
    String line() {
        return String.join(
                "\t",
                Long.toString(atNanos),
                client,
                kind.name(),
                Long.toString(request),
                isShared ? "shared" : "alone",
                String.join(",", names),
                Long.toString(fence),
                detail);
    }

    /** @throws IllegalArgumentException if it is none */
    static HistoryEvent parse(String line) {
        var fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("this is no moment of a history: " + line);
        }
        return new HistoryEvent(
                Long.parseLong(fields[0]),
                fields[1],
                Kind.valueOf(fields[2].toUpperCase(Locale.ROOT)),
                Long.parseLong(fields[3]),
                fields[4].equals("shared"),
                fields[5].isEmpty() ? List.of() : List.of(fields[5].split(",", -1)),
                Long.parseLong(fields[6]),
                fields[7]);
    }
}
