package habemus.cli.check;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.lab.command.CommandException;
import habemus.lab.command.ShellSyntax;
import habemus.lab.matrix.MatrixCell;
import habemus.lab.matrix.MatrixHtml;
import habemus.lab.matrix.MatrixJson;
import habemus.lab.matrix.MatrixPage;
import habemus.lab.matrix.MatrixRow;
import habemus.lab.matrix.SurvivalSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** The files of the documentation that show the matrix. */
record MatrixDocs(Path folder) {

    /** @throws CommandException if the folder does not hold the documentation */
    static MatrixDocs open(String name) {
        var folder = Path.of(name);
        if (!Files.isDirectory(folder.resolve("algorithms"))) {
            throw CommandException.failure(
                    "--write must be the folder of the documentation (no subfolder algorithms): "
                            + ShellSyntax.quote(name),
                    "write --write docs");
        }
        return new MatrixDocs(folder);
    }

    List<MatrixRow> rows(List<MatrixCell> cells) {
        try {
            return MatrixJson.read(Files.readString(folder.resolve("matrix.json")), cells);
        } catch (IOException | IllegalArgumentException unreadable) {
            return List.of();
        }
    }

    /** @throws CommandException if a page lacks the marked section */
    void write(List<MatrixRow> rows) {
        files(rows).forEach((file, text) -> AtomicOutputFile.write(file.toString(), text));
    }

    /** Every file with its up-to-date text. */
    SequencedMap<Path, String> files(List<MatrixRow> rows) {
        var files = new LinkedHashMap<Path, String>();
        files.put(folder.resolve("matrix.json"), MatrixJson.write(rows, MatrixReplay::commandLine));
        files.put(folder.resolve("matrix.md"), MatrixPage.write(rows, MatrixReplay::commandLine));
        files.put(folder.resolve("matrix.html"), MatrixHtml.write(rows, MatrixReplay::commandLine));
        for (Algorithm algorithm : Catalogue.ALL) {
            if (!MatrixRow.PROBLEMS.contains(algorithm.problem())) {
                continue;
            }
            var page = folder.resolve("algorithms").resolve(algorithm.name() + ".md");
            var algorithmRows = rows.stream()
                    .filter(row -> row.cell().algorithm().equals(algorithm))
                    .toList();
            files.put(page, updatedPage(page, algorithmRows));
        }
        return files;
    }

    private static String updatedPage(Path page, List<MatrixRow> rows) {
        try {
            return SurvivalSection.update(Files.readString(page), rows);
        } catch (IOException unreadable) {
            throw CommandException.failure("cannot read " + page, "create a page for the algorithm");
        } catch (IllegalArgumentException noPlace) {
            throw CommandException.failure(page + ": " + noPlace.getMessage(), "add the marks of the section");
        }
    }
}
