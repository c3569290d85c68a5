package habemus.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.terminal.ProgressLine;
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
    public BenchmarkResult run(int rounds, long seed, ProgressLine progressLine) {
        var measured = new CheckerMeasurement(progressLine::show).run(rounds);
        return new BenchmarkResult(table(measured, rounds), json(measured));
    }

    private static String table(List<CheckerMeasurement.CheckerResult> measured, int rounds) {
        var text = new StringBuilder();
        text.append("| what | states | transitions | threads | cold | warm | states per CPU second, cold | warm"
                + " | bytes a state | heap a state |\n");
        text.append("|---|---|---|---|---|---|---|---|---|---|\n");
        for (CheckerMeasurement.CheckerResult one : measured) {
            var rounded = one.benchmarkRounds();
            var searchSize = rounded.searchSize();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,d | %d | %.2f s | %.2f s | %,.0f | %,.0f | %d | %d |%n",
                    one.label(),
                    searchSize.states(),
                    searchSize.transitions(),
                    one.threads(),
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
        for (CheckerMeasurement.CheckerResult one : measured) {
            var row = new JsonObject();
            row.addProperty("what", one.label());
            row.addProperty("threads", one.threads());
            row.addProperty("states", one.benchmarkRounds().searchSize().states());
            row.addProperty("transitions", one.benchmarkRounds().searchSize().transitions());
            row.addProperty("bytes", one.benchmarkRounds().searchSize().bytes());
            row.addProperty("heapBytes", one.benchmarkRounds().liveBytes());
            var laps = new JsonArray();
            one.benchmarkRounds().laps().forEach(lap -> laps.add(json(lap)));
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
