package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.bench.ElectionsBench;
import java.util.List;
import java.util.Locale;

/** Elections among very many nodes. */
final class ElectionsBenchmark implements Benchmark {

    @Override
    public String name() {
        return "elections";
    }

    @Override
    public Measured run(int rounds, long seed, Progress progress) {
        var rows = new ElectionsBench(progress::show).run(rounds, seed);
        return new Measured(table(rows, rounds), json(rows));
    }

    private static String table(List<ElectionsBench.Row> rows, int rounds) {
        var text = new StringBuilder();
        text.append("| algorithm | nodes | candidates | messages | beside theory | seconds | heap at most |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (var row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %s | %,d | %s | %.1f | %,d MB |%n",
                    row.algorithm(),
                    row.nodes(),
                    row.candidates(),
                    row.messages(),
                    row.run().remark(),
                    row.run().seconds(),
                    row.run().heapMegabytes()));
        }
        text.append(String.format("%nThe best of %d rounds each, one thread, every property judged; ", rounds));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<ElectionsBench.Row> rows) {
        var all = new JsonArray();
        for (var row : rows) {
            var one = new JsonObject();
            one.addProperty("algorithm", row.algorithm());
            one.addProperty("nodes", row.nodes());
            one.addProperty("candidates", row.candidates());
            one.addProperty("messages", row.messages());
            one.addProperty("remark", row.run().remark());
            one.addProperty("events", row.run().events());
            one.addProperty("seconds", row.run().seconds());
            one.addProperty("cpuSeconds", row.run().cpuSeconds());
            one.addProperty("heapMegabytes", row.run().heapMegabytes());
            all.add(one);
        }
        return all;
    }
}
