package habemus.stress;

import habemus.course.threads.CounterVariant;
import habemus.course.threads.StressReport.Rate;
import habemus.course.threads.StressReport.Sharing;
import habemus.course.threads.StressReport.Throughput;
import habemus.course.threads.ThreadKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of this module with JMH, each in a JVM of its own. */
final class MicroBenchmarks {

    private static final int ITERATIONS = 5;

    private final Duration iteration;
    private final StressProgress progress;

    /** @param iteration the length of each of the five measured iterations */
    MicroBenchmarks(Duration iteration, StressProgress progress) {
        this.iteration = iteration;
        this.progress = progress;
    }

    Throughput counters(List<ThreadKind> kinds, List<Integer> threads) throws RunnerException {
        var rates = new ArrayList<Rate>();
        int all = CounterVariant.values().length * kinds.size() * threads.size();
        for (CounterVariant variant : CounterVariant.values()) {
            for (ThreadKind kind : kinds) {
                for (int count : threads) {
                    progress.show(rates.size(), all, variant.label() + ", " + count + " " + kind + " threads");
                    var options = options(CounterBenchmark.class.getName())
                            .param("variant", variant.name())
                            .threads(count)
                            .jvmArgsAppend("-Djmh.executor=" + kind.name());
                    rates.add(rate(variant.label(), kind, count, options));
                }
            }
        }
        return new Throughput(rates);
    }

    /** @param group the benchmark of {@link SharingBenchmark} */
    private record Layout(String label, String group, Class<?> type) {}

    Sharing falseSharing() throws RunnerException {
        var layouts = List.of(
                new Layout("one line", "sameLine", SharingBenchmark.SameLine.class),
                new Layout("padded by hand", "padded", SharingBenchmark.Padded.class),
                new Layout("@Contended", "contended", SharingBenchmark.ContendedPair.class));
        var rates = new ArrayList<Rate>();
        for (Layout layout : layouts) {
            progress.show(rates.size(), layouts.size(), layout.label);
            var options = options(SharingBenchmark.class.getName() + "." + layout.group);
            rates.add(rate(layout.label, ThreadKind.PLATFORM, 2, options));
        }
        return new Sharing(
                layouts.stream()
                        .map(layout -> CacheLines.layout(layout.label, layout.type))
                        .toList(),
                rates);
    }

    private ChainedOptionsBuilder options(String benchmark) {
        var time = TimeValue.milliseconds(iteration.toMillis());
        return new OptionsBuilder()
                .include("^" + benchmark.replace(".", "\\.") + "\\b")
                .forks(1)
                .warmupIterations(2)
                .warmupTime(time)
                .measurementIterations(ITERATIONS)
                .measurementTime(time)
                .verbosity(VerboseMode.SILENT);
    }

    private static Rate rate(String name, ThreadKind kind, int threads, ChainedOptionsBuilder options)
            throws RunnerException {
        RunResult result = new Runner(options.build()).runSingle();
        var primary = result.getPrimaryResult();
        return new Rate(name, kind, threads, primary.getScore(), primary.getScoreError());
    }
}
