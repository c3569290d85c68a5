package habemus.bench.product;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a step took: figures by name, without those that cannot be told. A line of text between the driver of a product
 * and who started it.
 */
public record StepResult(BenchmarkStep benchmarkStep, Map<String, Double> figures) {

    public static final String CYCLES_PER_SECOND = "per-second";
    /** Times of a cycle, in microseconds. */
    public static final String CYCLE_P50_MICROS = "p50";

    public static final String CYCLE_P99_MICROS = "p99";
    /** From asking to the grant, in microseconds. */
    public static final String ACQUIRE_P50_MICROS = "acquire-p50";
    /** What a cycle takes of the processors, of nodes and clients together, in microseconds. */
    public static final String CPU_MICROS_PER_CYCLE = "cpu";
    /** Share of all processors that others had. */
    public static final String FOREIGN_CPU_SHARE = "foreign";
    /** Cycles that ended with an exception. */
    public static final String FAILED_CYCLES = "failed";
    /** How often two were inside. */
    public static final String OVERLAPS = "overlaps";
    /** Sync calls of a node, for each cycle. */
    public static final String SYNCS_PER_CYCLE = "syncs";
    /** Milliseconds from the kill until a cycle that was begun after it was served. */
    public static final String FIRST_SERVED_MILLIS = "first";
    /** The same of every client. */
    public static final String ALL_SERVED_MILLIS = "every";
    /** Of a plain write of 128 bytes, synced, and of 64 bytes there and back, in microseconds. */
    public static final String SYNC_P50_MICROS = "sync-p50";

    public static final String ROUND_TRIP_P50_MICROS = "trip-p50";
    /** Of the first node, in megabytes: of memory, and of heap after a collection. */
    public static final String MEMORY_MEGABYTES = "memory";

    public static final String HEAP_MEGABYTES = "heap";
    /** Entries of its log in a minute. */
    public static final String ENTRIES_PER_MINUTE = "entries";

    public StepResult {
        figures = Map.copyOf(figures);
    }

    public String format() {
        return new TreeMap<>(figures)
                .entrySet().stream()
                        .map(figure -> figure.getKey() + "=" + figure.getValue())
                        .collect(Collectors.joining(" ", benchmarkStep.format() + " ", ""));
    }

    public static StepResult parse(String line) {
        var words = line.strip().split(" ", -1);
        var figures = new TreeMap<String, Double>();
        for (int i = 1; i < words.length; i++) {
            var pair = words[i].split("=", 2);
            figures.put(pair[0], Double.valueOf(pair[1]));
        }
        return new StepResult(BenchmarkStep.parse(words[0]), figures);
    }
}
