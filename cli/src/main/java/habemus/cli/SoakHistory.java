package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.client.Loss;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The file of a client's history. What it has written stays there when it is killed. */
final class SoakHistory implements AutoCloseable {

    /** A moment, but for whose and of which kind. */
    record Note(long at, long claim, boolean sharing, List<String> names, long fence, String more) {

        Note because(Loss why) {
            return new Note(at, claim, sharing, names, fence, why.getClass().getSimpleName());
        }
    }

    private final String client;
    private final OutputStream out;

    SoakHistory(Path file, String client) throws IOException {
        this.client = client;
        // Without a buffer: a line is a write. No channel: that would be closed when its user is interrupted.
        out = new FileOutputStream(file.toFile());
    }

    void write(Moment.Kind kind, Note note) {
        var moment = new Moment(note.at, client, kind, note.claim, note.sharing, note.names, note.fence, note.more);
        try {
            synchronized (out) {
                out.write((moment.line() + "\n").getBytes(UTF_8));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Of all that have written theirs to this folder. A line that was not finished is none. */
    static List<Moment> read(Path folder) {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".history"))
                    .sorted()
                    .flatMap(SoakHistory::moments)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<Moment> moments(Path file) {
        try {
            var text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Moment::parse);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
