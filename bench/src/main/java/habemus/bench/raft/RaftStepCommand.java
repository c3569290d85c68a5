package habemus.bench.raft;

import habemus.bench.Goals;
import habemus.bench.OutputPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run raft-step}: measures one step of the replicated log with JMH. */
@Command(
        name = "raft-step",
        description = "Measures one step of the replicated log with a batch of 24 entries of 60 bytes.",
        footer = {"", "Example: bench/run raft-step --write docs/benchmarks.md"},
        usageHelpAutoWidth = true)
public final class RaftStepCommand implements Callable<Integer> {

    private static final double GOAL_NANOS = 2_000;

    /** Leaves out samples in which another process took the core, but not the 19 % in which an append fills a chunk. */
    private static final double UNDISTURBED = 0.99;

    @Option(names = "--seconds", paramLabel = "N", description = "measured seconds per row (default: 5)")
    private int seconds = 5;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the table into its section of FILE")
    private Optional<Path> file = Optional.empty();

    @Override
    public Integer call() throws IOException, RunnerException {
        var outputPage = OutputPage.open(file, "bench/run raft-step");
        var options = new OptionsBuilder()
                .include(RaftStepBenchmark.class.getName())
                .forks(1)
                .warmupIterations(10)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(seconds)
                .measurementTime(TimeValue.seconds(1))
                .jvmArgs("-XX:+UseParallelGC", "-Xmx4g")
                .addProfiler(GCProfiler.class)
                .build();
        outputPage.print(table(new Runner(options).run()));
        return CommandLine.ExitCode.OK;
    }

    private static String table(Collection<RunResult> results) {
        var rows = new StringBuilder("""
                | step | entries in the log | mean | mean of the fastest 99 % | median | 90 % | allocated |
                |---|---|---|---|---|---|---|
                """);
        var goals = new Goals();
        for (RunResult result : results) {
            var name = result.getPrimaryResult().getLabel();
            var logSize = Integer.valueOf(result.getParams().getParam("logSize"));
            var times = result.getPrimaryResult().getStatistics();
            rows.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,.0f ns | %,.0f ns | %,.0f ns | %,.0f ns | %,.0f bytes |%n",
                    name,
                    logSize,
                    times.getMean(),
                    meanOfFastest(UNDISTURBED, times),
                    times.getPercentile(50),
                    times.getPercentile(90),
                    allocatedBytes(result)));
            if (name.endsWith("Appends")) {
                var goal = String.format(Locale.ROOT, "%s, %,d entries: ≤ 2 µs", name, logSize);
                goals.atMost(
                        goal + " in the mean of the fastest 99 %",
                        "%,.0f ns",
                        meanOfFastest(UNDISTURBED, times),
                        GOAL_NANOS);
                goals.atMost(goal + " in the median", "%,.0f ns", times.getPercentile(50), GOAL_NANOS);
            }
        }
        return rows + "\n" + goals.text();
    }

    private static double meanOfFastest(double share, Statistics times) {
        var counts = new TreeMap<Double, Long>();
        times.getRawData().forEachRemaining(sample -> counts.merge(sample.getKey(), sample.getValue(), Long::sum));
        long samples = Math.max(1, (long) (share * times.getN()));
        long missing = samples;
        double sum = 0;
        for (var sample : counts.entrySet()) {
            long taken = Math.min(missing, sample.getValue());
            sum += taken * sample.getKey();
            missing -= taken;
        }
        return sum / samples;
    }

    private static double allocatedBytes(RunResult result) {
        return Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"), "no GC profiler")
                .getScore();
    }
}
