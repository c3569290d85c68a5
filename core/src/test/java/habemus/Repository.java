package habemus;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the repository is, for tests that read what people read. */
public final class Repository {

    private static final Path MAIN = Path.of("core", "src", "main", "java");

    private Repository() {}

    /** The repository, wherever within it the build was started. */
    public static Path root() {
        var folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve(MAIN))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException(
                    "no " + MAIN + " above " + Path.of("").toAbsolutePath());
        }
        return folder;
    }
}
