package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus fuzz}: many runs, each by its seed, in search of one that breaks a promise. */
final class FuzzCommand implements Command {

    private static final String SECTION = "The search:";
    private static final long SEEDS = 1_000;
    private static final int NAME = 29;

    /** @param shorter the first violation, as short as it gets */
    private record Found(Fuzzer.Result result, Optional<ShortRun> shorter) {}

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
                .flag(SECTION, "--no-shrink", "does not look for a shorter run that is violated too")
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
        boolean shrinks = !parsed.hasMatchedOption("--no-shrink");
        var found = new ArrayList<Found>();
        var progress = new Progress(terminal);
        for (RunWords given : words) {
            long first = given.one(WorldOption.SEED).number(Long.MIN_VALUE, Long.MAX_VALUE - count);
            var name = given.algorithm().name();
            long before = found.size() * count;
            var result = new Fuzzer(given)
                    .fuzz(first, count, done -> progress.show(name, before + done, words.size() * count));
            progress.show("shrinking a run of " + name, before + count, words.size() * count);
            found.add(new Found(result, shrinks ? shorter(result) : Optional.empty()));
        }
        progress.clear();
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(json(found));
        } else {
            print(found, shrinks, terminal.out());
        }
        boolean broken =
                found.stream().anyMatch(each -> !each.result.violations().isEmpty());
        return broken ? ExitCode.VIOLATED : ExitCode.DONE;
    }

    /** Of the first violation of which the checker knows. */
    private static Optional<ShortRun> shorter(Fuzzer.Result result) {
        return result.violations().stream()
                .filter(Fuzzer.Violation::isKnownToChecker)
                .findFirst()
                .flatMap(violation -> ShortRun.of(ExperimentReader.read(violation.words()), violation.checked()));
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

    private static void print(List<Found> found, boolean shrinks, PrintStream out) {
        var row = "%-" + NAME + "s %12s %16s   %s%n";
        out.printf(row, "algorithm", "seeds", "steps", "violated");
        for (var each : found) {
            var result = each.result;
            var violated = result.violations().isEmpty() ? "nothing" : properties(result.violations());
            out.printf(row, result.algorithm().name(), result.seeds(), result.steps(), violated);
        }
        for (var each : found) {
            print(each.result, out);
            if (shrinks && !each.result.violations().isEmpty()) {
                out.println();
                each.shorter.ifPresentOrElse(run -> print(run, out), () -> out.println(ShortRun.NONE));
            }
        }
    }

    private static void print(Fuzzer.Result result, PrintStream out) {
        var bySeed = new TreeMap<Long, List<Fuzzer.Violation>>();
        result.violations()
                .forEach(violation -> bySeed.computeIfAbsent(violation.seed(), any -> new ArrayList<>())
                        .add(violation));
        bySeed.forEach((seed, violations) -> {
            out.println();
            out.println(result.algorithm().name() + ": " + properties(violations) + ", seen with");
            out.println("  " + ReplayLine.of(violations.getFirst().words()));
        });
    }

    private static void print(ShortRun run, PrintStream out) {
        var performance = Performance.of(ExperimentReader.read(run.words()), Output.NONE, out);
        out.println(run.text() + ":");
        performance.diagram(Output.NONE, new Paint(false)).ifPresent(diagram -> {
            out.println();
            out.println(diagram.stripTrailing());
            out.println();
        });
        out.println("  " + ReplayLine.of(run.words()));
    }

    private static String properties(List<Fuzzer.Violation> violations) {
        return violations.stream().map(Fuzzer.Violation::property).collect(Collectors.joining(", "));
    }

    private static JsonObject json(List<Found> found) {
        var rows = new JsonArray();
        for (var each : found) {
            var result = each.result;
            var row = new JsonObject();
            row.addProperty("algorithm", result.algorithm().name());
            row.addProperty("seeds", result.seeds());
            row.addProperty("steps", result.steps());
            var violations = new JsonArray();
            result.violations().forEach(violation -> violations.add(json(violation)));
            row.add("violations", violations);
            each.shorter.ifPresent(run -> row.add("shrunk", run.json()));
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
