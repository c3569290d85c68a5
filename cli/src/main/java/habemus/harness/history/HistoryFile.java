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

/** The file of a client's history. What it has written stays there when it is killed. */
public final class HistoryFile implements AutoCloseable {

    /** A moment, but for whose and of which kind. */
    public record Entry(long atNanos, long request, boolean isShared, List<String> names, long fence, String detail) {

        public Entry withReason(LossReason why) {
            return new Entry(
                    atNanos, request, isShared, names, fence, why.getClass().getSimpleName());
        }
    }

    private final String client;
    private final OutputStream out;

    public HistoryFile(Path file, String client) throws IOException {
        this.client = client;
        // Without a buffer: a line is a write. No channel: that would be closed when its user is interrupted.
        out = new FileOutputStream(file.toFile());
    }

    public void write(HistoryEvent.Kind kind, Entry entry) {
        var historyEvent = new HistoryEvent(
                entry.atNanos, client, kind, entry.request, entry.isShared, entry.names, entry.fence, entry.detail);
        try {
            synchronized (out) {
                out.write((historyEvent.line() + "\n").getBytes(UTF_8));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Of all that have written theirs to this folder. A line that was not finished is none. */
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
