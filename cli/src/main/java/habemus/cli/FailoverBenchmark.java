package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Recipe;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How long real processes are without a leader after it was killed. */
final class FailoverBenchmark implements Benchmark {

    private static final int NODES = 5;
    private static final long PATIENCE = 8_000; // milliseconds for a new leader: who has none then gets none
    private static final long COMING_UP = 20_000;

    /** @param remark why there are no more of them */
    private record Row(Recipe recipe, List<Double> seconds, String remark) {

        double median() {
            return seconds.stream().sorted().toList().get(seconds.size() / 2);
        }

        double worst() {
            return seconds.stream().max(Comparator.naturalOrder()).orElseThrow();
        }
    }

    @Override
    public String name() {
        return "failover";
    }

    @Override
    public Measured run(int rounds, long seed, Progress progress) {
        var names = Recipe.names(Problem.ELECTION);
        var rows = new ArrayList<Row>();
        for (String name : names) {
            progress.show("kills the leader of " + name, rows.size(), names.size());
            rows.add(measure(Recipe.parse(name, Problem.ELECTION), rounds));
        }
        return new Measured(table(rows), json(rows));
    }

    private static Row measure(Recipe recipe, int rounds) {
        var options = List.of("--election", recipe.text());
        var seconds = new ArrayList<Double>();
        try (var cluster = new Cluster(new Fleet(NODES, Ports.find(NODES), options, Map.of())).up()) {
            return new Row(recipe, seconds, kill(cluster, seconds, rounds));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.cannot("it was interrupted", "let it run to its end");
        }
    }

    /** @return a remark */
    private static String kill(Cluster cluster, List<Double> seconds, int rounds) throws InterruptedException {
        var electorate = new Electorate(cluster);
        for (int round = 0; round < rounds; round++) {
            var leader = electorate.agree(cluster.nodes(), COMING_UP);
            if (leader.isEmpty()) {
                return round == 0 ? "no leader to begin with" : "not all agreed when the killed node was back";
            }
            int killed = leader.get();
            var others = cluster.nodes().stream().filter(node -> node != killed).toList();
            long begun = System.nanoTime();
            cluster.kill(killed);
            if (electorate.agree(others, PATIENCE).isEmpty()) {
                return "no new leader in " + PATIENCE / 1_000 + " s";
            }
            seconds.add((System.nanoTime() - begun) / 1e9);
            cluster.restart(killed);
            electorate.listen(killed);
        }
        return "";
    }

    private static String table(List<Row> rows) {
        var text = new StringBuilder();
        text.append("| election | kills | median | worst | |\n|---|---|---|---|---|\n");
        for (Row row : rows) {
            text.append(
                    row.seconds.isEmpty()
                            ? String.format("| %s | – | – | – | %s |%n", row.recipe, row.remark)
                            : String.format(
                                    Locale.ROOT,
                                    "| %s | %d | %.2f s | %.2f s | %s |%n",
                                    row.recipe,
                                    row.seconds.size(),
                                    row.median(),
                                    row.worst(),
                                    row.remark));
        }
        text.append(String.format("%n%d processes, until all of the others name the same new leader. ", NODES));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<Row> rows) {
        var all = new JsonArray();
        for (Row row : rows) {
            var one = new JsonObject();
            one.addProperty("election", row.recipe.text());
            var seconds = new JsonArray();
            row.seconds.forEach(seconds::add);
            one.add("seconds", seconds);
            one.addProperty("remark", row.remark);
            all.add(one);
        }
        return all;
    }
}
