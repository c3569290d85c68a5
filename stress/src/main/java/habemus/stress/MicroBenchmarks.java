package habemus.stress;

import habemus.course.threads.CounterVariant;
import habemus.course.threads.ObjectLayout;
import habemus.course.threads.StressReport.Rate;
import habemus.course.threads.StressReport.Sharing;
import habemus.course.threads.StressReport.Throughput;
import habemus.course.threads.ThreadKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** JOL attaches to its own JVM, and {@code @Contended} works only where the JVM is told so. */
    static final List<String> LAYOUT_OPTIONS = List.of(
            "-Djdk.attach.allowAttachSelf=true",
            "--add-exports=java.base/jdk.internal.vm.annotation=ALL-UNNAMED",
            "-XX:-RestrictContended");

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

    Sharing falseSharing() throws RunnerException {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        types.put("sameLine", SharingBenchmark.SameLine.class);
        types.put("padded", SharingBenchmark.Padded.class);
        types.put("contended", SharingBenchmark.ContendedPair.class);
        var layouts = new ArrayList<ObjectLayout>();
        types.forEach((name, type) -> layouts.add(CacheLines.layout(name, type)));
        var rates = new ArrayList<Rate>();
        for (String name : types.keySet()) {
            progress.show(rates.size(), types.size(), name);
            var options = options(SharingBenchmark.class.getName() + "." + name)
                    .jvmArgsAppend(LAYOUT_OPTIONS.toArray(String[]::new));
            rates.add(rate(name, ThreadKind.PLATFORM, 2, options));
        }
        return new Sharing(layouts, rates);
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
