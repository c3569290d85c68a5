package habemus.cli;

import habemus.catalogue.Catalogue;
import habemus.lab.matrix.Cell;
import habemus.lab.matrix.Matrix;
import habemus.lab.matrix.MatrixJson;
import habemus.lab.matrix.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where cells of the matrix are kept that were worked out: a file, written now and then, so that little is lost. */
final class MatrixStore {

    static final String STANDARD = "~/.cache/habemus/matrix.json";

    private static final long BETWEEN = 5_000_000_000L;

    private final String file;
    private final String text;
    private long kept = System.nanoTime();

    MatrixStore(Optional<String> given, Terminal terminal) {
        file = given.orElseGet(MatrixStore::standard);
        text = read(file, terminal);
    }

    private static String standard() {
        var home = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
        var folder = home.resolve("habemus");
        try {
            Files.createDirectories(folder);
        } catch (IOException impossible) {
            throw Refusal.cannot(
                    "cannot make the folder " + folder, "name a file with --cache FILE, to keep there what is done");
        }
        return folder.resolve("matrix.json").toString();
    }

    /** What was kept of these. */
    List<Row> rows(List<Cell> cells) {
        return text.isEmpty() ? List.of() : MatrixJson.read(text, cells);
    }

    /** Nothing if there is no file, or none that can be read: then that is said. */
    private static String read(String file, Terminal terminal) {
        try {
            var text = Files.readString(Path.of(file));
            MatrixJson.read(text, List.of());
            return text;
        } catch (NoSuchFileException notYet) {
            return "";
        } catch (IOException | IllegalArgumentException unreadable) {
            terminal.err().println("habemus: " + file + " is no matrix of this version; every cell is worked out anew");
            return "";
        }
    }

    /** If it is time to. */
    void keep(Matrix matrix) {
        if (System.nanoTime() - kept > BETWEEN) {
            finish(matrix);
        }
    }

    void finish(Matrix matrix) {
        WholeFile.write(file, MatrixJson.write(matrix.known(Matrix.cells(Catalogue.ALL)), MatrixReplay::line));
        kept = System.nanoTime();
    }
}
