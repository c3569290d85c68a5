package habemus.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that is there whole or not at all: it is written beside its place, and put there when it is kept. */
final class WholeFile implements AutoCloseable {

    private final Path place;
    private final Path draft;
    private final Writer writer;
    private boolean kept;

    /** @throws Refusal if it cannot be written there */
    WholeFile(String name) {
        place = path(name);
        draft = place.resolveSibling(
                "." + place.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        try {
            writer = Files.newBufferedWriter(draft, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
        } catch (IOException impossible) {
            throw cannot(impossible);
        }
    }

    /** All of it at once. */
    static void write(String name, String text) {
        try (var file = new WholeFile(name)) {
            file.write(text);
            file.keep();
        }
    }

    private static Path path(String name) {
        try {
            var path = Path.of(name);
            var folder = path.toAbsolutePath().getParent();
            if (name.isEmpty() || folder == null || Files.isDirectory(path)) {
                throw Refusal.cannot("cannot write '" + name + "': it is a folder", "name a file in it");
            }
            if (!Files.isDirectory(folder)) {
                var what = "cannot write " + name + ": there is no folder " + folder;
                throw Refusal.cannot(what, "make the folder first");
            }
            return path;
        } catch (InvalidPathException unwritable) {
            throw Refusal.cannot("cannot write '" + name + "': that is no name of a file", "give another name");
        }
    }

    void write(String text) {
        try {
            writer.write(text);
        } catch (IOException impossible) {
            throw cannot(impossible);
        }
    }

    /** Puts it in its place. */
    void keep() {
        try {
            writer.close();
            Files.move(draft, place, StandardCopyOption.REPLACE_EXISTING);
            kept = true;
        } catch (IOException impossible) {
            throw cannot(impossible);
        }
    }

    @Override
    public void close() {
        if (!kept) {
            try (writer) {
                Files.deleteIfExists(draft);
            } catch (IOException leftBehind) {
                throw cannot(leftBehind);
            }
        }
    }

    private Refusal cannot(IOException why) {
        var reason = String.valueOf(why.getMessage()).lines().findFirst().orElse("");
        return Refusal.cannot(
                "cannot write " + place + ": " + why.getClass().getSimpleName() + " " + reason,
                "is there room, and may you write there?");
    }
}
