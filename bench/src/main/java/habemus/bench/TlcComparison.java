package habemus.bench;

import com.sun.management.OperatingSystemMXBean;
import habemus.lab.benchmark.BenchmarkRounds;
import habemus.lab.benchmark.ForkedJvm;
import habemus.lab.benchmark.Lap;
import habemus.lab.benchmark.Progress;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The times of TLC and of the model checker for the same states, measured one after the other in forked JVMs.
 *
 * @param load system load before and after the measurements
 */
record TlcComparison(
        BenchmarkRounds tlc,
        BenchmarkRounds tlcOnAll,
        BenchmarkRounds checker,
        BenchmarkRounds checkerOnTwo,
        List<Double> load) {

    private static final int TLC_ROUNDS = 3; // a warm round takes about as long as fifty of the checker

    /**
     * @param rounds warm rounds of the checker
     * @throws IllegalStateException if a tool does not find the published number of states
     */
    static TlcComparison run(int rounds, Progress progress) {
        double before = systemLoad();
        progress.onProgress("TLC, 1 worker", 0, 4);
        var tlc = fork(TlcMain.class, "1", TLC_ROUNDS);
        progress.onProgress("TLC, one worker per core", 1, 4);
        var tlcOnAll = fork(TlcMain.class, "auto", TLC_ROUNDS);
        progress.onProgress("the checker, 1 thread", 2, 4);
        var checker = fork(CheckerMain.class, "1", 1 + rounds);
        progress.onProgress("the checker, 2 threads", 3, 4);
        var checkerOnTwo = fork(CheckerMain.class, "2", 1 + rounds);
        return new TlcComparison(tlc, tlcOnAll, checker, checkerOnTwo, List.of(before, systemLoad()));
    }

    private static BenchmarkRounds fork(Class<?> main, String threads, int rounds) {
        var measured = ForkedJvm.run(main, threads, Integer.toString(rounds));
        if (!measured.searchSize().isSameGraph(LamportModel.PUBLISHED_SIZE)) {
            throw new IllegalStateException(main.getSimpleName() + " must find " + LamportModel.PUBLISHED_SIZE
                    + ", was " + measured.searchSize());
        }
        return measured;
    }

    private static double systemLoad() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getSystemLoadAverage();
    }

    String table() {
        return """
                | %,d distinct states, %,d generated | cold | warm | CPU seconds, cold | warm \
                | states per CPU second, cold | warm | times TLC, cold | warm |
                |---|---|---|---|---|---|---|---|---|
                """.formatted(LamportModel.PUBLISHED_SIZE.states(), LamportModel.PUBLISHED_SIZE.transitions())
                + row("TLC, 1 worker", tlc)
                + row("TLC, one worker per core", tlcOnAll)
                + row("Habemus, 1 thread", checker)
                + row("Habemus, 2 threads", checkerOnTwo)
                + "\n"
                + goals()
                + "\n"
                + machine();
    }

    private String row(String label, BenchmarkRounds benchmarkRounds) {
        return String.format(
                Locale.ROOT,
                "| %s | %.2f s | %.2f s | %.2f | %.2f | %,.0f | %,.0f | %.1f | %.1f |%n",
                label,
                benchmarkRounds.cold().seconds(),
                benchmarkRounds.warm().seconds(),
                benchmarkRounds.cold().cpuSeconds(),
                benchmarkRounds.warm().cpuSeconds(),
                benchmarkRounds.statesPerCpuSecond(benchmarkRounds.cold()),
                benchmarkRounds.statesPerCpuSecond(benchmarkRounds.warm()),
                timesTlc(benchmarkRounds, BenchmarkRounds::cold),
                timesTlc(benchmarkRounds, BenchmarkRounds::warm));
    }

    /** States per CPU second relative to the better of both TLC runs. */
    private double timesTlc(BenchmarkRounds benchmarkRounds, Function<BenchmarkRounds, Lap> which) {
        double best =
                Math.max(tlc.statesPerCpuSecond(which.apply(tlc)), tlcOnAll.statesPerCpuSecond(which.apply(tlcOnAll)));
        return benchmarkRounds.statesPerCpuSecond(which.apply(benchmarkRounds)) / best;
    }

    private String goals() {
        long states = checker.searchSize().states();
        double perSecond = states / checker.warm().seconds();
        return new Goals()
                .atLeast(
                        "≥ 20 times TLC's states per CPU second, both warm",
                        "%.1f",
                        timesTlc(checker, BenchmarkRounds::warm),
                        20)
                .atLeast("the same, both cold", "%.1f", timesTlc(checker, BenchmarkRounds::cold), 20)
                .atLeast("≥ 1,000,000 states per second on one thread, warm", "%,.0f", perSecond, 1e6)
                .atLeast(
                        "≥ 1,000,000 states per CPU second, warm",
                        "%,.0f",
                        checker.statesPerCpuSecond(checker.warm()),
                        1e6)
                .atMost(
                        "≤ 3 s from the start of the JVM",
                        "%.2f s",
                        checker.cold().seconds(),
                        3)
                .atMost(
                        "≤ 64 bytes per state, as it reports",
                        "%.1f",
                        1.0 * checker.searchSize().bytes() / states,
                        64)
                .atMost("the same, measured as live heap", "%.1f", 1.0 * checker.liveBytes() / states, 64)
                .text();
    }

    private String machine() {
        return String.format(
                Locale.ROOT,
                "Warm is the best of %d rounds of TLC and %d of Habemus (on one thread %,.0f states per CPU second in"
                        + " the median).%nJava %s with %s, %d cores, load %.1f before and %.1f after.%n",
                TLC_ROUNDS - 1,
                checker.laps().size() - 1,
                checker.statesPerCpuSecond(checker.median()),
                Runtime.version(),
                String.join(" ", ForkedJvm.JVM_OPTIONS),
                Runtime.getRuntime().availableProcessors(),
                load.get(0),
                load.get(1));
    }
}
