package habemus.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.harness.ProgressListener;
import habemus.harness.bench.Benchmark;
import habemus.lab.benchmark.ElectionMeasurement;
import java.util.List;
import java.util.Locale;

/** Elections among very many nodes. */
final class ElectionsBenchmark implements Benchmark {

    @Override
    public String name() {
        return "elections";
    }

    @Override
    public BenchmarkResult run(int rounds, long seed, ProgressListener progress) {
        var results = new ElectionMeasurement(progress::show).run(rounds, seed);
        return new BenchmarkResult(table(results, rounds), json(results));
    }

    private static String table(List<ElectionMeasurement.ElectionResult> results, int rounds) {
        var text = new StringBuilder();
        text.append("| algorithm | nodes | candidates | messages | beside theory | seconds | heap at most |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (var electionResult : results) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %s | %,d | %s | %.1f | %,d MB |%n",
                    electionResult.algorithm(),
                    electionResult.nodes(),
                    electionResult.candidates(),
                    electionResult.messages(),
                    electionResult.measurement().remark(),
                    electionResult.measurement().seconds(),
                    electionResult.measurement().heapMegabytes()));
        }
        text.append(String.format("%nThe best of %d rounds each, one thread, all properties checked; ", rounds));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<ElectionMeasurement.ElectionResult> results) {
        var all = new JsonArray();
        for (var electionResult : results) {
            var row = new JsonObject();
            row.addProperty("algorithm", electionResult.algorithm());
            row.addProperty("nodes", electionResult.nodes());
            row.addProperty("candidates", electionResult.candidates());
            row.addProperty("messages", electionResult.messages());
            row.addProperty("remark", electionResult.measurement().remark());
            row.addProperty("events", electionResult.measurement().events());
            row.addProperty("seconds", electionResult.measurement().seconds());
            row.addProperty("cpuSeconds", electionResult.measurement().cpuSeconds());
            row.addProperty("heapMegabytes", electionResult.measurement().heapMegabytes());
            all.add(row);
        }
        return all;
    }
}
