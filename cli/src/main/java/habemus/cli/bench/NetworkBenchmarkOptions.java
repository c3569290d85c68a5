package habemus.cli.bench;

import habemus.catalogue.AlgorithmSpec;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.serve.NodeProcessCommand;
import habemus.harness.bench.NetworkBenchmark;
import habemus.lab.command.CommandException;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.SpellingSuggestion;
import habemus.world.Problem;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** The options of {@code habemus bench network}. */
final class NetworkBenchmarkOptions {

    static final List<String> NAMES = List.of("-n", "--algorithm", "--seconds", "--clients");

    private static final String SECTION = "Options of the network benchmark:";
    private static final int MAX_NODES = 25;
    private static final int MAX_CLIENTS = 1_000;
    private static final double MAX_SECONDS = 3_600;

    private NetworkBenchmarkOptions() {}

    static CommandSyntax addTo(CommandSyntax syntax) {
        return syntax.value(
                        SECTION,
                        "-n",
                        "N,…",
                        NumberOptions.counts(MAX_NODES).withDefault("3,5,9"),
                        "numbers of processes")
                .value(SECTION, "--algorithm", "NAME,…", "names of locks (default: all)")
                .value(SECTION, "--seconds", "N", NumberOptions.positive().withDefault(3), "length of each load")
                .value(
                        SECTION,
                        "--clients",
                        "N,…",
                        NumberOptions.counts(MAX_CLIENTS).withDefault(1),
                        "clients per node; a single client is always measured");
    }

    static NetworkBenchmark parse(ParseResult parsed) {
        var names = AlgorithmSpec.algorithmNames(Problem.MUTEX);
        var algorithms = ParsedOptions.text(parsed, "--algorithm")
                .map(text -> List.of(text.split(",", -1)))
                .orElse(names);
        for (String name : algorithms) {
            if (!names.contains(name)) {
                throw CommandException.usage(
                        "unknown lock algorithm: '" + name + "'",
                        SpellingSuggestion.hint(name, names) + "use one of " + String.join(", ", names));
            }
        }
        double seconds = ParsedOptions.<Double>get(parsed, "--seconds");
        if (seconds > MAX_SECONDS) {
            throw CommandException.usage(
                    "--seconds must be at most 3600, was " + NumberOptions.format(seconds), "use a shorter load");
        }
        return new NetworkBenchmark(
                new NodeProcessCommand(),
                ParsedOptions.<List<Integer>>get(parsed, "-n"),
                algorithms,
                seconds,
                ParsedOptions.<List<Integer>>get(parsed, "--clients"));
    }
}
