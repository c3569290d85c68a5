package habemus.peers;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a step took: figures by name, without those that cannot be told. A line of text between the driver of a product
 * and who started it.
 */
public record Answer(Step step, Map<String, Double> figures) {

    public static final String PER_SECOND = "per-second";
    /** Times of a cycle, in microseconds. */
    public static final String MEDIAN = "p50";

    public static final String LATE = "p99";
    /** From asking to the grant, in microseconds. */
    public static final String ACQUIRE = "acquire-p50";
    /** What a cycle takes of the processors, of nodes and clients together, in microseconds. */
    public static final String CPU = "cpu";
    /** Share of all processors that others had. */
    public static final String FOREIGN = "foreign";
    /** Cycles that ended with an exception. */
    public static final String FAILED = "failed";
    /** How often two were inside. */
    public static final String OVERLAPS = "overlaps";
    /** Sync calls of a node, for each cycle. */
    public static final String SYNCS = "syncs";
    /** Milliseconds from the kill until a cycle that was begun after it was served. */
    public static final String FIRST = "first";
    /** The same of every client. */
    public static final String EVERY = "every";
    /** Of a plain write of 128 bytes, synced, and of 64 bytes there and back, in microseconds. */
    public static final String SYNC = "sync-p50";

    public static final String TRIP = "trip-p50";
    /** Of the first node, in megabytes: of memory, and of heap after a collection. */
    public static final String MEMORY = "memory";

    public static final String HEAP = "heap";
    /** Entries of its log in a minute. */
    public static final String ENTRIES = "entries";

    public Answer {
        figures = Map.copyOf(figures);
    }

    public String line() {
        return new TreeMap<>(figures)
                .entrySet().stream()
                        .map(figure -> figure.getKey() + "=" + figure.getValue())
                        .collect(Collectors.joining(" ", step.word() + " ", ""));
    }

    public static Answer parse(String line) {
        var words = line.strip().split(" ", -1);
        var figures = new TreeMap<String, Double>();
        for (int i = 1; i < words.length; i++) {
            var pair = words[i].split("=", 2);
            figures.put(pair[0], Double.valueOf(pair[1]));
        }
        return new Answer(Step.parse(words[0]), figures);
    }
}
