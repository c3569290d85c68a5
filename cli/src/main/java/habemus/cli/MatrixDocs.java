package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.lab.matrix.Cell;
import habemus.lab.matrix.MatrixHtml;
import habemus.lab.matrix.MatrixJson;
import habemus.lab.matrix.MatrixPage;
import habemus.lab.matrix.Row;
import habemus.lab.matrix.SurvivalPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** The matrix in the documentation. */
record MatrixDocs(Path folder) {

    /** @throws Refusal if it is no folder of documentation */
    static MatrixDocs in(String name) {
        var folder = Path.of(name);
        if (!Files.isDirectory(folder.resolve("algorithms"))) {
            throw Refusal.cannot(
                    "--write " + ShellWords.quote(name) + " has no folder algorithms with a page for each",
                    "name the folder of the documentation, as in --write docs");
        }
        return new MatrixDocs(folder);
    }

    List<Row> rows(List<Cell> cells) {
        try {
            return MatrixJson.read(Files.readString(folder.resolve("matrix.json")), cells);
        } catch (IOException | IllegalArgumentException unreadable) {
            return List.of();
        }
    }

    /** @throws Refusal if a page has no place for what is said there */
    void write(List<Row> rows) {
        files(rows).forEach((file, text) -> WholeFile.write(file.toString(), text));
    }

    /** All of them, as they should be. */
    SequencedMap<Path, String> files(List<Row> rows) {
        var files = new LinkedHashMap<Path, String>();
        files.put(folder.resolve("matrix.json"), MatrixJson.write(rows, MatrixReplay::line));
        files.put(folder.resolve("matrix.md"), MatrixPage.write(rows, MatrixReplay::line));
        files.put(folder.resolve("matrix.html"), MatrixHtml.write(rows, MatrixReplay::line));
        for (Algorithm algorithm : Catalogue.ALL) {
            var page = folder.resolve("algorithms").resolve(algorithm.name() + ".md");
            var mine = rows.stream()
                    .filter(row -> row.cell().algorithm().equals(algorithm))
                    .toList();
            files.put(page, renewed(page, mine));
        }
        return files;
    }

    private static String renewed(Path page, List<Row> rows) {
        try {
            return SurvivalPart.renewed(Files.readString(page), rows);
        } catch (IOException unreadable) {
            throw Refusal.cannot("cannot read " + page, "every algorithm has a page there");
        } catch (IllegalArgumentException noPlace) {
            throw Refusal.cannot(page + ": " + noPlace.getMessage(), "put the marks where the table belongs");
        }
    }
}
