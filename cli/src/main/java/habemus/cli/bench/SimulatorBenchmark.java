package habemus.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.terminal.ProgressLine;
import habemus.lab.benchmark.Measurement;
import habemus.lab.benchmark.SimulatorMeasurement;
import java.util.List;
import java.util.Locale;

/** Events a second of the simulator. */
final class SimulatorBenchmark implements Benchmark {

    @Override
    public String name() {
        return "simulator";
    }

    @Override
    public BenchmarkResult run(int rounds, long seed, ProgressLine progressLine) {
        var measured = new SimulatorMeasurement(progressLine::show).run(rounds, seed);
        return new BenchmarkResult(table(measured, rounds), json(measured));
    }

    private static String table(List<Measurement> measured, int rounds) {
        var text = new StringBuilder();
        text.append("| what | asked | events per CPU second | events | seconds | heap at most | remark |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (Measurement one : measured) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.1f M | %,d | %.1f | %,d MB | %s |%n",
                    one.label(),
                    one.goal(),
                    one.eventsPerCpuSecond() / 1e6,
                    one.events(),
                    one.seconds(),
                    one.heapMegabytes(),
                    one.remark()));
        }
        text.append(String.format("%nThe best of %d rounds each, one thread; ", rounds));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<Measurement> measured) {
        var rows = new JsonArray();
        for (Measurement one : measured) {
            var row = new JsonObject();
            row.addProperty("what", one.label());
            row.addProperty("goal", one.goal());
            row.addProperty("events", one.events());
            row.addProperty("seconds", one.seconds());
            row.addProperty("cpuSeconds", one.cpuSeconds());
            row.addProperty("heapMegabytes", one.heapMegabytes());
            row.addProperty("remark", one.remark());
            rows.add(row);
        }
        return rows;
    }
}
