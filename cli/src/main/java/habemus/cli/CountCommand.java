package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Recipe;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus count}: many processes increment a number in a file; with a lock none of it is lost. */
final class CountCommand implements Command {

    /** Hidden: this process is one of the workers, and this is the file. */
    static final String WORKER = "--worker";
    /** Hidden: the node of this worker. */
    static final String AT = "--at";

    private static final String SECTION = "Options:";
    private static final String NONE = "none";
    private static final String ALL = "all";
    private static final int WORKERS_MAX = 100;
    private static final long TIMES_MAX = 10_000_000;

    @Override
    public String name() {
        return "count";
    }

    @Override
    public String summary() {
        return "Lets many processes increment a number in a file, under a lock of real nodes or without.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "[--algorithm WORDS|all|none] [options]")
                .value(
                        SECTION,
                        "--algorithm",
                        "WORDS",
                        "of the lock, or all, or none (standard: none, then " + ServeOptions.LOCKS + ")")
                .value(SECTION, "--workers", "N", "how many processes (standard: 10)")
                .value(SECTION, "--times", "N", "how often each increments (standard: 1000)")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .hidden(WORKER, false)
                .hidden(AT, false)
                .example("habemus count --algorithm none", "habemus count --workers 10 --times 1000 --algorithm all");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        long times = Numbers.upTo(TIMES_MAX, parsed, "--times", 1_000);
        if (parsed.hasMatchedOption(WORKER)) {
            return CountWorker.of(parsed, times).run(terminal);
        }
        int workers = (int) Numbers.upTo(WORKERS_MAX, parsed, "--workers", 10);
        var locks = locks(parsed);
        var counting = new Counting(workers, times);
        var progress = new Progress(terminal);
        var results = new ArrayList<Counting.Result>();
        boolean asJson = parsed.hasMatchedOption("--json");
        for (var lock : locks) {
            progress.show(lock.map(Recipe::text).orElse("no lock"), results.size(), locks.size());
            var result = counting.run(lock);
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
        return results.stream().allMatch(Counting.Result::isFine) ? ExitCode.DONE : ExitCode.VIOLATED;
    }

    private static List<Optional<Recipe>> locks(ParseResult parsed) {
        var given = Output.text(parsed, "--algorithm");
        if (given.isPresent() && given.get().equals(NONE)) {
            return List.of(Optional.empty());
        }
        var locks = new ArrayList<Optional<Recipe>>();
        if (given.isEmpty() || given.get().equals(ALL)) {
            locks.add(Optional.empty());
        }
        if (given.isPresent() && given.get().equals(ALL)) {
            Recipe.names(Problem.MUTEX).forEach(name -> locks.add(Optional.of(Recipe.parse(name, Problem.MUTEX))));
        } else {
            locks.add(Optional.of(
                    ServeOptions.recipe(parsed, "--algorithm", ServeOptions.LOCKS, Problem.MUTEX, Counting.NODES)));
        }
        return locks;
    }

    private static String line(Counting.Result result) {
        return String.format(
                Locale.ROOT,
                "%-24s %,9d of %,d, %,d lost, in %.1f s%s",
                result.name(),
                result.counted(),
                result.incremented(),
                result.lost(),
                result.seconds(),
                result.isStuck() ? "; stuck before the " + String.format(Locale.ROOT, "%,d", result.asked()) : "");
    }

    private static JsonObject json(List<Counting.Result> results) {
        var rows = new JsonArray();
        for (var result : results) {
            var row = new JsonObject();
            row.addProperty("lock", result.recipe().map(Recipe::text).orElse(NONE));
            row.addProperty("asked", result.asked());
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
