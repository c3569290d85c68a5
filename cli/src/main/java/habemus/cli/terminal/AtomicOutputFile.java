package habemus.cli.terminal;

import habemus.lab.command.CommandException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file atomically: to a temporary file beside the target, which {@link #commit} moves into place. */
public final class AtomicOutputFile implements AutoCloseable {

    private final Path target;
    private final Path temporary;
    private final OutputStream stream;
    private final Writer writer;
    private boolean committed;

    /** @throws CommandException if the file cannot be created */
    public AtomicOutputFile(String name) {
        target = path(name);
        temporary = target.resolveSibling(
                "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        try {
            stream = Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW);
        } catch (IOException impossible) {
            throw writeFailure(impossible);
        }
        writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8.newEncoder()));
    }

    /** Copies and commits a whole file. */
    public static void copy(Path source, String name) {
        try (var file = new AtomicOutputFile(name)) {
            file.copy(source);
            file.commit();
        }
    }

    private void copy(Path source) {
        try {
            Files.copy(source, stream);
        } catch (IOException impossible) {
            throw writeFailure(impossible);
        }
    }

    /** Writes and commits a whole text. */
    public static void write(String name, String text) {
        try (var file = new AtomicOutputFile(name)) {
            file.write(text);
            file.commit();
        }
    }

    private static Path path(String name) {
        try {
            var path = Path.of(name);
            var folder = path.toAbsolutePath().getParent();
            if (name.isEmpty() || folder == null || Files.isDirectory(path)) {
                throw CommandException.failure("cannot write '" + name + "' (it is a folder)", "name a file");
            }
            if (!Files.isDirectory(folder)) {
                var what = "cannot write " + name + " (no such folder: " + folder + ")";
                throw CommandException.failure(what, "create the folder first");
            }
            return path;
        } catch (InvalidPathException unwritable) {
            throw CommandException.failure("cannot write '" + name + "' (not a valid file name)", "give another name");
        }
    }

    public void write(String text) {
        try {
            writer.write(text);
        } catch (IOException impossible) {
            throw writeFailure(impossible);
        }
    }

    /** Replaces the target by what was written. */
    public void commit() {
        try {
            writer.close();
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
            committed = true;
        } catch (IOException impossible) {
            throw writeFailure(impossible);
        }
    }

    @Override
    public void close() {
        if (!committed) {
            try (writer) {
                Files.deleteIfExists(temporary);
            } catch (IOException leftBehind) {
                throw writeFailure(leftBehind);
            }
        }
    }

    private CommandException writeFailure(IOException why) {
        var reason = String.valueOf(why.getMessage()).lines().findFirst().orElse("");
        return CommandException.failure(
                "cannot write " + target + ": " + why.getClass().getSimpleName() + " " + reason,
                "check the free space and the permissions");
    }
}
