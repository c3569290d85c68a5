package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Cost;
import habemus.catalogue.Recipe;
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
record NetworkBenchmark(List<Integer> nodes, List<String> algorithms, double seconds, List<Integer> clients)
        implements Benchmark {

    static final List<String> OPTIONS = List.of("-n", "--algorithm", "--seconds", "--clients");

    private static final String SECTION = "Of the network:";
    private static final String LOCK = "bench";
    private static final int NODES_MAX = 25;
    private static final int CLIENTS_MAX = 1_000;
    private static final double SECONDS_MAX = 3_600;
    private static final long WARMING = 500; // milliseconds

    static Sheet add(Sheet sheet) {
        return sheet.value(SECTION, "-n", "N,…", "how many processes (standard: 3,5,9)")
                .value(SECTION, "--algorithm", "NAME,…", "which locks (standard: all)")
                .value(SECTION, "--seconds", "N", "how long each load is (standard: 3)")
                .value(SECTION, "--clients", "N,…", "how many at each node (standard: 1); and always one alone");
    }

    static NetworkBenchmark of(ParseResult parsed) {
        var names = Recipe.names(Problem.MUTEX);
        var algorithms = Output.text(parsed, "--algorithm")
                .map(text -> List.of(text.split(",", -1)))
                .orElse(names);
        for (String name : algorithms) {
            if (!names.contains(name)) {
                throw Refusal.wrong(
                        "there is no lock '" + name + "'",
                        Nearest.hint(name, names) + "there are " + String.join(", ", names));
            }
        }
        double seconds = Numbers.positive(parsed, "--seconds", 3);
        if (seconds > SECONDS_MAX) {
            throw Refusal.wrong("--seconds " + Numbers.text(seconds) + " is out of range", "it is up to an hour");
        }
        return new NetworkBenchmark(
                numbers(parsed, "-n", List.of(3, 5, 9), NODES_MAX),
                algorithms,
                seconds,
                numbers(parsed, "--clients", List.of(1), CLIENTS_MAX));
    }

    private static List<Integer> numbers(ParseResult parsed, String option, List<Integer> standard, int most) {
        return Output.text(parsed, option)
                .map(text -> List.of(text.split(",", -1)).stream()
                        .map(word -> number(option, word, most))
                        .toList())
                .orElse(standard);
    }

    private static int number(String option, String word, int most) {
        int number = word.matches("\\d{1,6}") ? Integer.parseInt(word) : 0;
        if (number < 1 || number > most) {
            throw Refusal.wrong(
                    option + " '" + word + "' is not a number from 1 to " + most, "write it as in " + option + " 3,5");
        }
        return number;
    }

    /** @param clients at each node; zero: one alone, that goes from node to node */
    private record Row(
            Recipe recipe, int nodes, int clients, Histogram times, double perSecond, double messages, long stuck) {

        String load() {
            return clients == 0 ? "one alone" : clients + " at each";
        }

        String theory() {
            var measures = clients == 0
                    ? List.of(
                            Cost.Measure.MESSAGES_PER_ENTRY,
                            Cost.Measure.MESSAGES_PER_ENTRY_BEST,
                            Cost.Measure.MESSAGES_PER_ENTRY_WORST)
                    : List.of(Cost.Measure.MESSAGES_PER_ENTRY, Cost.Measure.MESSAGES_PER_ENTRY_BUSY);
            return recipe.algorithm().costs().stream()
                    .filter(cost -> measures.contains(cost.measure()))
                    .map(this::theory)
                    .collect(Collectors.joining(", "));
        }

        private String theory(Cost cost) {
            var bound = switch (cost.measure()) {
                case MESSAGES_PER_ENTRY_BEST -> "at least ";
                case MESSAGES_PER_ENTRY_WORST -> "at most ";
                default -> "";
            };
            return bound + cost.formula() + " = " + Numbers.text(cost.of().applyAsDouble(nodes));
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
    public Measured run(int rounds, long seed, Progress progress) {
        var rows = new ArrayList<Row>();
        int all = algorithms.size() * nodes.size();
        for (String algorithm : algorithms) {
            for (int count : nodes) {
                progress.show(algorithm + " on " + count + " processes", rows.size() / (1 + clients.size()), all);
                rows.addAll(measure(Recipe.parse(algorithm, Problem.MUTEX), count));
            }
        }
        return new Measured(table(rows), json(rows));
    }

    private List<Row> measure(Recipe recipe, int count) {
        var options = List.of("--algorithm", recipe.text(), Load.OPTION);
        try (var cluster = new Cluster(new Fleet(count, Ports.find(count), options, Map.of())).up()) {
            alone(cluster, recipe, WARMING);
            var rows = new ArrayList<Row>();
            rows.add(alone(cluster, recipe, millis()));
            clients.forEach(each -> rows.add(all(cluster, recipe, each)));
            return rows;
        }
    }

    private long millis() {
        return Math.round(seconds * 1_000);
    }

    private static long messages(Cluster cluster) {
        return cluster.tellAll(new Load.Order(LOCK, 0, 0, 0).toString()).stream()
                .mapToLong(line -> Load.Done.parse(line).messages())
                .sum();
    }

    /** How often a second is by the time that the cycles took, without that between them. */
    private static Row alone(Cluster cluster, Recipe recipe, long millis) {
        var times = Load.histogram();
        long stuck = 0;
        long before = messages(cluster);
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end && stuck == 0) {
            for (int node : cluster.nodes()) {
                var order = new Load.Order(LOCK, 1, 1, millis);
                var done = Load.Done.parse(cluster.tell(node, order.toString()).join());
                times.add(done.times());
                stuck += done.stuck();
            }
        }
        long messages = messages(cluster) - before;
        return new Row(
                recipe,
                cluster.nodes().size(),
                0,
                times,
                times.getTotalCount() == 0 ? 0 : 1e9 / times.getMean(),
                perEntry(messages, times),
                stuck);
    }

    private Row all(Cluster cluster, Recipe recipe, int each) {
        long before = messages(cluster);
        var order = new Load.Order(LOCK, each, Long.MAX_VALUE, millis());
        var done =
                cluster.tellAll(order.toString()).stream().map(Load.Done::parse).toList();
        long messages = messages(cluster) - before;
        var times = Load.histogram();
        done.forEach(one -> times.add(one.times()));
        return new Row(
                recipe,
                cluster.nodes().size(),
                each,
                times,
                times.getTotalCount() / seconds,
                perEntry(messages, times),
                done.stream().mapToLong(Load.Done::stuck).sum());
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
                    row.recipe,
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
                Numbers.text(seconds)));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<Row> rows) {
        var all = new JsonArray();
        for (Row row : rows) {
            var one = new JsonObject();
            one.addProperty("lock", row.recipe.text());
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
