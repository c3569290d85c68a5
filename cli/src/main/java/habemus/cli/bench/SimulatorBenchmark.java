package habemus.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.harness.ProgressListener;
import habemus.harness.bench.Benchmark;
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
    public BenchmarkResult run(int rounds, long seed, ProgressListener progress) {
        var measured = new SimulatorMeasurement(progress::show).run(rounds, seed);
        return new BenchmarkResult(table(measured, rounds), json(measured));
    }

    private static String table(List<Measurement> measured, int rounds) {
        var text = new StringBuilder();
        text.append("| what | goal | events per CPU second | events | seconds | heap at most | remark |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (Measurement result : measured) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.1f M | %,d | %.1f | %,d MB | %s |%n",
                    result.label(),
                    result.goal(),
                    result.eventsPerCpuSecond() / 1e6,
                    result.events(),
                    result.seconds(),
                    result.heapMegabytes(),
                    result.remark()));
        }
        text.append(String.format("%nThe best of %d rounds each, one thread; ", rounds));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<Measurement> measured) {
        var rows = new JsonArray();
        for (Measurement result : measured) {
            var row = new JsonObject();
            row.addProperty("what", result.label());
            row.addProperty("goal", result.goal());
            row.addProperty("events", result.events());
            row.addProperty("seconds", result.seconds());
            row.addProperty("cpuSeconds", result.cpuSeconds());
            row.addProperty("heapMegabytes", result.heapMegabytes());
            row.addProperty("remark", result.remark());
            rows.add(row);
        }
        return rows;
    }
}
