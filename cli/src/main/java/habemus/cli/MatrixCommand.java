package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.Effort;
import habemus.lab.matrix.Cell;
import habemus.lab.matrix.Matrix;
import habemus.lab.matrix.MatrixJson;
import habemus.lab.matrix.MatrixText;
import habemus.lab.matrix.Row;
import habemus.small.SmallWorlds;
import habemus.world.Problem;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus matrix}: what every algorithm survives, as the checker finds it. */
final class MatrixCommand implements Command {

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
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "[mutex | election | detector] [ALGORITHM…] [options]")
                .words("ALGORITHM", true)
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
                        "where cells are kept that were worked out (standard: " + MatrixStore.STANDARD + ")")
                .flag(SECTION, "--fresh", "works out every cell anew, whatever is kept")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example("habemus matrix mutex", "habemus matrix central quorum", "habemus matrix --write docs");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var words = parsed.matchedPositionals().stream()
                .flatMap(one -> one.stringValues().stream())
                .distinct()
                .toList();
        var algorithms = algorithms(words);
        var folder = Output.text(parsed, "--write");
        if (folder.isPresent() && !words.isEmpty()) {
            throw Refusal.wrong(
                    "--write renews the whole matrix, and here are only some of its algorithms", "leave them out");
        }
        var docs = folder.map(MatrixDocs::in);
        var cells = Matrix.cells(algorithms);
        var store = new MatrixStore(Output.text(parsed, "--cache"), terminal);
        var matrix = new Matrix();
        matrix.recall(store.rows(cells(each -> !algorithms.contains(each)))); // kept, whatever is asked for now
        if (!parsed.hasMatchedOption("--fresh")) {
            docs.ifPresent(pages -> matrix.recall(pages.rows(cells)));
            matrix.recall(store.rows(cells));
        }
        store.finish(matrix); // complains before anything is worked out
        if (!workOut(matrix, cells, store, terminal)) {
            throw Refusal.cannot(
                    "interrupted: " + matrix.known(cells).size() + " of " + cells.size() + " cells are done",
                    "what is done is kept, run it again to go on");
        }
        var rows = matrix.known(cells);
        docs.ifPresent(pages -> pages.write(rows));
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().print(MatrixJson.write(rows, MatrixReplay::line));
        } else {
            print(words, algorithms, rows, terminal.out());
        }
        return ExitCode.DONE;
    }

    private static List<Cell> cells(Predicate<Algorithm> wanted) {
        return Matrix.cells(Catalogue.ALL.stream().filter(wanted).toList());
    }

    /** @return whether all is done */
    private static boolean workOut(Matrix matrix, List<Cell> cells, MatrixStore store, Terminal terminal) {
        var progress = new Progress(terminal);
        try (var interruption = new Interruption()) {
            matrix.workOut(cells, new Matrix.Watch() {
                @Override
                public boolean goOn(Effort.Sofar sofar) {
                    return !interruption.isAsked();
                }

                @Override
                public void done(Row row, int done, int all) {
                    progress.show(done + "/" + all + " " + row.cell() + ", Ctrl-C: goes on next time", done, all);
                    store.keep(matrix);
                }
            });
            store.finish(matrix);
            progress.clear();
            return !interruption.isAsked();
        }
    }

    /** Problems and algorithms may be mixed; nothing is everything. */
    private static List<Algorithm> algorithms(List<String> words) {
        for (String word : words) {
            if (!PROBLEMS.contains(word) && Catalogue.find(word).isEmpty()) {
                var names = Stream.concat(
                                PROBLEMS.stream(), Catalogue.ALL.stream().map(Algorithm::name))
                        .toList();
                throw Refusal.wrong(
                        "there is no problem and no algorithm '" + word + "'",
                        Nearest.hint(word, names) + "problems are " + String.join(", ", PROBLEMS)
                                + "; habemus list shows all algorithms");
            }
        }
        return Catalogue.ALL.stream()
                .filter(each -> words.isEmpty()
                        || words.contains(each.name())
                        || words.contains(each.problem().toString()))
                .toList();
    }

    private static void print(List<String> words, List<Algorithm> algorithms, List<Row> rows, PrintStream out) {
        for (Problem problem : Problem.values()) {
            var some = rows.stream()
                    .filter(row -> row.cell().algorithm().problem() == problem)
                    .toList();
            if (!some.isEmpty()) {
                out.println(MatrixText.summary(problem, some));
            }
        }
        out.print(MatrixText.legend());
        algorithms.stream().filter(each -> words.contains(each.name())).forEach(each -> print(each, rows, out));
    }

    private static void print(Algorithm algorithm, List<Row> rows, PrintStream out) {
        for (var variant : SmallWorlds.variants(algorithm)) {
            out.println();
            out.println((algorithm.name() + " " + variant.option()).strip());
            out.println();
            out.print(MatrixText.detail(algorithm, variant, rows));
        }
        out.println();
        rows.stream()
                .filter(row -> row.cell().algorithm().equals(algorithm))
                .flatMap(MatrixCommand::runs)
                .distinct()
                .forEach(out::println);
    }

    /** Of whatever is not green, with the command that shows it. */
    private static Stream<String> runs(Row row) {
        return row.findings().stream()
                .filter(finding -> finding.run().schedule().size() > 0)
                .map(finding -> "%s: %s %s after %d%n  %s"
                        .formatted(
                                row.cell(),
                                finding.property(),
                                finding.outcome(),
                                finding.run().steps(),
                                MatrixReplay.line(
                                        row.cell(),
                                        finding.size(),
                                        finding.run().schedule().toString())));
    }
}
