package habemus.harness.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.CostFormula;
import habemus.cli.bench.Benchmark;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.serve.EmbeddedLoad;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.PortBlock;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.ParseResult;

/**
 * Acquire and release across real processes on loopback: how often a second, how long it takes, and how many messages.
 *
 * @param clients how many at each node, one row for each; beside one client alone that goes from node to node
 */
public record NetworkBenchmark(List<Integer> nodes, List<String> algorithms, double seconds, List<Integer> clients)
        implements Benchmark {

    public static final List<String> OPTIONS = List.of("-n", "--algorithm", "--seconds", "--clients");

    private static final String SECTION = "Of the network:";
    private static final String LOCK = "bench";
    private static final int NODES_MAX = 25;
    private static final int CLIENTS_MAX = 1_000;
    private static final double SECONDS_MAX = 3_600;
    private static final long WARMUP_MILLIS = 500; // milliseconds

    public static CommandSyntax add(CommandSyntax commandSyntax) {
        return commandSyntax
                .value(SECTION, "-n", "N,…", "how many processes (standard: 3,5,9)")
                .value(SECTION, "--algorithm", "NAME,…", "which locks (standard: all)")
                .value(SECTION, "--seconds", "N", "how long each load is (standard: 3)")
                .value(SECTION, "--clients", "N,…", "how many at each node (standard: 1); and always one alone");
    }

    public static NetworkBenchmark of(ParseResult parsed) {
        var names = AlgorithmSpec.names(Problem.MUTEX);
        var algorithms = OutputOptions.text(parsed, "--algorithm")
                .map(text -> List.of(text.split(",", -1)))
                .orElse(names);
        for (String name : algorithms) {
            if (!names.contains(name)) {
                throw CommandException.usage(
                        "there is no lock '" + name + "'",
                        SpellingSuggestion.hint(name, names) + "there are " + String.join(", ", names));
            }
        }
        double seconds = NumberOptions.positive(parsed, "--seconds", 3);
        if (seconds > SECONDS_MAX) {
            throw CommandException.usage(
                    "--seconds " + NumberOptions.format(seconds) + " is out of range", "it is up to an hour");
        }
        return new NetworkBenchmark(
                numbers(parsed, "-n", List.of(3, 5, 9), NODES_MAX),
                algorithms,
                seconds,
                numbers(parsed, "--clients", List.of(1), CLIENTS_MAX));
    }

    private static List<Integer> numbers(ParseResult parsed, String option, List<Integer> standard, int most) {
        return OutputOptions.text(parsed, option)
                .map(text -> List.of(text.split(",", -1)).stream()
                        .map(word -> number(option, word, most))
                        .toList())
                .orElse(standard);
    }

    private static int number(String option, String word, int most) {
        int number = word.matches("\\d{1,6}") ? Integer.parseInt(word) : 0;
        if (number < 1 || number > most) {
            throw CommandException.usage(
                    option + " '" + word + "' is not a number from 1 to " + most, "write it as in " + option + " 3,5");
        }
        return number;
    }

    /** @param clients at each node; zero: one alone, that goes from node to node */
    private record Row(
            AlgorithmSpec algorithmSpec,
            int nodes,
            int clients,
            Histogram times,
            double perSecond,
            double messages,
            long stuck) {

        String load() {
            return clients == 0 ? "one alone" : clients + " at each";
        }

        String theory() {
            var measures = clients == 0
                    ? List.of(
                            CostFormula.Measure.MESSAGES_PER_ENTRY,
                            CostFormula.Measure.MESSAGES_PER_ENTRY_BEST,
                            CostFormula.Measure.MESSAGES_PER_ENTRY_WORST)
                    : List.of(CostFormula.Measure.MESSAGES_PER_ENTRY, CostFormula.Measure.MESSAGES_PER_ENTRY_BUSY);
            return algorithmSpec.algorithm().costFormulas().stream()
                    .filter(costFormula -> measures.contains(costFormula.measure()))
                    .map(this::theory)
                    .collect(Collectors.joining(", "));
        }

        private String theory(CostFormula costFormula) {
            var bound = switch (costFormula.measure()) {
                case MESSAGES_PER_ENTRY_BEST -> "at least ";
                case MESSAGES_PER_ENTRY_WORST -> "at most ";
                default -> "";
            };
            return bound + costFormula.formula() + " = "
                    + NumberOptions.format(costFormula.function().applyAsDouble(nodes));
        }

        double millis(double percentile) {
            return times.getValueAtPercentile(percentile) / 1e6;
        }
    }

    @Override
    public String name() {
        return "network";
    }

    @Override
    public BenchmarkResult run(int rounds, long seed, ProgressLine progressLine) {
        var rows = new ArrayList<Row>();
        int all = algorithms.size() * nodes.size();
        for (String algorithm : algorithms) {
            for (int count : nodes) {
                progressLine.show(algorithm + " on " + count + " processes", rows.size() / (1 + clients.size()), all);
                rows.addAll(measure(AlgorithmSpec.parse(algorithm, Problem.MUTEX), count));
            }
        }
        return new BenchmarkResult(table(rows), json(rows));
    }

    private List<Row> measure(AlgorithmSpec algorithmSpec, int count) {
        var options = List.of("--algorithm", algorithmSpec.text(), EmbeddedLoad.OPTION);
        try (var controlledCluster =
                new ControlledCluster(new ProcessCluster(count, PortBlock.reserve(count), options, Map.of())).start()) {
            measureSingleClient(controlledCluster, algorithmSpec, WARMUP_MILLIS);
            var rows = new ArrayList<Row>();
            rows.add(measureSingleClient(controlledCluster, algorithmSpec, millis()));
            clients.forEach(each -> rows.add(measureAllNodes(controlledCluster, algorithmSpec, each)));
            return rows;
        }
    }

    private long millis() {
        return Math.round(seconds * 1_000);
    }

    private static long messages(ControlledCluster controlledCluster) {
        return controlledCluster.requestAll(new EmbeddedLoad.LoadRequest(LOCK, 0, 0, 0).toString()).stream()
                .mapToLong(line -> EmbeddedLoad.LoadResult.parse(line).messages())
                .sum();
    }

    /** How often a second is by the time that the cycles took, without that between them. */
    private static Row measureSingleClient(
            ControlledCluster controlledCluster, AlgorithmSpec algorithmSpec, long millis) {
        var times = EmbeddedLoad.histogram();
        long stuck = 0;
        long before = messages(controlledCluster);
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end && stuck == 0) {
            for (int node : controlledCluster.nodes()) {
                var loadRequest = new EmbeddedLoad.LoadRequest(LOCK, 1, 1, millis);
                var loadResult = EmbeddedLoad.LoadResult.parse(
                        controlledCluster.request(node, loadRequest.toString()).join());
                times.add(loadResult.latencies());
                stuck += loadResult.timedOut();
            }
        }
        long messages = messages(controlledCluster) - before;
        return new Row(
                algorithmSpec,
                controlledCluster.nodes().size(),
                0,
                times,
                times.getTotalCount() == 0 ? 0 : 1e9 / times.getMean(),
                perEntry(messages, times),
                stuck);
    }

    private Row measureAllNodes(ControlledCluster controlledCluster, AlgorithmSpec algorithmSpec, int each) {
        long before = messages(controlledCluster);
        var loadRequest = new EmbeddedLoad.LoadRequest(LOCK, each, Long.MAX_VALUE, millis());
        var loadResult = controlledCluster.requestAll(loadRequest.toString()).stream()
                .map(EmbeddedLoad.LoadResult::parse)
                .toList();
        long messages = messages(controlledCluster) - before;
        var times = EmbeddedLoad.histogram();
        loadResult.forEach(one -> times.add(one.latencies()));
        return new Row(
                algorithmSpec,
                controlledCluster.nodes().size(),
                each,
                times,
                times.getTotalCount() / seconds,
                perEntry(messages, times),
                loadResult.stream().mapToLong(EmbeddedLoad.LoadResult::timedOut).sum());
    }

    private static double perEntry(long messages, Histogram times) {
        return times.getTotalCount() == 0 ? 0 : (double) messages / times.getTotalCount();
    }

    private String table(List<Row> rows) {
        var text = new StringBuilder();
        text.append("| lock | processes | clients | acquire + release a second | p50 | p99 | messages an entry |"
                + " in theory | |\n");
        text.append("|---|---|---|---|---|---|---|---|---|\n");
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | %,.0f | %.2f ms | %.2f ms | %.2f | %s | %s |%n",
                    row.algorithmSpec,
                    row.nodes,
                    row.load(),
                    row.perSecond,
                    row.millis(50),
                    row.millis(99),
                    row.messages,
                    row.theory(),
                    row.stuck > 0 ? "**stuck**" : ""));
        }
        text.append(String.format(
                Locale.ROOT,
                "%nEach for %s s, after half a second to warm up; all processes on one machine. ",
                NumberOptions.format(seconds)));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<Row> rows) {
        var all = new JsonArray();
        for (Row row : rows) {
            var one = new JsonObject();
            one.addProperty("lock", row.algorithmSpec.text());
            one.addProperty("processes", row.nodes);
            one.addProperty("clientsAtEach", row.clients);
            one.addProperty("cycles", row.times.getTotalCount());
            one.addProperty("perSecond", row.perSecond);
            one.addProperty("p50Millis", row.millis(50));
            one.addProperty("p99Millis", row.millis(99));
            one.addProperty("messagesPerEntry", row.messages);
            one.addProperty("theory", row.theory());
            one.addProperty("stuck", row.stuck);
            all.add(one);
        }
        return all;
    }
}
