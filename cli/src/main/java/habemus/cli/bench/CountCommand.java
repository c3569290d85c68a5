package habemus.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.serve.ServeOptions;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.harness.count.CountWorker;
import habemus.harness.count.CounterExperiment;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus count}: many processes increment a number in a file; with a lock none of it is lost. */
public final class CountCommand implements Command {

    /** Hidden: this process is one of the workers, and this is the file. */
    public static final String WORKER_OPTION = "--worker";
    /** Hidden: the node of this worker. */
    public static final String NODE_OPTION = "--at";

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
        return "Lets many processes increment a number in a file, under a lock of real nodes or without.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[--algorithm WORDS|all|none] [options]")
                .value(
                        SECTION,
                        "--algorithm",
                        "WORDS",
                        "of the lock, or all, or none (standard: none, then " + ServeOptions.DEFAULT_LOCK_ALGORITHM
                                + ")")
                .value(SECTION, "--workers", "N", "how many processes (standard: 10)")
                .value(SECTION, "--times", "N", "how often each increments (standard: 1000)")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .helpOption(SECTION)
                .hiddenOption(WORKER_OPTION, false)
                .hiddenOption(NODE_OPTION, false)
                .examples("habemus count --algorithm none", "habemus count --workers 10 --times 1000 --algorithm all");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        long times = NumberOptions.upTo(MAX_TIMES, parsed, "--times", 1_000);
        if (parsed.hasMatchedOption(WORKER_OPTION)) {
            return CountWorker.of(parsed, times).run(terminal);
        }
        int workers = (int) NumberOptions.upTo(MAX_WORKERS, parsed, "--workers", 10);
        var locks = locks(parsed);
        var counterExperiment = new CounterExperiment(workers, times);
        var progressLine = new ProgressLine(terminal);
        var results = new ArrayList<CounterExperiment.Result>();
        boolean asJson = parsed.hasMatchedOption("--json");
        for (var lock : locks) {
            progressLine.show(lock.map(AlgorithmSpec::text).orElse("no lock"), results.size(), locks.size());
            var result = counterExperiment.run(lock);
            results.add(result);
            progressLine.clear();
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

    private static List<Optional<AlgorithmSpec>> locks(ParseResult parsed) {
        var given = OutputOptions.text(parsed, "--algorithm");
        if (given.isPresent() && given.get().equals(NONE)) {
            return List.of(Optional.empty());
        }
        var locks = new ArrayList<Optional<AlgorithmSpec>>();
        if (given.isEmpty() || given.get().equals(ALL)) {
            locks.add(Optional.empty());
        }
        if (given.isPresent() && given.get().equals(ALL)) {
            AlgorithmSpec.names(Problem.MUTEX)
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
                result.isStuck() ? "; stuck before the " + String.format(Locale.ROOT, "%,d", result.requested()) : "");
    }

    private static JsonObject json(List<CounterExperiment.Result> results) {
        var rows = new JsonArray();
        for (var result : results) {
            var row = new JsonObject();
            row.addProperty(
                    "lock", result.algorithmSpec().map(AlgorithmSpec::text).orElse(NONE));
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
