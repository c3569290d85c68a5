package habemus.cli.check;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.AnsiColors;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.mutation.KillingRuns;
import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.MutantCompiler;
import habemus.lab.mutation.MutantPage;
import habemus.lab.mutation.MutationReport;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.ParseResult;

/** {@code habemus museum}: the algorithms with a line changed, and the runs that show what comes of it. */
public final class MutantsCommand implements Command {

    private static final String SECTION = "Options:";

    @Override
    public String name() {
        return "museum";
    }

    @Override
    public String summary() {
        return "Shows mutants: an algorithm with one line changed, and a shortest run that shows what breaks.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[ALGORITHM | ALGORITHM/MUTANT] [options]")
                .positionals("ALGORITHM", false)
                .value(SECTION, "--svg", "FILE", "draws the run of one mutant")
                .value(SECTION, "--search", "FILE", "searches all runs anew, and records them in FILE")
                .value(SECTION, "--write", "FILE", "also puts all of them into FILE, between its two marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .value(SECTION, "--color", "WHEN", "auto, always or never")
                .helpOption(SECTION)
                .examples(
                        "habemus museum",
                        "habemus museum central",
                        "habemus museum ricart-agrawala/forget-the-tie-break --svg tie.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var named = parsed.matchedPositionals().stream()
                .flatMap(one -> one.stringValues().stream())
                .findFirst();
        var mutants = named.map(MutantsCommand::named).orElseGet(Mutant::all);
        var svg = OutputOptions.text(parsed, "--svg");
        var record = OutputOptions.text(parsed, "--search");
        var page = OutputOptions.text(parsed, "--write");
        rejectConflictingOptions(mutants, svg.isPresent(), record.isPresent() || page.isPresent(), named.isPresent());
        var ansiColors = AnsiColors.of(OutputOptions.text(parsed, "--color").orElse("auto"), terminal);
        page.ifPresent(MutantsCommand::page); // complains before anything is searched
        var shown =
                findKillingRuns(record.isPresent() ? MutationReport.empty() : MutationReport.load(), mutants, terminal);
        svg.ifPresent(file ->
                shown.killedMutants().forEach(one -> AtomicOutputFile.write(file, RunSvg.draw(one.recording()))));
        record.ifPresent(file -> AtomicOutputFile.write(file, KillingRuns.toJson(shown.killingRuns())));
        page.ifPresent(
                file -> AtomicOutputFile.write(file, page(file).replaceWith(MutantPage.of(shown.killedMutants()))));
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? shown.json() + "\n"
                                : named.isPresent() ? shown.text(ansiColors) : shown.table());
        return shown.survivors().isEmpty() ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static void rejectConflictingOptions(List<Mutant> mutants, boolean drawn, boolean written, boolean named) {
        if (drawn && mutants.size() != 1) {
            throw CommandException.usage(
                    "--svg draws one mutant, and there are " + mutants.size(), "name one, as ALGORITHM/MUTANT");
        }
        if (written && named) {
            throw CommandException.usage(
                    "all mutants are recorded and written, not one alone", "leave out what you named");
        }
    }

    private static List<Mutant> named(String word) {
        var parts = word.split("/", 2);
        var names = Catalogue.ALL.stream()
                .map(Algorithm::name)
                .filter(name -> !Mutant.of(name).isEmpty())
                .toList();
        if (!names.contains(parts[0])) {
            throw CommandException.usage(
                    "there are no mutants of '" + parts[0] + "'",
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

    private static MarkdownSection page(String file) {
        return MarkdownFile.readSection(file, MutantPage.COMMAND, "the museum");
    }

    /** Two at a time, or more where there are more processors: most of the time is the compiler's. */
    private static MutantsOutput findKillingRuns(
            MutationReport mutationReport, List<Mutant> mutants, Terminal terminal) {
        var progressLine = new ProgressLine(terminal);
        var done = new AtomicInteger();
        int all = mutants.size();
        try {
            return MutantsOutput.of(mutants.parallelStream()
                    .map(mutant -> {
                        var shown = mutationReport.replayOrSearch(
                                mutant, world -> progressLine.show(mutant + ", " + world.size(), done.get(), all));
                        progressLine.show(mutant.toString(), done.incrementAndGet(), all);
                        return new MutantsOutput.MutantResult(mutant, shown);
                    })
                    .toList());
        } catch (MutantCompiler.NoCompilerException runtime) {
            throw CommandException.failure(
                    "a mutant has to be compiled, and this Java only runs what is compiled",
                    "set JAVA_HOME to a JDK, of 21 or newer");
        } catch (Mutant.InvalidMutantException invalidMutantException) {
            throw CommandException.failure(
                    String.valueOf(invalidMutantException.getMessage()),
                    "correct it in lab/src/main/resources/mutants");
        } finally {
            progressLine.clear();
        }
    }
}
