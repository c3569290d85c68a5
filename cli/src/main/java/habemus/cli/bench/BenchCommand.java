package habemus.cli.bench;

import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.serve.NodeProcessCommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.harness.bench.Benchmark;
import habemus.harness.bench.FailoverBenchmark;
import habemus.harness.bench.NetworkBenchmark;
import habemus.harness.bench.ServiceFaultsBenchmark;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.SpellingSuggestion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus bench}: measures the simulator, the checker and real nodes on this machine. */
public final class BenchCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final String FAULTS = "Options of the faults benchmark, which runs only by name and needs root:";
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
        var syntax = new CommandSyntax(this, "[simulator|checker|elections|network|failover|faults…] [options]")
                .positionals("WHAT", true);
        return NetworkBenchmarkOptions.addTo(syntax)
                .value(
                        SECTION,
                        "--rounds",
                        "N",
                        NumberOptions.count(MAX_ROUNDS).withDefault(5),
                        "rounds of each benchmark; the best one counts (failover: all)")
                .value(FAULTS, "--beside", "LAUNCHER", "also measures another build, in turn, such as ../old/habemus")
                .value(SECTION, "--seed", "N", NumberOptions.count().withDefault(1), "seed of every round")
                .value(SECTION, "--write", "FILE", "also writes each table into its marked section of FILE")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples(
                        "habemus bench checker",
                        "habemus bench network -n 3,5 --algorithm central,maekawa-deadlock-free --seconds 1",
                        "habemus bench faults --rounds 3 --beside ../old/habemus",
                        "habemus bench --write docs/benchmarks.md");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var benchmarks = benchmarks(parsed);
        int rounds = ParsedOptions.getInt(parsed, "--rounds");
        long seed = ParsedOptions.<Long>get(parsed, "--seed");
        var file = ParsedOptions.text(parsed, "--write");
        file.ifPresent(
                name -> benchmarks.forEach(benchmark -> page(name, benchmark))); // reports errors before anything runs
        var progress = new ProgressLine(terminal);
        boolean asJson = parsed.hasMatchedOption("--json");
        var json = new JsonObject();
        for (Benchmark benchmark : benchmarks) {
            var benchmarkResult = benchmark.run(rounds, seed, progress);
            progress.clear();
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

    /** The named benchmarks. If none is named, all but the last, which needs root. */
    private static List<Benchmark> benchmarks(ParseResult parsed) {
        if (!ParsedOptions.arguments(parsed).contains("faults")) {
            ParsedOptions.reject(
                    parsed, List.of("--beside"), "is for the faults benchmark", "leave it out, or add faults");
        }
        var all = List.of(
                new SimulatorBenchmark(),
                new CheckerBenchmark(),
                new ElectionsBenchmark(),
                NetworkBenchmarkOptions.parse(parsed),
                new FailoverBenchmark(new NodeProcessCommand()),
                faults(parsed));
        var named = ParsedOptions.arguments(parsed).stream()
                .distinct()
                .map(name -> benchmark(name, all))
                .toList();
        if (!named.isEmpty() && named.stream().noneMatch(NetworkBenchmark.class::isInstance)) {
            ParsedOptions.reject(
                    parsed,
                    NetworkBenchmarkOptions.NAMES,
                    "is for the network benchmark",
                    "leave it out, or add network");
        }
        return named.isEmpty() ? all.subList(0, all.size() - 1) : named;
    }

    private static ServiceFaultsBenchmark faults(ParseResult parsed) {
        var builds = new ArrayList<ServiceFaultsBenchmark.Build>();
        builds.add(new ServiceFaultsBenchmark.Build("this build", new NodeProcessCommand()));
        ParsedOptions.text(parsed, "--beside")
                .map(launcher -> NodeProcessCommand.ofBuild(Path.of(launcher)))
                .ifPresent(other -> builds.add(new ServiceFaultsBenchmark.Build("other build", other)));
        return new ServiceFaultsBenchmark(builds);
    }

    private static Benchmark benchmark(String name, List<Benchmark> all) {
        var names = all.stream().map(Benchmark::name).toList();
        if (!names.contains(name)) {
            throw CommandException.usage(
                    "unknown benchmark: '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "benchmarks: " + String.join(", ", names));
        }
        return all.get(names.indexOf(name));
    }

    private static void writeTable(String name, Benchmark benchmark, String table) {
        AtomicOutputFile.write(name, page(name, benchmark).replaceWith(table));
    }

    /** @throws CommandException if the file lacks the marked section */
    private static MarkdownSection page(String name, Benchmark benchmark) {
        return MarkdownFile.readSection(
                name, "habemus bench " + benchmark.name(), "the table of the " + benchmark.name());
    }
}
