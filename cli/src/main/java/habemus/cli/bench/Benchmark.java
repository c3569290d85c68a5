package habemus.cli.bench;

import com.google.gson.JsonArray;
import habemus.cli.terminal.ProgressLine;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Something that {@code habemus bench} measures. */
public interface Benchmark {

    /** What it showed, as a table for people and as rows for programs. */
    record BenchmarkResult(String table, JsonArray rows) {}

    String name();

    /** @param rounds how often each thing is run; the best counts */
    BenchmarkResult run(int rounds, long seed, ProgressLine progressLine);

    /** Where it was measured, and how busy it was there. */
    static String machine() {
        return String.format(
                Locale.ROOT,
                "Java %s, %d cores, heap of at most %,d MB, load %.1f in the end.%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() >> 20,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}
