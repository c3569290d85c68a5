package habemus.harness.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.cli.bench.Benchmark;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ProgressLine;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.LeaderPoll;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.PortBlock;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How long real processes are without a leader after it was killed. */
public final class FailoverBenchmark implements Benchmark {

    private static final int NODES = 5;
    private static final long ELECTION_TIMEOUT_MILLIS =
            8_000; // milliseconds for a new leader: who has none then gets none
    private static final long STARTUP_TIMEOUT_MILLIS = 20_000;

    /** @param remark why there are no more of them */
    private record Row(AlgorithmSpec algorithmSpec, List<Double> seconds, String remark) {

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
    public BenchmarkResult run(int rounds, long seed, ProgressLine progressLine) {
        var names = AlgorithmSpec.names(Problem.ELECTION);
        var rows = new ArrayList<Row>();
        for (String name : names) {
            progressLine.show("kills the leader of " + name, rows.size(), names.size());
            rows.add(measure(AlgorithmSpec.parse(name, Problem.ELECTION), rounds));
        }
        return new BenchmarkResult(table(rows), json(rows));
    }

    private static Row measure(AlgorithmSpec algorithmSpec, int rounds) {
        var options = List.of("--election", algorithmSpec.text());
        var seconds = new ArrayList<Double>();
        try (var controlledCluster =
                new ControlledCluster(new ProcessCluster(NODES, PortBlock.reserve(NODES), options, Map.of())).start()) {
            return new Row(algorithmSpec, seconds, measureFailovers(controlledCluster, seconds, rounds));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandException.failure("it was interrupted", "let it run to its end");
        }
    }

    /** @return a remark */
    private static String measureFailovers(ControlledCluster controlledCluster, List<Double> seconds, int rounds)
            throws InterruptedException {
        var leaderPoll = new LeaderPoll(controlledCluster);
        for (int round = 0; round < rounds; round++) {
            var leader = leaderPoll.awaitAgreement(controlledCluster.nodes(), STARTUP_TIMEOUT_MILLIS);
            if (leader.isEmpty()) {
                return round == 0 ? "no leader to begin with" : "not all agreed when the killed node was back";
            }
            int killed = leader.get();
            var others = controlledCluster.nodes().stream()
                    .filter(node -> node != killed)
                    .toList();
            long begun = System.nanoTime();
            controlledCluster.kill(killed);
            if (leaderPoll.awaitAgreement(others, ELECTION_TIMEOUT_MILLIS).isEmpty()) {
                return "no new leader in " + ELECTION_TIMEOUT_MILLIS / 1_000 + " s";
            }
            seconds.add((System.nanoTime() - begun) / 1e9);
            controlledCluster.restart(killed);
            leaderPoll.subscribe(killed);
        }
        return "";
    }

    private static String table(List<Row> rows) {
        var text = new StringBuilder();
        text.append("| election | kills | median | worst | |\n|---|---|---|---|---|\n");
        for (Row row : rows) {
            text.append(
                    row.seconds.isEmpty()
                            ? String.format("| %s | – | – | – | %s |%n", row.algorithmSpec, row.remark)
                            : String.format(
                                    Locale.ROOT,
                                    "| %s | %d | %.2f s | %.2f s | %s |%n",
                                    row.algorithmSpec,
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
            one.addProperty("election", row.algorithmSpec.text());
            var seconds = new JsonArray();
            row.seconds.forEach(seconds::add);
            one.add("seconds", seconds);
            one.addProperty("remark", row.remark);
            all.add(one);
        }
        return all;
    }
}
