package habemus.harness.bench;

import com.google.gson.JsonArray;
import habemus.harness.ProgressListener;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** A measurement that {@code habemus bench} runs. */
public interface Benchmark {

    /**
     * @param table in Markdown
     * @param rows the same numbers as JSON
     */
    record BenchmarkResult(String table, JsonArray rows) {}

    String name();

    /** @param rounds how often each measurement is repeated; the best round counts */
    BenchmarkResult run(int rounds, long seed, ProgressListener progress);

    /** The machine of the measurement, and its load at the end. */
    static String machine() {
        return String.format(
                Locale.ROOT,
                "Java %s, %d cores, heap of at most %,d MB, load average %.1f at the end.%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() >> 20,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}
