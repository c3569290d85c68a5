package habemus.harness.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.CostFormula;
import habemus.harness.ProgressListener;
import habemus.harness.bench.EmbeddedLoad.LoadRequest;
import habemus.harness.bench.EmbeddedLoad.LoadResult;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.NodeCommandLine;
import habemus.harness.cluster.NodeSettings;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.PortBlock;
import habemus.world.Problem;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * Acquires and releases classic locks across real processes on loopback: throughput, latency, and messages per entry.
 *
 * @param nodes cluster sizes to measure
 * @param algorithms names of the locks to measure
 * @param seconds of each load
 * @param clients at each node, one row for each number; a row with a single client comes first
 */
public record NetworkBenchmark(
        NodeCommandLine commandLine,
        List<Integer> nodes,
        List<String> algorithms,
        double seconds,
        List<Integer> clients)
        implements Benchmark {

    private static final String LOCK = "bench";
    private static final long WARMUP_MILLIS = 500;

    /** @param clients at each node; zero for a single client that goes from node to node */
    private record Row(
            AlgorithmSpec algorithm,
            int nodes,
            int clients,
            Histogram latencies,
            double perSecond,
            double messages,
            long timedOut) {

        String load() {
            return clients == 0 ? "1 in total" : clients + " per node";
        }

        String theory() {
            var measures = clients == 0
                    ? List.of(
                            CostFormula.Measure.MESSAGES_PER_ENTRY,
                            CostFormula.Measure.MESSAGES_PER_ENTRY_BEST,
                            CostFormula.Measure.MESSAGES_PER_ENTRY_WORST)
                    : List.of(CostFormula.Measure.MESSAGES_PER_ENTRY, CostFormula.Measure.MESSAGES_PER_ENTRY_BUSY);
            return algorithm.algorithm().costs().stream()
                    .filter(formula -> measures.contains(formula.measure()))
                    .map(this::theory)
                    .collect(Collectors.joining(", "));
        }

        private String theory(CostFormula formula) {
            var bound = switch (formula.measure()) {
                case MESSAGES_PER_ENTRY_BEST -> "at least ";
                case MESSAGES_PER_ENTRY_WORST -> "at most ";
                default -> "";
            };
            return bound + formula.formula() + " = " + format(formula.function().applyAsDouble(nodes));
        }

        double millis(double percentile) {
            return latencies.getValueAtPercentile(percentile) / 1e6;
        }
    }

    private static String format(double number) {
        return new BigDecimal(number)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }

    @Override
    public String name() {
        return "network";
    }

    @Override
    public BenchmarkResult run(int rounds, long seed, ProgressListener progress) {
        var rows = new ArrayList<Row>();
        int clusters = algorithms.size() * nodes.size();
        for (String algorithm : algorithms) {
            for (int count : nodes) {
                progress.show(algorithm + " on " + count + " processes", rows.size() / (1 + clients.size()), clusters);
                rows.addAll(measure(AlgorithmSpec.parse(algorithm, Problem.MUTEX), count));
            }
        }
        return new BenchmarkResult(table(rows), json(rows));
    }

    private List<Row> measure(AlgorithmSpec algorithm, int count) {
        var settings = NodeSettings.DEFAULT.withLockAlgorithm(algorithm.text()).withEmbeddedLoad();
        var processes = new ProcessCluster(count, PortBlock.reserve(count), commandLine, settings);
        try (var cluster = new ControlledCluster(processes).start()) {
            measureSingleClient(cluster, algorithm, WARMUP_MILLIS);
            var rows = new ArrayList<Row>();
            rows.add(measureSingleClient(cluster, algorithm, millis()));
            clients.forEach(perNode -> rows.add(measureAllNodes(cluster, algorithm, perNode)));
            return rows;
        }
    }

    private long millis() {
        return Math.round(seconds * 1_000);
    }

    private static long messages(ControlledCluster cluster) {
        return cluster.requestAll(new LoadRequest(LOCK, 0, 0, 0).toString()).stream()
                .mapToLong(line -> LoadResult.parse(line).messages())
                .sum();
    }

    /** The throughput counts the time inside the cycles, not the time between them. */
    private static Row measureSingleClient(ControlledCluster cluster, AlgorithmSpec algorithm, long millis) {
        var latencies = EmbeddedLoad.histogram();
        long timedOut = 0;
        long before = messages(cluster);
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end && timedOut == 0) {
            for (int node : cluster.nodes()) {
                var request = new LoadRequest(LOCK, 1, 1, millis);
                var result = LoadResult.parse(
                        cluster.request(node, request.toString()).join());
                latencies.add(result.latencies());
                timedOut += result.timedOut();
            }
        }
        long messages = messages(cluster) - before;
        return new Row(
                algorithm,
                cluster.nodes().size(),
                0,
                latencies,
                latencies.getTotalCount() == 0 ? 0 : 1e9 / latencies.getMean(),
                perEntry(messages, latencies),
                timedOut);
    }

    private Row measureAllNodes(ControlledCluster cluster, AlgorithmSpec algorithm, int perNode) {
        long before = messages(cluster);
        var request = new LoadRequest(LOCK, perNode, Long.MAX_VALUE, millis());
        var results = cluster.requestAll(request.toString()).stream()
                .map(LoadResult::parse)
                .toList();
        long messages = messages(cluster) - before;
        var latencies = EmbeddedLoad.histogram();
        results.forEach(result -> latencies.add(result.latencies()));
        return new Row(
                algorithm,
                cluster.nodes().size(),
                perNode,
                latencies,
                latencies.getTotalCount() / seconds,
                perEntry(messages, latencies),
                results.stream().mapToLong(LoadResult::timedOut).sum());
    }

    private static double perEntry(long messages, Histogram latencies) {
        return latencies.getTotalCount() == 0 ? 0 : (double) messages / latencies.getTotalCount();
    }

    private String table(List<Row> rows) {
        var text = new StringBuilder();
        text.append("| lock | processes | clients | acquire + release per second | p50 | p99 | messages per entry |"
                + " in theory | |\n");
        text.append("|---|---|---|---|---|---|---|---|---|\n");
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | %,.0f | %.2f ms | %.2f ms | %.2f | %s | %s |%n",
                    row.algorithm,
                    row.nodes,
                    row.load(),
                    row.perSecond,
                    row.millis(50),
                    row.millis(99),
                    row.messages,
                    row.theory(),
                    row.timedOut > 0 ? "**timed out**" : ""));
        }
        text.append(String.format(
                Locale.ROOT,
                "%nEach load runs for %s s, after a warm-up of 0.5 s; all processes on one machine. ",
                format(seconds)));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<Row> rows) {
        var array = new JsonArray();
        for (Row row : rows) {
            var object = new JsonObject();
            object.addProperty("lock", row.algorithm.text());
            object.addProperty("processes", row.nodes);
            object.addProperty("clientsPerNode", row.clients);
            object.addProperty("cycles", row.latencies.getTotalCount());
            object.addProperty("perSecond", row.perSecond);
            object.addProperty("p50Millis", row.millis(50));
            object.addProperty("p99Millis", row.millis(99));
            object.addProperty("messagesPerEntry", row.messages);
            object.addProperty("theory", row.theory());
            object.addProperty("timedOut", row.timedOut);
            array.add(object);
        }
        return array;
    }
}
