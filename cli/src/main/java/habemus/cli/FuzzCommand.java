package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus fuzz}: many runs, each by its seed, in search of one that breaks a promise. */
final class FuzzCommand implements Command {

    private static final String SECTION = "The search:";
    private static final long SEEDS = 1_000;
    private static final int NAME = 29;

    @Override
    public String name() {
        return "fuzz";
    }

    @Override
    public String summary() {
        return "Tries seed after seed; says which properties are violated, and how to see it.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        var sheet = new Sheet(this, "[ALGORITHM…] [options]").words("ALGORITHM", true);
        sheet.value(SECTION, "--seeds", "N", "how many seeds are tried (standard: " + SEEDS + "), from --seed on")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION);
        RunSyntax.add(sheet, RunSyntax.named(args), WorldOption.simulated());
        return sheet.example(
                "habemus fuzz                                    every algorithm, as it promises",
                "habemus fuzz bully --seeds 10000",
                "habemus fuzz ricart-agrawala-by-priority -n 3   all properties, without faults",
                "habemus fuzz chang-roberts --swarm=crash        all properties, with crashes");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var algorithms = algorithms(parsed);
        long count = Output.number(parsed, "--seeds", SEEDS);
        var words = algorithms.stream()
                .map(algorithm -> RunWords.of(algorithm, RunSyntax.given(parsed)))
                .toList();
        var results = new ArrayList<Fuzzer.Result>();
        var progress = new Progress(terminal);
        for (RunWords given : words) {
            long first = given.one(WorldOption.SEED).number(Long.MIN_VALUE, Long.MAX_VALUE - count);
            var name = given.algorithm().name();
            long before = results.size() * count;
            results.add(new Fuzzer(given)
                    .fuzz(first, count, done -> progress.show(name, before + done, words.size() * count)));
        }
        progress.clear();
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(json(results));
        } else {
            print(results, terminal.out());
        }
        boolean broken =
                results.stream().anyMatch(result -> !result.violations().isEmpty());
        return broken ? ExitCode.VIOLATED : ExitCode.DONE;
    }

    /** All that are not broken on purpose, if none is named. */
    private static List<Algorithm> algorithms(ParseResult parsed) {
        var named = parsed.matchedPositionals().stream()
                .flatMap(word -> word.stringValues().stream())
                .distinct()
                .map(RunSyntax::algorithm)
                .toList();
        return named.isEmpty()
                ? Catalogue.ALL.stream().filter(one -> !one.broken()).toList()
                : named;
    }

    private static void print(List<Fuzzer.Result> results, PrintStream out) {
        var row = "%-" + NAME + "s %12s %16s   %s%n";
        out.printf(row, "algorithm", "seeds", "steps", "violated");
        for (var result : results) {
            var found = result.violations().isEmpty() ? "nothing" : properties(result.violations());
            out.printf(row, result.algorithm().name(), result.seeds(), result.steps(), found);
        }
        for (var result : results) {
            var bySeed = new TreeMap<Long, List<Fuzzer.Violation>>();
            result.violations()
                    .forEach(v -> bySeed.computeIfAbsent(v.seed(), any -> new ArrayList<>())
                            .add(v));
            bySeed.forEach((seed, violations) -> {
                out.println();
                out.println(result.algorithm().name() + ": " + properties(violations) + ", seen with");
                out.println("  " + ReplayLine.of(violations.getFirst().words()));
            });
        }
    }

    private static String properties(List<Fuzzer.Violation> violations) {
        return violations.stream().map(Fuzzer.Violation::property).collect(Collectors.joining(", "));
    }

    private static JsonObject json(List<Fuzzer.Result> results) {
        var rows = new JsonArray();
        for (var result : results) {
            var row = new JsonObject();
            row.addProperty("algorithm", result.algorithm().name());
            row.addProperty("seeds", result.seeds());
            row.addProperty("steps", result.steps());
            var violations = new JsonArray();
            result.violations().forEach(violation -> violations.add(json(violation)));
            row.add("violations", violations);
            rows.add(row);
        }
        var json = new JsonObject();
        json.add("rows", rows);
        return json;
    }

    private static JsonObject json(Fuzzer.Violation violation) {
        var json = new JsonObject();
        json.addProperty("property", violation.property());
        json.addProperty("seed", violation.seed());
        json.addProperty("replay", ReplayLine.of(violation.words()));
        return json;
    }
}
