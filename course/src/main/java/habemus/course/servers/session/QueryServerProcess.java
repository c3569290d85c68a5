package habemus.course.servers.session;

import habemus.course.servers.process.ChildServer;
import habemus.course.servers.process.ControlLoop;
import habemus.course.servers.process.ProcessMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A query server in a process of its own, which can be killed. */
final class QueryServerProcess implements AutoCloseable {

    private static final String LOG_FILE = "sessions.log";
    private static final int SETTLE_ATTEMPTS = 20;
    private static final long SETTLED_BYTES = 4_096;

    private final ChildServer child;

    private QueryServerProcess(ChildServer child) {
        this.child = child;
    }

    /** @param folder of the sessions, if they are on disk */
    static QueryServerProcess start(CursorPlace place, Path folder) {
        return new QueryServerProcess(
                ChildServer.start(QueryServerProcess.class, List.of(place.name(), folder.toString())));
    }

    /** The child process: its arguments are the control port, the place of cursors and the folder. */
    public static void main(String[] args) throws IOException {
        var sessions = CursorPlace.valueOf(args[1]) == CursorPlace.DISK
                ? new SessionTable(SessionLog.open(logFile(Path.of(args[2]))))
                : new SessionTable(null);
        try (var server = new QueryServer(sessions)) {
            ControlLoop.run(
                    Integer.parseInt(args[0]),
                    server.port(),
                    command -> ProcessMemory.measure().toJson());
        }
        Runtime.getRuntime().halt(0);
    }

    static Path logFile(Path folder) {
        return folder.resolve(LOG_FILE);
    }

    int port() {
        return child.port();
    }

    /** The live heap when two measurements in a row agree: connections that were closed take a while to end. */
    long liveHeapBytes() {
        long last = measureHeap();
        for (int i = 0; i < SETTLE_ATTEMPTS; i++) {
            long next = measureHeap();
            if (Math.abs(next - last) < SETTLED_BYTES) {
                return next;
            }
            last = next;
        }
        return last;
    }

    private long measureHeap() {
        return ProcessMemory.parse(child.ask("memory")).heapBytes();
    }

    void kill() {
        child.kill();
    }

    @Override
    public void close() {
        child.close();
    }
}
