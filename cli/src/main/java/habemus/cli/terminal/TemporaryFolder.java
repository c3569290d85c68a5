package habemus.cli.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A folder that is gone, with all that is in it, when it is closed. */
public record TemporaryFolder(Path path) implements AutoCloseable {

    public static TemporaryFolder create(String name) {
        try {
            return new TemporaryFolder(Files.createTempDirectory(name));
        } catch (IOException refused) {
            throw CommandException.failure(
                    "cannot make a folder: " + refused.getMessage(), "is there room left on the disk?");
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
