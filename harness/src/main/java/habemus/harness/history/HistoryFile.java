package habemus.harness.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.client.LossReason;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The file of a client's history. If the client is killed, the lines that it has written remain. */
public final class HistoryFile implements AutoCloseable {

    /** A {@link HistoryEvent} without its client and its kind. */
    public record Entry(long atNanos, long request, boolean isShared, List<String> names, long fence, String detail) {

        public Entry withReason(LossReason reason) {
            return new Entry(
                    atNanos, request, isShared, names, fence, reason.getClass().getSimpleName());
        }
    }

    private final String client;
    private final OutputStream out;

    public HistoryFile(Path file, String client) throws IOException {
        this.client = client;
        // No buffer, so that every line is one write. No channel, since an interrupt would close it.
        out = new FileOutputStream(file.toFile());
    }

    public void write(HistoryEvent.Kind kind, Entry entry) {
        var event = new HistoryEvent(
                entry.atNanos, client, kind, entry.request, entry.isShared, entry.names, entry.fence, entry.detail);
        try {
            synchronized (out) {
                out.write((event.line() + "\n").getBytes(UTF_8));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The histories of all clients in a folder. Ignores a last line that a killed client has not completed. */
    public static List<HistoryEvent> readAll(Path folder) {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".history"))
                    .sorted()
                    .flatMap(HistoryFile::events)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<HistoryEvent> events(Path file) {
        try {
            var text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(HistoryEvent::parse);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
