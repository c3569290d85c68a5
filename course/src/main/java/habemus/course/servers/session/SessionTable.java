package habemus.course.servers.session;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The sessions of a server that keeps cursors, in memory and optionally in a log on disk. Thread-safe. */
final class SessionTable {

    static final int MAX_SESSIONS = 20_000;

    private final Map<Long, CursorSession> sessions = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final @Nullable SessionLog log;

    /** @param log null for sessions in memory only; else the sessions that it holds are recovered */
    SessionTable(@Nullable SessionLog log) {
        this.log = log;
        if (log != null) {
            sessions.putAll(log.recovered());
            lastId.set(sessions.keySet().stream().mapToLong(id -> id).max().orElse(0));
        }
    }

    /** Opens a session before the first page. Empty if there are too many. */
    Optional<Long> open(String lock) throws IOException {
        if (sessions.size() >= MAX_SESSIONS) {
            return Optional.empty();
        }
        long id = lastId.incrementAndGet();
        store(id, new CursorSession(lock, 0));
        return Optional.of(id);
    }

    /**
     * Moves the cursor to a page and returns the session. Empty if there is no such session, or if the page is neither
     * the next one nor the last one. The move is on disk, if there is a log, when this method returns.
     */
    Optional<CursorSession> moveTo(long id, int page) throws IOException {
        var session = sessions.get(id);
        if (session == null || !session.mayServe(page)) {
            return Optional.empty();
        }
        var moved = session.at(page);
        if (!moved.equals(session)) {
            store(id, moved);
        }
        return Optional.of(moved);
    }

    private void store(long id, CursorSession session) throws IOException {
        if (log != null) {
            log.append(id, session);
        }
        sessions.put(id, session);
    }

    int size() {
        return sessions.size();
    }
}
