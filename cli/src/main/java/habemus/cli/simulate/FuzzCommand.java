package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.RunOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.WorldOption;
import habemus.lab.table.AnsiColors;
import habemus.lab.table.TextTable;
import habemus.world.Verdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus fuzz}: runs many seeds in search of a violated property. */
public final class FuzzCommand implements Subcommand {

    private static final String SECTION = "Search:";
    private static final long SEEDS = 1_000;
    private static final int NAME = 29;

    /** @param shrunkRun the first violation, shrunk */
    private record FuzzResult(Fuzzer.Result result, Optional<ShrunkRun> shrunkRun) {}

    @Override
    public String name() {
        return "fuzz";
    }

    @Override
    public String summary() {
        return "Runs many seeds; prints the violated properties with their replay commands.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        if (args.contains(ServiceFuzz.NAME)) {
            return ServiceFuzz.syntax(this);
        }
        var syntax = new CommandSyntax(this, "[ALGORITHM…] [options]").positionals("ALGORITHM", true);
        syntax.value(
                        SECTION,
                        "--seeds",
                        "N",
                        NumberOptions.count().withDefault(SEEDS),
                        "number of seeds, starting at --seed")
                .flag(SECTION, "--no-shrink", "does not shrink the violating run")
                .value(SECTION, "--write", "FILE", "also writes the figures into the marked section of FILE")
                .jsonFlag(SECTION)
                .helpOption(SECTION);
        RunOptions.add(syntax, RunOptions.mentionedAlgorithms(args), WorldOption.simulated());
        return syntax.exitCodes(
                        "0  no property that counts is violated (see --require)",
                        "1  a property that counts is violated, or a step fails")
                .examples(
                        "habemus fuzz                                    every algorithm, its guarantees",
                        "habemus fuzz bully --seeds 10000",
                        "habemus fuzz ricart-agrawala-by-priority -n 3   all properties, without faults",
                        "habemus fuzz chang-roberts --swarm=crash        all properties, with crashes",
                        "habemus fuzz service --help                     the whole lock service");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (ParsedOptions.arguments(parsed).contains(ServiceFuzz.NAME)) {
            return ServiceFuzz.run(parsed, terminal);
        }
        var algorithms = algorithms(parsed);
        long count = ParsedOptions.<Long>get(parsed, "--seeds");
        var runs = algorithms.stream()
                .map(algorithm -> RunArguments.of(algorithm, RunOptions.experimentOptions(parsed)))
                .toList();
        boolean shrinks = !parsed.hasMatchedOption("--no-shrink");
        var page = ParsedOptions.text(parsed, "--write");
        page.ifPresent(file -> section(file, algorithms)); // fails before the search if the file has no section
        var fuzzResults = new ArrayList<FuzzResult>();
        var progress = new ProgressLine(terminal);
        for (RunArguments arguments : runs) {
            long first = arguments.value(WorldOption.SEED).number(Long.MIN_VALUE, Long.MAX_VALUE - count);
            var name = arguments.algorithm().name();
            long before = fuzzResults.size() * count;
            var result = new Fuzzer(arguments)
                    .fuzz(first, count, done -> progress.show(name, before + done, runs.size() * count));
            progress.show("shrinking a run of " + name, before + count, runs.size() * count);
            fuzzResults.add(new FuzzResult(result, shrinks ? shrink(result) : Optional.empty()));
        }
        progress.clear();
        page.ifPresent(
                file -> AtomicOutputFile.write(file, section(file, algorithms).replaceWith(markdown(fuzzResults))));
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(document(fuzzResults));
        } else {
            print(fuzzResults, shrinks, terminal.out());
        }
        boolean broken = fuzzResults.stream()
                .anyMatch(fuzzResult -> !fuzzResult.result.violations().isEmpty());
        return broken ? ExitCode.VIOLATED : ExitCode.OK;
    }

    /** Shrinks the first violation of a property that the checker knows, and one that counts if there is one. */
    private static Optional<ShrunkRun> shrink(Fuzzer.Result result) {
        return Stream.concat(result.violations().stream(), result.notGuaranteed().stream())
                .filter(Fuzzer.Violation::isKnownToChecker)
                .findFirst()
                .flatMap(violation ->
                        ShrunkRun.shrink(ExperimentParser.parse(violation.arguments()), violation.checkerProperty()));
    }

    /** The named algorithms; if none is named, all that are not broken on purpose. */
    private static List<Algorithm> algorithms(ParseResult parsed) {
        var named = ParsedOptions.arguments(parsed).stream()
                .distinct()
                .map(RunOptions::algorithm)
                .toList();
        return named.isEmpty()
                ? Catalogue.ALL.stream()
                        .filter(algorithm -> !algorithm.broken())
                        .toList()
                : named;
    }

    private static MarkdownSection section(String file, List<Algorithm> algorithms) {
        var names = algorithms.stream().map(Algorithm::name).collect(Collectors.joining(" "));
        return MarkdownFile.readSection(file, "habemus fuzz " + names, "the figures of the search");
    }

    private static String markdown(List<FuzzResult> fuzzResults) {
        var figures = new TextTable("algorithm", "seeds", "steps", "violated");
        var coverage = new TextTable("times", "situation");
        for (var fuzzResult : fuzzResults) {
            var result = fuzzResult.result;
            figures.row(
                    result.algorithm().name(),
                    ServiceFuzzTotals.format(result.seeds()),
                    ServiceFuzzTotals.format(result.steps()),
                    violated(result));
            result.coverage()
                    .forEach((situation, times) -> coverage.row(ServiceFuzzTotals.format(times), situation.sentence()));
        }
        return "\n" + figures.markdown() + "\n" + coverage.markdown() + "\n";
    }

    private static void print(List<FuzzResult> fuzzResults, boolean shrinks, PrintStream out) {
        var row = "%-" + NAME + "s %12s %16s   %s%n";
        out.printf(row, "algorithm", "seeds", "steps", "violated");
        for (var fuzzResult : fuzzResults) {
            var result = fuzzResult.result;
            out.printf(row, result.algorithm().name(), result.seeds(), result.steps(), violated(result));
        }
        fuzzResults.forEach(each -> printCoverage(each.result, out));
        for (var fuzzResult : fuzzResults) {
            var result = fuzzResult.result;
            print(result, "", result.violations(), out);
            print(result, Verdict.notGuaranteed(Verdict.VIOLATED.answer()) + ": ", result.notGuaranteed(), out);
            if (shrinks && !result.all().isEmpty()) {
                out.println();
                fuzzResult.shrunkRun.ifPresentOrElse(run -> print(run, out), () -> out.println(ShrunkRun.NOT_SHRUNK));
            }
        }
    }

    /** What the runs of a replicated log went through. */
    private static void printCoverage(Fuzzer.Result result, PrintStream out) {
        if (!result.coverage().isEmpty()) {
            out.println();
            out.println(result.algorithm().name() + ": what the runs went through");
            result.coverage().forEach((situation, times) -> out.printf("%,15d  %s%n", times, situation.sentence()));
        }
    }

    private static void print(
            Fuzzer.Result result, String verdict, List<Fuzzer.Violation> violations, PrintStream out) {
        var bySeed = new TreeMap<Long, List<Fuzzer.Violation>>();
        violations.forEach(violation -> bySeed.computeIfAbsent(violation.seed(), any -> new ArrayList<>())
                .add(violation));
        bySeed.forEach((seed, ofSeed) -> {
            out.println();
            out.println(result.algorithm().name() + ": " + verdict + properties(ofSeed) + ", replay with");
            out.println("  " + ReplayCommandLine.of(ofSeed.getFirst().arguments()));
        });
    }

    private static void print(ShrunkRun run, PrintStream out) {
        var completedRun = ExperimentRunner.run(ExperimentParser.parse(run.arguments()), OutputOptions.NONE, out);
        out.println(run.text() + ":");
        ExperimentRunner.diagram(completedRun, OutputOptions.NONE, AnsiColors.NONE)
                .ifPresent(diagram -> {
                    out.println();
                    out.println(diagram.stripTrailing());
                    out.println();
                });
        out.println("  " + ReplayCommandLine.of(run.arguments()));
    }

    private static String violated(Fuzzer.Result result) {
        return result.violations().isEmpty() ? "nothing" : properties(result.violations());
    }

    private static String properties(List<Fuzzer.Violation> violations) {
        return violations.stream().map(Fuzzer.Violation::property).collect(Collectors.joining(", "));
    }

    private static JsonObject document(List<FuzzResult> fuzzResults) {
        var rows = new JsonArray();
        for (var fuzzResult : fuzzResults) {
            var result = fuzzResult.result;
            var row = new JsonObject();
            row.addProperty("algorithm", result.algorithm().name());
            row.addProperty("seeds", result.seeds());
            row.addProperty("steps", result.steps());
            row.add("violations", json(result.violations()));
            row.add("notGuaranteed", json(result.notGuaranteed()));
            if (!result.coverage().isEmpty()) {
                var coverage = new JsonObject();
                result.coverage().forEach((situation, times) -> coverage.addProperty(situation.toString(), times));
                row.add("coverage", coverage);
            }
            fuzzResult.shrunkRun.ifPresent(run -> row.add("shrunk", run.json()));
            rows.add(row);
        }
        var json = new JsonObject();
        json.add("rows", rows);
        return json;
    }

    private static JsonArray json(List<Fuzzer.Violation> violations) {
        var all = new JsonArray();
        violations.forEach(violation -> all.add(json(violation)));
        return all;
    }

    private static JsonObject json(Fuzzer.Violation violation) {
        var json = new JsonObject();
        json.addProperty("property", violation.property());
        json.addProperty("seed", violation.seed());
        json.addProperty("replay", ReplayCommandLine.of(violation.arguments()));
        return json;
    }
}
