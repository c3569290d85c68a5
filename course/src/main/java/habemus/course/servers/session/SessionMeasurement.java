package habemus.course.servers.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Measures query servers whose cursors are in one place: time, memory, a crash, a move to another server.
 *
 * @param clients number of clients for the memory of the server
 * @param progress told what is measured next
 */
public record SessionMeasurement(int clients, Consumer<String> progress) {

    private static final int TIMED_QUERIES = 20;
    private static final int WARM_UP_QUERIES = 20;
    private static final int WARM_UP_ROUNDS = 3;
    /** Clients in the middle of their queries at a crash or a move. */
    private static final int ACTIVE_CLIENTS = 100;

    private static final int HALF = GrantHistory.PAGES / 2;
    private static final int CONNECTIONS = 50; // carry the requests of all clients, for the memory

    public SessionCost measure(CursorPlace place) {
        try {
            var folder = Files.createTempDirectory("habemus-sessions");
            try {
                return measure(place, folder);
            } finally {
                delete(folder);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private SessionCost measure(CursorPlace place, Path folder) throws IOException {
        progress.accept("cursor " + place + ": time of a page");
        var times = pageTimes(place, newFolder(folder, "time"));
        progress.accept("cursor " + place + ": memory with " + clients + " clients");
        var memoryFolder = newFolder(folder, "memory");
        long heap = heapBytes(place, memoryFolder);
        var log = QueryServerProcess.logFile(memoryFolder);
        long disk = Files.exists(log) ? Files.size(log) : 0;
        progress.accept("cursor " + place + ": crash");
        var crash = crash(place, newFolder(folder, "crash"));
        progress.accept("cursor " + place + ": move to another server");
        var move = move(place, newFolder(folder, "from"), newFolder(folder, "to"));
        return new SessionCost(place, times, clients, heap, disk, crash, move);
    }

    private static Path newFolder(Path parent, String name) throws IOException {
        return Files.createDirectory(parent.resolve(name));
    }

    private static Histogram pageTimes(CursorPlace place, Path folder) {
        var times = new Histogram(1, 3_600_000_000L, 3);
        try (var server = QueryServerProcess.start(place, folder)) {
            for (int i = 0; i < WARM_UP_QUERIES + TIMED_QUERIES; i++) {
                boolean timed = i >= WARM_UP_QUERIES;
                try (var client = new QueryClient(place, "lock-" + i, server::port)) {
                    client.readTo(GrantHistory.PAGES, nanos -> {
                        if (timed) {
                            times.recordValue(Math.max(1, nanos / 1_000));
                        }
                    });
                }
            }
        }
        return times;
    }

    /** Every client reads one page and stays in the middle of its query. */
    private long heapBytes(CursorPlace place, Path folder) {
        try (var server = QueryServerProcess.start(place, folder)) {
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                readFirstPages(CursorPlace.REQUEST, server, clients); // loads classes, and leaves no session
            }
            long before = server.liveHeapBytes();
            readFirstPages(place, server, clients);
            return server.liveHeapBytes() - before;
        }
    }

    private static void readFirstPages(CursorPlace place, QueryServerProcess server, int count) {
        runAll(IntStream.range(0, CONNECTIONS)
                .<Runnable>mapToObj(connection -> () -> {
                    for (int i = connection; i < count; i += CONNECTIONS) {
                        try (var client = new QueryClient(place, "lock-" + i, server::port)) {
                            client.readTo(1);
                        }
                    }
                })
                .toList());
    }

    /** The process is killed, and started again on the same folder. */
    static SessionCost.Recovery crash(CursorPlace place, Path folder) {
        var port = new AtomicInteger();
        var queries = newClients(place, port);
        var first = QueryServerProcess.start(place, folder);
        try (first) {
            port.set(first.port());
            readAll(queries, HALF);
            first.kill();
            long crashed = System.nanoTime();
            try (var second = QueryServerProcess.start(place, folder)) {
                port.set(second.port());
                return finish(queries, crashed);
            }
        }
    }

    /** A balancer sends the clients to another server, which has been running all the time. */
    private static SessionCost.Recovery move(CursorPlace place, Path folder, Path otherFolder) {
        var port = new AtomicInteger();
        var queries = newClients(place, port);
        try (var first = QueryServerProcess.start(place, folder);
                var second = QueryServerProcess.start(place, otherFolder)) {
            port.set(first.port());
            readAll(queries, HALF);
            port.set(second.port());
            queries.forEach(QueryClient::disconnect);
            return finish(queries, System.nanoTime());
        }
    }

    private static List<QueryClient> newClients(CursorPlace place, AtomicInteger port) {
        return IntStream.range(0, ACTIVE_CLIENTS)
                .mapToObj(i -> new QueryClient(place, "lock-" + i, port::get))
                .toList();
    }

    private static SessionCost.Recovery finish(List<QueryClient> queries, long failed) {
        long listening = System.nanoTime();
        readAll(queries, GrantHistory.PAGES);
        long finished = System.nanoTime();
        queries.forEach(QueryClient::close);
        return new SessionCost.Recovery(
                queries.size(),
                queries.stream().mapToInt(QueryClient::connectionErrors).sum(),
                queries.stream().mapToInt(QueryClient::lostSessions).sum(),
                queries.stream().mapToInt(QueryClient::repeatedPages).sum(),
                (listening - failed) / 1e6,
                (finished - listening) / 1e6);
    }

    private static void readAll(List<QueryClient> queries, int page) {
        runAll(queries.stream().<Runnable>map(query -> () -> query.readTo(page)).toList());
    }

    private static void runAll(List<Runnable> tasks) {
        var threads = new ArrayList<Thread>();
        tasks.forEach(task -> threads.add(Thread.ofVirtual().start(task)));
        try {
            for (var thread : threads) {
                thread.join();
            }
        } catch (InterruptedException stop) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stop);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
