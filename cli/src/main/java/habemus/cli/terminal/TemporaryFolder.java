package habemus.cli.terminal;

import habemus.lab.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A temporary folder. {@link #close} deletes it and its content. */
public record TemporaryFolder(Path path) implements AutoCloseable {

    public static TemporaryFolder create(String name) {
        try {
            return new TemporaryFolder(Files.createTempDirectory(name));
        } catch (IOException refused) {
            throw CommandException.failure(
                    "cannot create a temporary folder: " + refused.getMessage(),
                    "check the free space of the temporary folder");
        }
    }

    @Override
    public void close() {
        try (var all = Files.walk(path)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            // the system removes temporary folders
        }
    }
}
