package habemus.cli.check;

import habemus.catalogue.Catalogue;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.matrix.MatrixCell;
import habemus.lab.matrix.MatrixJson;
import habemus.lab.matrix.MatrixRow;
import habemus.lab.matrix.MatrixRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file with the checked cells of the matrix, saved every few seconds. */
final class MatrixCache {

    static final String DEFAULT_FILE = "~/.cache/habemus/matrix.json";

    private static final long SAVE_INTERVAL_NANOS = 5_000_000_000L;

    private final String file;
    private final String text;
    private long savedAtNanos = System.nanoTime();

    MatrixCache(Optional<String> given, Terminal terminal) {
        file = given.orElseGet(MatrixCache::defaultFile);
        text = read(file, terminal);
    }

    private static String defaultFile() {
        var home = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
        var folder = home.resolve("habemus");
        try {
            Files.createDirectories(folder);
        } catch (IOException impossible) {
            throw CommandException.failure("cannot create the folder " + folder, "choose a file with --cache FILE");
        }
        return folder.resolve("matrix.json").toString();
    }

    /** The cached rows of these cells. */
    List<MatrixRow> rows(List<MatrixCell> cells) {
        return text.isEmpty() ? List.of() : MatrixJson.read(text, cells);
    }

    /** The empty text if the file does not exist, or, with a warning, if it is not readable. */
    private static String read(String file, Terminal terminal) {
        try {
            var text = Files.readString(Path.of(file));
            MatrixJson.read(text, List.of());
            return text;
        } catch (NoSuchFileException notYet) {
            return "";
        } catch (IOException | IllegalArgumentException unreadable) {
            terminal.err().println("habemus: ignoring the cache " + file + " (not a matrix of this version)");
            return "";
        }
    }

    void saveIfDue(MatrixRunner matrixRunner) {
        if (System.nanoTime() - savedAtNanos > SAVE_INTERVAL_NANOS) {
            save(matrixRunner);
        }
    }

    void save(MatrixRunner matrixRunner) {
        AtomicOutputFile.write(
                file,
                MatrixJson.write(matrixRunner.results(MatrixRunner.cells(Catalogue.ALL)), MatrixReplay::commandLine));
        savedAtNanos = System.nanoTime();
    }
}
