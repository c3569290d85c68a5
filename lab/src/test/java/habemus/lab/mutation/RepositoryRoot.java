package habemus.lab.mutation;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the root folder of the repository. */
final class RepositoryRoot {

    private RepositoryRoot() {}

    static Path folder() {
        var folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("verify"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
