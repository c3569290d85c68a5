package habemus.harness.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.harness.HarnessException;
import habemus.harness.ProgressListener;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.LeaderPoll;
import habemus.harness.cluster.NodeCommandLine;
import habemus.harness.cluster.NodeSettings;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.PortBlock;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Kills the leader of real processes, and measures the time until the others agree on a new one. */
public record FailoverBenchmark(NodeCommandLine commandLine) implements Benchmark {

    private static final int NODES = 5;
    /** An algorithm that has not elected a new leader by then will not. */
    private static final long ELECTION_TIMEOUT_MILLIS = 8_000;

    private static final long STARTUP_TIMEOUT_MILLIS = 20_000;

    /** @param remark why the measurement ended early; else empty */
    private record Row(AlgorithmSpec algorithm, List<Double> seconds, String remark) {

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
    public BenchmarkResult run(int rounds, long seed, ProgressListener progress) {
        var names = AlgorithmSpec.algorithmNames(Problem.ELECTION);
        var rows = new ArrayList<Row>();
        for (String name : names) {
            progress.show("killing the leader of " + name, rows.size(), names.size());
            rows.add(measure(AlgorithmSpec.parse(name, Problem.ELECTION), rounds));
        }
        return new BenchmarkResult(table(rows), json(rows));
    }

    private Row measure(AlgorithmSpec algorithm, int rounds) {
        var settings = NodeSettings.DEFAULT.withElectionAlgorithm(algorithm.text());
        var processes = new ProcessCluster(NODES, PortBlock.reserve(NODES), commandLine, settings);
        var seconds = new ArrayList<Double>();
        try (var cluster = new ControlledCluster(processes).start()) {
            return new Row(algorithm, seconds, measureFailovers(cluster, seconds, rounds));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HarnessException("the benchmark was interrupted", "let it run to its end");
        }
    }

    /** Returns a remark. */
    private static String measureFailovers(ControlledCluster cluster, List<Double> seconds, int rounds)
            throws InterruptedException {
        var leaders = new LeaderPoll(cluster);
        for (int round = 0; round < rounds; round++) {
            var leader = leaders.awaitAgreement(cluster.nodes(), STARTUP_TIMEOUT_MILLIS);
            if (leader.isEmpty()) {
                return round == 0 ? "no leader at the start" : "no agreement after the killed node was back";
            }
            int killed = leader.get();
            var others = cluster.nodes().stream().filter(node -> node != killed).toList();
            long start = System.nanoTime();
            cluster.kill(killed);
            if (leaders.awaitAgreement(others, ELECTION_TIMEOUT_MILLIS).isEmpty()) {
                return "no new leader within " + ELECTION_TIMEOUT_MILLIS / 1_000 + " s";
            }
            seconds.add((System.nanoTime() - start) / 1e9);
            cluster.restart(killed);
            leaders.subscribe(killed);
        }
        return "";
    }

    private static String table(List<Row> rows) {
        var text = new StringBuilder();
        text.append("| election | kills | median | worst | |\n|---|---|---|---|---|\n");
        for (Row row : rows) {
            text.append(
                    row.seconds.isEmpty()
                            ? String.format("| %s | – | – | – | %s |%n", row.algorithm, row.remark)
                            : String.format(
                                    Locale.ROOT,
                                    "| %s | %d | %.2f s | %.2f s | %s |%n",
                                    row.algorithm,
                                    row.seconds.size(),
                                    row.median(),
                                    row.worst(),
                                    row.remark));
        }
        text.append(String.format("%n%d processes, until all others name the same new leader. ", NODES));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<Row> rows) {
        var array = new JsonArray();
        for (Row row : rows) {
            var object = new JsonObject();
            object.addProperty("election", row.algorithm.text());
            var seconds = new JsonArray();
            row.seconds.forEach(seconds::add);
            object.add("seconds", seconds);
            object.addProperty("remark", row.remark);
            array.add(object);
        }
        return array;
    }
}
