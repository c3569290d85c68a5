package habemus.harness.history;

import java.util.List;
import java.util.Locale;

/**
 * One event in the history of a client (Jepsen: operation).
 *
 * @param atNanos nanoseconds on the monotonic clock of the machine, which all of its processes share
 * @param client one process of a client
 * @param request number of the acquire or of the term as leader; zero for an event of the whole process
 * @param isShared whether the request is for a shared lock
 * @param names of the requested resources
 * @param fence of the grant, or the term; zero before the grant
 * @param detail of a loss: its reason; of a stall: its length in nanoseconds
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

    /** What the client has done or observed. */
    public enum Kind {
        /** The client is about to acquire. */
        REQUESTED,
        /** The acquire was granted. */
        GRANTED,
        /** The client has found its grant valid, at or after this time. */
        VALID,
        /** The client was notified of a loss. */
        LOST,
        /** The client is about to release. */
        RELEASING,
        /** The service has confirmed the release. */
        RELEASED,
        /** The outcome of the release is unknown. */
        UNKNOWN,
        /** The acquire was not granted in time. */
        TIMED_OUT,
        /** The client was elected; the fence is the term. */
        ELECTED,
        /** The client is no longer the leader. */
        DEPOSED,
        /** The whole process was paused until now. */
        STALLED,
        /** The resource has rejected the fence, although the client had found its grant valid before. */
        STALE_FENCE
    }

    private static final int FIELDS = 8;

    public HistoryEvent {
        names = List.copyOf(names);
    }

    /** As one line of a file, without the line break. */
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

    /** @throws IllegalArgumentException if the line is not an event */
    static HistoryEvent parse(String line) {
        var fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("not an event of a history: '" + line + "'");
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
