package habemus.lab.mutation;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the repository is. */
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
