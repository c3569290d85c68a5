package habemus.cli.check;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.model.CheckOptions;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.matrix.MatrixCell;
import habemus.lab.matrix.MatrixJson;
import habemus.lab.matrix.MatrixRow;
import habemus.lab.matrix.MatrixRunner;
import habemus.lab.matrix.MatrixText;
import habemus.smallscope.SmallScopes;
import habemus.world.Problem;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus matrix}: what every algorithm survives, as the checker finds it. */
public final class MatrixCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final List<String> PROBLEMS =
            MatrixRow.PROBLEMS.stream().map(Problem::toString).toList();

    @Override
    public String name() {
        return "matrix";
    }

    @Override
    public String summary() {
        return "Checks every algorithm under every fault kind: what holds, what is violated, and by which run.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[mutex | election | detector] [ALGORITHM…] [options]")
                .positionals("ALGORITHM", true)
                .value(
                        SECTION,
                        "--write",
                        "FOLDER",
                        "updates matrix.json, matrix.md, matrix.html and the algorithm pages in this folder of the"
                                + " documentation")
                .value(
                        SECTION,
                        "--cache",
                        "FILE",
                        "cache of the checked cells (default: " + MatrixCache.DEFAULT_FILE + ")")
                .flag(SECTION, "--fresh", "checks every cell again, without the cache")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .exitCodes(
                        "0  all cells are checked, whatever they show",
                        "5  Ctrl-C ended the check: the same command continues it")
                .examples("habemus matrix mutex", "habemus matrix central quorum", "habemus matrix --write docs");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var names = ParsedOptions.arguments(parsed).stream().distinct().toList();
        var algorithms = algorithms(names);
        var folder = ParsedOptions.text(parsed, "--write");
        if (folder.isPresent() && !names.isEmpty()) {
            throw CommandException.usage(
                    "--write updates the whole matrix, not single algorithms", "leave out the names of algorithms");
        }
        var docs = folder.map(MatrixDocs::open);
        var cells = MatrixRunner.cells(algorithms);
        var cache = new MatrixCache(ParsedOptions.text(parsed, "--cache"), terminal);
        var matrixRunner = new MatrixRunner();
        matrixRunner.restore(cache.rows(cells(
                candidate -> !algorithms.contains(candidate)))); // keep the cells of other algorithms in the cache
        if (!parsed.hasMatchedOption("--fresh")) {
            docs.ifPresent(pages -> matrixRunner.restore(pages.rows(cells)));
            matrixRunner.restore(cache.rows(cells));
        }
        cache.save(matrixRunner); // reports errors before anything runs
        if (!checkCells(matrixRunner, cells, cache, terminal)) {
            throw CommandException.incomplete(
                    "interrupted: " + matrixRunner.results(cells).size() + " of " + cells.size() + " cells are checked",
                    "run the command again to continue");
        }
        var rows = matrixRunner.results(cells);
        docs.ifPresent(pages -> pages.write(rows));
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().print(MatrixJson.write(rows, MatrixReplay::commandLine));
        } else {
            print(names, algorithms, rows, terminal);
        }
        return ExitCode.OK;
    }

    private static List<MatrixCell> cells(Predicate<Algorithm> wanted) {
        return MatrixRunner.cells(Catalogue.ALL.stream().filter(wanted).toList());
    }

    /** @return whether all cells are checked, and Ctrl-C was not pressed */
    private static boolean checkCells(
            MatrixRunner matrixRunner, List<MatrixCell> cells, MatrixCache cache, Terminal terminal) {
        var progressLine = new ProgressLine(terminal);
        try (var interrupt = new InterruptSignal()) {
            matrixRunner.run(cells, new MatrixRunner.Listener() {
                @Override
                public boolean shouldContinue(CheckOptions.Progress progress) {
                    return !interrupt.isInterrupted();
                }

                @Override
                public void onCellDone(MatrixRow row, int done, int all) {
                    progressLine.show(done + "/" + all + " " + row.cell() + ", Ctrl-C saves and stops", done, all);
                    cache.saveIfDue(matrixRunner);
                }
            });
            cache.save(matrixRunner);
            progressLine.clear();
            return !interrupt.isInterrupted();
        }
    }

    /** The algorithms named, directly or by their problem; all if the list is empty. */
    private static List<Algorithm> algorithms(List<String> names) {
        for (String name : names) {
            if (!PROBLEMS.contains(name) && Catalogue.find(name).isEmpty()) {
                var known = Stream.concat(
                                PROBLEMS.stream(), Catalogue.ALL.stream().map(Algorithm::name))
                        .toList();
                throw CommandException.usage(
                        "unknown problem or algorithm: '" + name + "'",
                        SpellingSuggestion.hint(name, known) + "problems: " + String.join(", ", PROBLEMS)
                                + "; habemus list shows all algorithms");
            }
        }
        return Catalogue.ALL.stream()
                .filter(candidate -> names.isEmpty()
                        || names.contains(candidate.name())
                        || names.contains(candidate.problem().toString()))
                .toList();
    }

    private static void print(List<String> names, List<Algorithm> algorithms, List<MatrixRow> rows, Terminal terminal) {
        var out = terminal.out();
        for (Problem problem : MatrixRow.PROBLEMS) {
            var problemRows = rows.stream()
                    .filter(row -> row.cell().algorithm().problem() == problem)
                    .toList();
            if (!problemRows.isEmpty()) {
                out.println(MatrixText.summary(problem, problemRows).text(terminal.columns()));
            }
        }
        out.print(MatrixText.legend());
        algorithms.stream()
                .filter(candidate -> names.contains(candidate.name()))
                .forEach(candidate -> print(candidate, rows, terminal));
    }

    private static void print(Algorithm algorithm, List<MatrixRow> rows, Terminal terminal) {
        var out = terminal.out();
        for (var variant : SmallScopes.variants(algorithm)) {
            out.println();
            out.println((algorithm.name() + " " + variant.option()).strip());
            out.println();
            out.print(MatrixText.detail(algorithm, variant, rows).text(terminal.columns()));
        }
        out.println();
        rows.stream()
                .filter(row -> row.cell().algorithm().equals(algorithm))
                .flatMap(MatrixCommand::runs)
                .distinct()
                .forEach(out::println);
    }

    /** The violations of a cell, each with its replay command. */
    private static Stream<String> runs(MatrixRow row) {
        return row.findings().stream()
                .filter(finding -> finding.run().schedule().size() > 0)
                .map(finding -> "%s: %s %s after %d%n  %s"
                        .formatted(
                                row.cell(),
                                finding.property(),
                                finding.verdict(),
                                finding.run().steps(),
                                MatrixReplay.commandLine(
                                        row.cell(),
                                        finding,
                                        finding.run().schedule().toString())));
    }
}
