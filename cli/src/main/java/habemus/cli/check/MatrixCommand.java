package habemus.cli.check;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.model.CheckOptions;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.lab.matrix.MatrixCell;
import habemus.lab.matrix.MatrixJson;
import habemus.lab.matrix.MatrixRow;
import habemus.lab.matrix.MatrixRunner;
import habemus.lab.matrix.MatrixText;
import habemus.smallscope.SmallScopes;
import habemus.world.Problem;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus matrix}: what every algorithm survives, as the checker finds it. */
public final class MatrixCommand implements Command {

    private static final String SECTION = "Options:";
    private static final List<String> PROBLEMS =
            Arrays.stream(Problem.values()).map(Problem::toString).toList();

    @Override
    public String name() {
        return "matrix";
    }

    @Override
    public String summary() {
        return "Checks every algorithm against every fault: what holds, what is violated, who is stuck, with the run.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[mutex | election | detector] [ALGORITHM…] [options]")
                .positionals("ALGORITHM", true)
                .value(
                        SECTION,
                        "--write",
                        "FOLDER",
                        "renews matrix.json, matrix.md, matrix.html and what the pages in algorithms say, in the folder"
                                + " of the documentation")
                .value(
                        SECTION,
                        "--cache",
                        "FILE",
                        "where cells are kept that were worked out (standard: " + MatrixCache.DEFAULT_FILE + ")")
                .flag(SECTION, "--fresh", "works out every cell anew, whatever is kept")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .helpOption(SECTION)
                .examples("habemus matrix mutex", "habemus matrix central quorum", "habemus matrix --write docs");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var words = parsed.matchedPositionals().stream()
                .flatMap(one -> one.stringValues().stream())
                .distinct()
                .toList();
        var algorithms = algorithms(words);
        var folder = OutputOptions.text(parsed, "--write");
        if (folder.isPresent() && !words.isEmpty()) {
            throw CommandException.usage(
                    "--write renews the whole matrix, and here are only some of its algorithms", "leave them out");
        }
        var docs = folder.map(MatrixDocs::open);
        var matrixCells = MatrixRunner.cells(algorithms);
        var store = new MatrixCache(OutputOptions.text(parsed, "--cache"), terminal);
        var matrixRunner = new MatrixRunner();
        matrixRunner.restore(store.rows(cells(each -> !algorithms.contains(each)))); // kept, whatever is asked for now
        if (!parsed.hasMatchedOption("--fresh")) {
            docs.ifPresent(pages -> matrixRunner.restore(pages.rows(matrixCells)));
            matrixRunner.restore(store.rows(matrixCells));
        }
        store.save(matrixRunner); // complains before anything is worked out
        if (!checkCells(matrixRunner, matrixCells, store, terminal)) {
            throw CommandException.failure(
                    "interrupted: " + matrixRunner.results(matrixCells).size() + " of " + matrixCells.size()
                            + " cells are done",
                    "what is done is kept, run it again to go on");
        }
        var matrixRows = matrixRunner.results(matrixCells);
        docs.ifPresent(pages -> pages.write(matrixRows));
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().print(MatrixJson.write(matrixRows, MatrixReplay::commandLine));
        } else {
            print(words, algorithms, matrixRows, terminal.out());
        }
        return ExitCode.OK;
    }

    private static List<MatrixCell> cells(Predicate<Algorithm> wanted) {
        return MatrixRunner.cells(Catalogue.ALL.stream().filter(wanted).toList());
    }

    /** @return whether all is done */
    private static boolean checkCells(
            MatrixRunner matrixRunner, List<MatrixCell> matrixCells, MatrixCache store, Terminal terminal) {
        var progressLine = new ProgressLine(terminal);
        try (var interruptSignal = new InterruptSignal()) {
            matrixRunner.run(matrixCells, new MatrixRunner.Listener() {
                @Override
                public boolean shouldContinue(CheckOptions.Progress sofar) {
                    return !interruptSignal.isInterrupted();
                }

                @Override
                public void onCellDone(MatrixRow matrixRow, int done, int all) {
                    progressLine.show(
                            done + "/" + all + " " + matrixRow.matrixCell() + ", Ctrl-C: goes on next time", done, all);
                    store.saveIfDue(matrixRunner);
                }
            });
            store.save(matrixRunner);
            progressLine.clear();
            return !interruptSignal.isInterrupted();
        }
    }

    /** Problems and algorithms may be mixed; nothing is everything. */
    private static List<Algorithm> algorithms(List<String> words) {
        for (String word : words) {
            if (!PROBLEMS.contains(word) && Catalogue.find(word).isEmpty()) {
                var names = Stream.concat(
                                PROBLEMS.stream(), Catalogue.ALL.stream().map(Algorithm::name))
                        .toList();
                throw CommandException.usage(
                        "there is no problem and no algorithm '" + word + "'",
                        SpellingSuggestion.hint(word, names) + "problems are " + String.join(", ", PROBLEMS)
                                + "; habemus list shows all algorithms");
            }
        }
        return Catalogue.ALL.stream()
                .filter(each -> words.isEmpty()
                        || words.contains(each.name())
                        || words.contains(each.problem().toString()))
                .toList();
    }

    private static void print(
            List<String> words, List<Algorithm> algorithms, List<MatrixRow> matrixRows, PrintStream out) {
        for (Problem problem : Problem.values()) {
            var some = matrixRows.stream()
                    .filter(matrixRow -> matrixRow.matrixCell().algorithm().problem() == problem)
                    .toList();
            if (!some.isEmpty()) {
                out.println(MatrixText.summary(problem, some));
            }
        }
        out.print(MatrixText.legend());
        algorithms.stream().filter(each -> words.contains(each.name())).forEach(each -> print(each, matrixRows, out));
    }

    private static void print(Algorithm algorithm, List<MatrixRow> matrixRows, PrintStream out) {
        for (var variant : SmallScopes.variants(algorithm)) {
            out.println();
            out.println((algorithm.name() + " " + variant.option()).strip());
            out.println();
            out.print(MatrixText.detail(algorithm, variant, matrixRows));
        }
        out.println();
        matrixRows.stream()
                .filter(matrixRow -> matrixRow.matrixCell().algorithm().equals(algorithm))
                .flatMap(MatrixCommand::runs)
                .distinct()
                .forEach(out::println);
    }

    /** Of whatever is not green, with the command that shows it. */
    private static Stream<String> runs(MatrixRow matrixRow) {
        return matrixRow.cellFindings().stream()
                .filter(cellFinding -> cellFinding.run().schedule().size() > 0)
                .map(cellFinding -> "%s: %s %s after %d%n  %s"
                        .formatted(
                                matrixRow.matrixCell(),
                                cellFinding.property(),
                                cellFinding.cellVerdict(),
                                cellFinding.run().steps(),
                                MatrixReplay.commandLine(
                                        matrixRow.matrixCell(),
                                        cellFinding.size(),
                                        cellFinding.run().schedule().toString())));
    }
}
