package habemus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The source files of core, for tests that read what people read. */
public final class Sources {

    private static final Path MAIN = Path.of("core", "src", "main", "java");

    private Sources() {}

    /** The text of the file in which this class is written. */
    public static String of(Class<?> type) {
        var file = root().resolve(MAIN).resolve(type.getName().replace('.', '/') + ".java");
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

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
