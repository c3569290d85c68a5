package habemus.cli.bench;

import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.harness.bench.FailoverBenchmark;
import habemus.harness.bench.NetworkBenchmark;
import habemus.lab.benchmark.MarkdownSection;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus bench}: how fast the laboratory is, and real nodes are, on this machine, now. */
public final class BenchCommand implements Command {

    private static final String SECTION = "Options:";
    private static final long MAX_ROUNDS = 1_000;

    @Override
    public String name() {
        return "bench";
    }

    @Override
    public String summary() {
        return "Measures the simulator, the checker, large elections, and locks and elections of real nodes.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var commandSyntax = new CommandSyntax(this, "[simulator|checker|elections|network|failover…] [options]")
                .positionals("WHAT", true);
        return NetworkBenchmark.add(commandSyntax)
                .value(
                        SECTION,
                        "--rounds",
                        "N",
                        "how often each is run; the best counts; of failover all (standard: 5)")
                .value(SECTION, "--seed", "N", "the seed of every round (standard: 1)")
                .value(SECTION, "--write", "FILE", "also puts each table into FILE, between its two bench marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .helpOption(SECTION)
                .examples(
                        "habemus bench checker",
                        "habemus bench network -n 3,5 --algorithm central,maekawa-deadlock-free --seconds 1",
                        "habemus bench --write docs/benchmarks.md");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var benchmarks = benchmarks(parsed);
        int rounds = (int) Math.min(MAX_ROUNDS, OutputOptions.number(parsed, "--rounds", 5));
        long seed = OutputOptions.number(parsed, "--seed", 1);
        var file = OutputOptions.text(parsed, "--write");
        file.ifPresent(name -> benchmarks.forEach(one -> page(name, one))); // complains before anything is run
        var progressLine = new ProgressLine(terminal);
        boolean asJson = parsed.hasMatchedOption("--json");
        var json = new JsonObject();
        for (Benchmark benchmark : benchmarks) {
            var benchmarkResult = benchmark.run(rounds, seed, progressLine);
            progressLine.clear();
            file.ifPresent(name -> writeTable(name, benchmark, benchmarkResult.table()));
            json.add(benchmark.name(), benchmarkResult.rows());
            if (!asJson) {
                terminal.out().println(benchmarkResult.table());
            }
        }
        if (asJson) {
            terminal.out().println(json);
        }
        return ExitCode.OK;
    }

    /** All, if none is named. */
    private static List<Benchmark> benchmarks(ParseResult parsed) {
        var all = List.of(
                new SimulatorBenchmark(),
                new CheckerBenchmark(),
                new ElectionsBenchmark(),
                NetworkBenchmark.of(parsed),
                new FailoverBenchmark());
        var named = parsed.matchedPositionals().stream()
                .flatMap(word -> word.stringValues().stream())
                .distinct()
                .map(name -> benchmark(name, all))
                .toList();
        if (!named.isEmpty() && named.stream().noneMatch(NetworkBenchmark.class::isInstance)) {
            NetworkBenchmark.OPTIONS.stream()
                    .filter(parsed::hasMatchedOption)
                    .findFirst()
                    .ifPresent(option -> {
                        throw CommandException.usage(
                                option + " is for the network only", "leave it out, or name network too");
                    });
        }
        return named.isEmpty() ? all : named;
    }

    private static Benchmark benchmark(String name, List<Benchmark> all) {
        var names = all.stream().map(Benchmark::name).toList();
        if (!names.contains(name)) {
            throw CommandException.usage(
                    "there is no benchmark of a '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "there are " + String.join(", ", names));
        }
        return all.get(names.indexOf(name));
    }

    private static void writeTable(String name, Benchmark benchmark, String table) {
        AtomicOutputFile.write(name, page(name, benchmark).replaceWith(table));
    }

    /** @throws CommandException if there is no place for the table */
    private static MarkdownSection page(String name, Benchmark benchmark) {
        return MarkdownFile.readSection(
                name, "habemus bench " + benchmark.name(), "the table of the " + benchmark.name());
    }
}
