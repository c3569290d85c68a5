package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.bench.CheckerBench;
import habemus.lab.bench.Lap;
import java.util.List;
import java.util.Locale;

/** States a second of the checker, and bytes a state. */
final class CheckerBenchmark implements Benchmark {

    @Override
    public String name() {
        return "checker";
    }

    @Override
    public Measured run(int rounds, long seed, Progress progress) {
        var measured = new CheckerBench(progress::show).run(rounds);
        return new Measured(table(measured, rounds), json(measured));
    }

    private static String table(List<CheckerBench.Row> measured, int rounds) {
        var text = new StringBuilder();
        text.append("| what | states | transitions | threads | cold | warm | states per CPU second, cold | warm"
                + " | bytes a state | heap a state |\n");
        text.append("|---|---|---|---|---|---|---|---|---|---|\n");
        for (CheckerBench.Row one : measured) {
            var rounded = one.rounds();
            var size = rounded.size();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,d | %d | %.2f s | %.2f s | %,.0f | %,.0f | %d | %d |%n",
                    one.what(),
                    size.states(),
                    size.transitions(),
                    one.threads(),
                    rounded.cold().seconds(),
                    rounded.warm().seconds(),
                    rounded.perCpuSecond(rounded.cold()),
                    rounded.perCpuSecond(rounded.warm()),
                    size.bytes() / size.states(),
                    rounded.alive() / size.states()));
        }
        text.append(
                String.format("%nCold is a JVM from its start, warm the best of %d further rounds in it; ", rounds));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<CheckerBench.Row> measured) {
        var rows = new JsonArray();
        for (CheckerBench.Row one : measured) {
            var row = new JsonObject();
            row.addProperty("what", one.what());
            row.addProperty("threads", one.threads());
            row.addProperty("states", one.rounds().size().states());
            row.addProperty("transitions", one.rounds().size().transitions());
            row.addProperty("bytes", one.rounds().size().bytes());
            row.addProperty("heapBytes", one.rounds().alive());
            var laps = new JsonArray();
            one.rounds().laps().forEach(lap -> laps.add(json(lap)));
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
