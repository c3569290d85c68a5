package habemus.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.harness.ProgressListener;
import habemus.harness.bench.Benchmark;
import habemus.lab.benchmark.CheckerMeasurement;
import habemus.lab.benchmark.Lap;
import java.util.List;
import java.util.Locale;

/** States a second of the checker, and bytes a state. */
final class CheckerBenchmark implements Benchmark {

    @Override
    public String name() {
        return "checker";
    }

    @Override
    public BenchmarkResult run(int rounds, long seed, ProgressListener progress) {
        var measured = new CheckerMeasurement(progress::show).run(rounds);
        return new BenchmarkResult(table(measured, rounds), json(measured));
    }

    private static String table(List<CheckerMeasurement.CheckerResult> measured, int rounds) {
        var text = new StringBuilder();
        text.append("| what | states | transitions | threads | cold | warm | states per CPU second, cold | warm"
                + " | bytes a state | heap a state |\n");
        text.append("|---|---|---|---|---|---|---|---|---|---|\n");
        for (CheckerMeasurement.CheckerResult result : measured) {
            var rounded = result.benchmarkRounds();
            var searchSize = rounded.searchSize();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,d | %d | %.2f s | %.2f s | %,.0f | %,.0f | %d | %d |%n",
                    result.label(),
                    searchSize.states(),
                    searchSize.transitions(),
                    result.threads(),
                    rounded.cold().seconds(),
                    rounded.warm().seconds(),
                    rounded.statesPerCpuSecond(rounded.cold()),
                    rounded.statesPerCpuSecond(rounded.warm()),
                    searchSize.bytes() / searchSize.states(),
                    rounded.liveBytes() / searchSize.states()));
        }
        text.append(
                String.format("%nCold is a JVM from its start, warm the best of %d further rounds in it; ", rounds));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<CheckerMeasurement.CheckerResult> measured) {
        var rows = new JsonArray();
        for (CheckerMeasurement.CheckerResult result : measured) {
            var row = new JsonObject();
            row.addProperty("what", result.label());
            row.addProperty("threads", result.threads());
            row.addProperty("states", result.benchmarkRounds().searchSize().states());
            row.addProperty("transitions", result.benchmarkRounds().searchSize().transitions());
            row.addProperty("bytes", result.benchmarkRounds().searchSize().bytes());
            row.addProperty("heapBytes", result.benchmarkRounds().liveBytes());
            var laps = new JsonArray();
            result.benchmarkRounds().laps().forEach(lap -> laps.add(json(lap)));
            row.add("rounds", laps);
            rows.add(row);
        }
        return rows;
    }

    private static JsonObject json(Lap lap) {
        var json = new JsonObject();
        json.addProperty("seconds", lap.seconds());
        json.addProperty("cpuSeconds", lap.cpuSeconds());
        return json;
    }
}
