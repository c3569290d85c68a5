package habemus.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.terminal.ProgressLine;
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
    public BenchmarkResult run(int rounds, long seed, ProgressLine progressLine) {
        var electionResults = new ElectionMeasurement(progressLine::show).run(rounds, seed);
        return new BenchmarkResult(table(electionResults, rounds), json(electionResults));
    }

    private static String table(List<ElectionMeasurement.ElectionResult> electionResults, int rounds) {
        var text = new StringBuilder();
        text.append("| algorithm | nodes | candidates | messages | beside theory | seconds | heap at most |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (var electionResult : electionResults) {
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
        text.append(String.format("%nThe best of %d rounds each, one thread, every property judged; ", rounds));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<ElectionMeasurement.ElectionResult> electionResults) {
        var all = new JsonArray();
        for (var electionResult : electionResults) {
            var one = new JsonObject();
            one.addProperty("algorithm", electionResult.algorithm());
            one.addProperty("nodes", electionResult.nodes());
            one.addProperty("candidates", electionResult.candidates());
            one.addProperty("messages", electionResult.messages());
            one.addProperty("remark", electionResult.measurement().remark());
            one.addProperty("events", electionResult.measurement().events());
            one.addProperty("seconds", electionResult.measurement().seconds());
            one.addProperty("cpuSeconds", electionResult.measurement().cpuSeconds());
            one.addProperty("heapMegabytes", electionResult.measurement().heapMegabytes());
            all.add(one);
        }
        return all;
    }
}
