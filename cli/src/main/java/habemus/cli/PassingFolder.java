package habemus.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A folder that is gone, with all that is in it, when it is closed. */
record PassingFolder(Path path) implements AutoCloseable {

    static PassingFolder make(String name) {
        try {
            return new PassingFolder(Files.createTempDirectory(name));
        } catch (IOException refused) {
            throw Refusal.cannot("cannot make a folder: " + refused.getMessage(), "is there room left on the disk?");
        }
    }

    @Override
    public void close() {
        try (var all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
