package habemus.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.serve.NodeProcessCommand;
import habemus.cli.serve.ServeOptions;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.harness.count.CountWorker;
import habemus.harness.count.CounterExperiment;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.world.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus count}: many processes increment a number in a file; with a lock no increment is lost. */
public final class CountCommand implements Subcommand {

    /** Hidden: makes this process a worker that increments the number in this file. */
    private static final String WORKER_OPTION = "--worker";
    /** Hidden: the HTTP address of the worker's node. */
    private static final String NODE_OPTION = "--at";

    private static final String SECTION = "Options:";
    private static final String NONE = "none";
    private static final String ALL = "all";
    private static final int MAX_WORKERS = 100;
    private static final long MAX_TIMES = 10_000_000;

    @Override
    public String name() {
        return "count";
    }

    @Override
    public String summary() {
        return "Lets many processes increment a number in a file, with a lock of real nodes or without.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[--algorithm SPEC|all|none] [options]")
                .value(
                        SECTION,
                        "--algorithm",
                        "SPEC",
                        "lock algorithm with its options, all, or none (default: none, then "
                                + ServeOptions.DEFAULT_LOCK_ALGORITHM + ")")
                .value(
                        SECTION,
                        "--workers",
                        "N",
                        NumberOptions.count(MAX_WORKERS).withDefault(10),
                        "number of processes")
                .value(
                        SECTION,
                        "--times",
                        "N",
                        NumberOptions.count(MAX_TIMES).withDefault(1000),
                        "increments of each process")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .hiddenOption(WORKER_OPTION, false)
                .hiddenOption(NODE_OPTION, false)
                .examples("habemus count --algorithm none", "habemus count --workers 10 --times 1000 --algorithm all");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        long times = ParsedOptions.<Long>get(parsed, "--times");
        if (parsed.hasMatchedOption(WORKER_OPTION)) {
            return runWorker(parsed, times, terminal);
        }
        int workers = ParsedOptions.getInt(parsed, "--workers");
        var locks = locks(parsed);
        var counterExperiment =
                new CounterExperiment(workers, times, new NodeProcessCommand(), CountCommand::workerCommand);
        var progress = new ProgressLine(terminal);
        var results = new ArrayList<CounterExperiment.Result>();
        boolean asJson = parsed.hasMatchedOption("--json");
        for (var lock : locks) {
            progress.show(lock.map(AlgorithmSpec::text).orElse("no lock"), results.size(), locks.size());
            var result = counterExperiment.run(lock);
            results.add(result);
            progress.clear();
            if (!asJson) {
                terminal.out().println(line(result));
                terminal.flush();
            }
        }
        if (asJson) {
            terminal.out().println(json(results));
        }
        return results.stream().allMatch(CounterExperiment.Result::meetsGuarantees) ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static int runWorker(ParseResult parsed, long times, Terminal terminal) {
        var file = Path.of(ParsedOptions.text(parsed, WORKER_OPTION).orElseThrow());
        var worker = CountWorker.of(file, times, ParsedOptions.text(parsed, NODE_OPTION));
        return worker.run(System.in, terminal.out()) ? ExitCode.OK : ExitCode.FAILURE;
    }

    private static List<String> workerCommand(Path file, long times, Optional<String> node) {
        var command = NodeProcessCommand.program();
        command.addAll(List.of("count", "--times", Long.toString(times), WORKER_OPTION, file.toString()));
        node.ifPresent(address -> command.addAll(List.of(NODE_OPTION, address)));
        return command;
    }

    private static List<Optional<AlgorithmSpec>> locks(ParseResult parsed) {
        var given = ParsedOptions.text(parsed, "--algorithm");
        if (given.isPresent() && given.get().equals(NONE)) {
            return List.of(Optional.empty());
        }
        var locks = new ArrayList<Optional<AlgorithmSpec>>();
        if (given.isEmpty() || given.get().equals(ALL)) {
            locks.add(Optional.empty());
        }
        if (given.isPresent() && given.get().equals(ALL)) {
            AlgorithmSpec.algorithmNames(Problem.MUTEX)
                    .forEach(name -> locks.add(Optional.of(AlgorithmSpec.parse(name, Problem.MUTEX))));
        } else {
            locks.add(Optional.of(ServeOptions.algorithmSpec(
                    parsed,
                    "--algorithm",
                    ServeOptions.DEFAULT_LOCK_ALGORITHM,
                    Problem.MUTEX,
                    CounterExperiment.NODES)));
        }
        return locks;
    }

    private static String line(CounterExperiment.Result result) {
        return String.format(
                Locale.ROOT,
                "%-24s %,9d of %,d, %,d lost, in %.1f s%s",
                result.name(),
                result.counted(),
                result.incremented(),
                result.lost(),
                result.seconds(),
                result.isStuck()
                        ? "; stuck before increment " + String.format(Locale.ROOT, "%,d", result.requested())
                        : "");
    }

    private static JsonObject json(List<CounterExperiment.Result> results) {
        var rows = new JsonArray();
        for (var result : results) {
            var row = new JsonObject();
            row.addProperty("lock", result.algorithm().map(AlgorithmSpec::text).orElse(NONE));
            row.addProperty("asked", result.requested());
            row.addProperty("incremented", result.incremented());
            row.addProperty("counted", result.counted());
            row.addProperty("lost", result.lost());
            row.addProperty("stuck", result.isStuck());
            row.addProperty("seconds", result.seconds());
            rows.add(row);
        }
        var json = new JsonObject();
        json.add("counts", rows);
        return json;
    }
}
