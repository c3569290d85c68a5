package habemus.cli.check;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.mutation.KilledMutant;
import habemus.lab.mutation.KillingRuns;
import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.MutantPage;
import habemus.lab.mutation.MutationReport;
import habemus.lab.source.InMemoryCompiler;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.ParseResult;

/** {@code habemus mutants}: algorithms with a few changed lines, and the runs that violate a property. */
public final class MutantsCommand implements Subcommand {

    private static final String SECTION = "Options:";

    @Override
    public String name() {
        return "mutants";
    }

    @Override
    public String summary() {
        return "Shows mutants: an algorithm with a few changed lines, and a run that violates a property.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[ALGORITHM | ALGORITHM/MUTANT] [options]")
                .positionals("ALGORITHM", false)
                .value(SECTION, "--svg", "FILE", "draws the run of one mutant")
                .value(SECTION, "--search", "FILE", "searches the runs again, and records them in FILE")
                .value(
                        SECTION,
                        "--write",
                        "FILE",
                        "also writes them into the marked section of FILE, and pictures beside it")
                .jsonFlag(SECTION)
                .colorOption(SECTION)
                .helpOption(SECTION)
                .exitCodes("0  every mutant is killed", "1  a mutant survives")
                .examples(
                        "habemus mutants",
                        "habemus mutants central",
                        "habemus mutants ricart-agrawala/forget-the-tie-break --svg tie.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var name = ParsedOptions.firstArgument(parsed);
        var mutants = name.map(MutantsCommand::find).orElseGet(Mutant::all);
        var svg = ParsedOptions.text(parsed, "--svg");
        var record = ParsedOptions.text(parsed, "--search");
        var page = ParsedOptions.text(parsed, "--write");
        rejectConflictingOptions(mutants, svg.isPresent(), record.isPresent(), page.isPresent(), name.orElse(""));
        var command =
                MutantPage.COMMAND + name.map(algorithm -> " " + algorithm).orElse("");
        var colors = terminal.colors(ParsedOptions.get(parsed, "--color"));
        page.ifPresent(file -> page(file, command)); // reports errors before anything runs
        var output =
                findKillingRuns(record.isPresent() ? MutationReport.empty() : MutationReport.load(), mutants, terminal);
        svg.ifPresent(file -> output.killedMutants()
                .forEach(mutant -> AtomicOutputFile.write(file, RunSvg.draw(mutant.recording()))));
        record.ifPresent(file ->
                AtomicOutputFile.write(file, KillingRuns.toJson(KillingRuns.recordedWith(output.killingRuns()))));
        page.ifPresent(file -> write(file, command, name.isPresent(), output.killedMutants()));
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? output.json() + "\n"
                                : name.isPresent() ? output.text(colors) : output.table());
        return output.survivors().isEmpty() ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static void rejectConflictingOptions(
            List<Mutant> mutants, boolean drawn, boolean searched, boolean written, String name) {
        if (drawn && mutants.size() != 1) {
            throw CommandException.usage("--svg draws one mutant, not " + mutants.size(), "name one: ALGORITHM/MUTANT");
        }
        if (searched && name.contains("/")) {
            throw CommandException.usage("--search covers all mutants of an algorithm", "name only the algorithm");
        }
        if (written && !name.isEmpty() && !MutantPage.hasOwnPage(name)) {
            throw CommandException.usage("--write covers all mutants: " + name + " has no page", "leave out the name");
        }
    }

    private static List<Mutant> find(String name) {
        var parts = name.split("/", 2);
        var names = Catalogue.ALL.stream()
                .map(Algorithm::name)
                .filter(algorithm -> !Mutant.of(algorithm).isEmpty())
                .toList();
        if (!names.contains(parts[0])) {
            throw CommandException.usage(
                    "no mutants of '" + parts[0] + "'",
                    SpellingSuggestion.hint(parts[0], names) + MutantPage.COMMAND + " shows all");
        }
        var mutants = Mutant.of(parts[0]);
        if (parts.length == 1) {
            return mutants;
        }
        var known = mutants.stream().map(Mutant::name).toList();
        if (!known.contains(parts[1])) {
            throw CommandException.usage(
                    parts[0] + " has no mutant '" + parts[1] + "'",
                    SpellingSuggestion.hint(parts[1], known) + MutantPage.COMMAND + " " + parts[0] + " shows all");
        }
        return List.of(mutants.get(known.indexOf(parts[1])));
    }

    /** Writes the section of the page, and for the page of one algorithm its pictures. */
    private static void write(String file, String command, boolean hasOwnPage, List<KilledMutant> killedMutants) {
        if (hasOwnPage) {
            MutantPage.pictures(killedMutants)
                    .forEach((picture, svg) -> AtomicOutputFile.write(
                            Path.of(file).resolveSibling(picture).toString(), svg));
        }
        var section = hasOwnPage ? MutantPage.ofAlgorithm(killedMutants) : MutantPage.of(killedMutants);
        AtomicOutputFile.write(file, page(file, command).replaceWith(section));
    }

    private static MarkdownSection page(String file, String command) {
        return MarkdownFile.readSection(file, command, "the mutants");
    }

    /** In parallel: compiling the mutants takes most of the time. */
    private static MutantsOutput findKillingRuns(
            MutationReport mutationReport, List<Mutant> mutants, Terminal terminal) {
        var progress = new ProgressLine(terminal);
        var done = new AtomicInteger();
        int all = mutants.size();
        try {
            return MutantsOutput.of(mutants.parallelStream()
                    .map(mutant -> {
                        var killed = mutationReport.replayOrSearch(
                                mutant, world -> progress.show(mutant + ", " + world, done.get(), all));
                        progress.show(mutant.toString(), done.incrementAndGet(), all);
                        return new MutantsOutput.MutantResult(mutant, killed);
                    })
                    .toList());
        } catch (InMemoryCompiler.NoCompilerException runtime) {
            throw CommandException.failure(
                    "cannot compile mutants (this Java has no compiler)", "set JAVA_HOME to a JDK 21 or newer");
        } catch (Mutant.InvalidMutantException invalidMutantException) {
            throw CommandException.failure(
                    String.valueOf(invalidMutantException.getMessage()),
                    "correct the mutant in lab/src/main/resources/mutants");
        } finally {
            progress.clear();
        }
    }
}
