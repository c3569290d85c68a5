package habemus.bench.product;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The measured values of a step, by name. Values that a product cannot report are missing. The driver of a product
 * prints it as a line of text.
 */
public record StepResult(BenchmarkStep benchmarkStep, Map<String, Double> values) {

    public static final String CYCLES_PER_SECOND = "per-second";
    /** Time of a cycle of acquire and release. */
    public static final String CYCLE_P50_MICROS = "p50";

    public static final String CYCLE_P99_MICROS = "p99";
    /** Time from the request to the grant. */
    public static final String ACQUIRE_P50_MICROS = "acquire-p50";
    /** CPU time of nodes and clients together. */
    public static final String CPU_MICROS_PER_CYCLE = "cpu";
    /** Share of all CPUs that other processes used, from 0 to 1. */
    public static final String FOREIGN_CPU_SHARE = "foreign";
    /** Cycles that ended with an exception. */
    public static final String FAILED_CYCLES = "failed";
    /** How often two clients held the same lock. */
    public static final String OVERLAPS = "overlaps";
    /** Sync calls of a node per cycle. */
    public static final String SYNCS_PER_CYCLE = "syncs";
    /** Time from the kill until the first cycle that started after it was served. */
    public static final String FIRST_SERVED_MILLIS = "first";
    /** The same until all clients were served. */
    public static final String ALL_SERVED_MILLIS = "every";
    /** Time of a synced write of 128 bytes. */
    public static final String SYNC_P50_MICROS = "sync-p50";

    /** Time of sending 64 bytes to another process and back. */
    public static final String ROUND_TRIP_P50_MICROS = "trip-p50";
    /** Resident memory of the first node. */
    public static final String MEMORY_MEGABYTES = "memory";

    /** Live heap of the first node. */
    public static final String HEAP_MEGABYTES = "heap";
    /** New entries of the first node's log. */
    public static final String ENTRIES_PER_MINUTE = "entries";

    public StepResult {
        values = Map.copyOf(values);
    }

    public String format() {
        return new TreeMap<>(values)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" ", benchmarkStep.format() + " ", ""));
    }

    public static StepResult parse(String line) {
        var tokens = line.strip().split(" ", -1);
        var values = new TreeMap<String, Double>();
        for (int i = 1; i < tokens.length; i++) {
            var pair = tokens[i].split("=", 2);
            values.put(pair[0], Double.valueOf(pair[1]));
        }
        return new StepResult(BenchmarkStep.parse(tokens[0]), values);
    }
}
