package habemus;

import java.nio.file.Files;
import java.nio.file.Path;

/** The location of the repository, for tests that read documents and sources. */
public final class Repository {

    private static final Path MAIN = Path.of("core", "src", "main", "java");

    private Repository() {}

    /** The root folder, from any working directory inside the repository. */
    public static Path root() {
        var folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve(MAIN))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException(
                    "cannot find " + MAIN + " above " + Path.of("").toAbsolutePath());
        }
        return folder;
    }
}
