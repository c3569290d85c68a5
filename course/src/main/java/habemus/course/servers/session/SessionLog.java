package habemus.course.servers.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sessions on stable storage: a file with a line for each move of a cursor, of which the last one counts. An append is
 * synced when it returns. Threads that append at the same time share a sync. Thread-safe.
 */
final class SessionLog implements AutoCloseable {

    private final FileChannel file;
    private final Map<Long, CursorSession> recovered;
    private final ReentrantLock writing = new ReentrantLock();
    private final ReentrantLock syncing = new ReentrantLock();
    private long written;
    private long synced;

    private SessionLog(FileChannel file, Map<Long, CursorSession> recovered) {
        this.file = file;
        this.recovered = recovered;
    }

    /** Opens or creates the file, and recovers its sessions. A last line that a crash has cut off is removed. */
    static SessionLog open(Path path) throws IOException {
        Map<Long, CursorSession> sessions = new HashMap<>();
        var text = Files.exists(path) ? Files.readString(path, StandardCharsets.US_ASCII) : "";
        int complete = text.lastIndexOf('\n') + 1;
        text.substring(0, complete).lines().map(line -> line.split(" ", -1)).forEach(words -> {
            var session = new CursorSession(words[1], Integer.parseInt(words[2]));
            sessions.put(Long.parseLong(words[0]), session);
        });
        var file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        file.truncate(complete);
        file.position(complete);
        return new SessionLog(file, sessions);
    }

    Map<Long, CursorSession> recovered() {
        return recovered;
    }

    void append(long id, CursorSession session) throws IOException {
        long mine = write(id + " " + session.lock() + " " + session.page() + "\n");
        syncing.lock();
        try {
            if (synced < mine) { // else another thread has synced this line with its own
                long upTo = lastWritten();
                file.force(false);
                synced = upTo;
            }
        } finally {
            syncing.unlock();
        }
    }

    private long write(String line) throws IOException {
        writing.lock();
        try {
            var bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            return ++written;
        } finally {
            writing.unlock();
        }
    }

    private long lastWritten() {
        writing.lock();
        try {
            return written;
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
