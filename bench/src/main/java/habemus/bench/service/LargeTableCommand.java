package habemus.bench.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import habemus.bench.Goals;
import habemus.bench.OutputPage;
import habemus.protocol.NodeId;
import habemus.service.http.HttpServer;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run large-table}: what listings, backups and scrapes of a large lock table cost other clients. */
@Command(
        name = "large-table",
        description =
                "Measures listings of growing tables, and how long a backup, a listing and a scrape of the largest"
                        + " one delay another client of the leader. Three nodes share one process.",
        footer = {"", "Example: bench/run large-table --write docs/benchmarks.md"},
        usageHelpAutoWidth = true)
public final class LargeTableCommand implements Callable<Integer> {

    private static final int LOCKS_PER_SESSION = 10_000;
    private static final double NANOS_PER_MILLI = 1e6;

    /** A follower starts an election after this time without the leader. */
    private static final double ELECTION_TIMEOUT_MILLIS = 500;

    @Option(
            names = "--locks",
            paramLabel = "N,…",
            split = ",",
            description = "locks that are held, ascending (default: 1000,10000,100000,1000000)")
    private List<Integer> sizes = List.of(1_000, 10_000, 100_000, 1_000_000);

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the tables into their section of FILE")
    private Optional<Path> file = Optional.empty();

    private final StringBuilder text = new StringBuilder();
    private int filled;
    private long cycles;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var outputPage = OutputPage.open(file, "bench/run large-table");
        var folder = Files.createTempDirectory("large-table");
        try (var cluster = new Cluster(folder)) {
            var leader = cluster.leader();
            try (var client = new InProcessClient(leader);
                    var server = new HttpServer(leader)) {
                text.append("| locks held | `habemus locks` | `habemus locks --json` |\n|---|---|---|\n");
                for (int size : sizes) {
                    fill(client, size);
                    list(server, size);
                }
                text.append('\n');
                measureOtherClients(cluster, client, server);
            }
        } finally {
            delete(folder);
        }
        outputPage.print(text.toString());
        return CommandLine.ExitCode.OK;
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Three nodes in this process, each with its own disk files and event loop. */
    private static final class Cluster implements AutoCloseable {

        private final List<LockServerNode> nodes;

        Cluster(Path folder) {
            var members = Member.parse(IntStream.rangeClosed(1, 3)
                    .mapToObj(i -> "n" + i + "=127.0.0.1:" + freePort())
                    .collect(Collectors.joining(",")));
            var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            nodes = members.stream()
                    .map(member -> CompletableFuture.supplyAsync(
                            () -> LockServerNode.start(LockServerConfig.of(
                                            members,
                                            member.node(),
                                            Optional.of(
                                                    folder.resolve(member.node().toString())))
                                    .withAddresses(anyPort, anyPort)),
                            task -> Thread.ofVirtual().start(task)))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        }

        LockServerNode leader() throws InterruptedException {
            while (true) {
                for (var node : nodes) {
                    NodeId self = node.config().self();
                    if (node.loop().leader().equals(Optional.of(self))) {
                        return node;
                    }
                }
                Thread.sleep(10);
            }
        }

        /** The leaders that the nodes have seen so far. */
        long leaderChanges() {
            return nodes.stream()
                    .mapToLong(node -> node.stats().leaderChanges())
                    .sum();
        }

        @Override
        public void close() {
            nodes.forEach(LockServerNode::close);
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void fill(InProcessClient client, int size) {
        System.err.printf(Locale.ROOT, "acquiring locks up to %,d ...%n", size);
        while (filled < size) {
            long session = client.open(filled);
            var acquires = new ArrayList<CompletableFuture<?>>();
            for (int number = 1; number <= LOCKS_PER_SESSION && filled < size; number++) {
                acquires.add(client.acquire(session, number, "orders-" + filled++));
            }
            acquires.forEach(CompletableFuture::join);
        }
    }

    /** Times the command as a user does, with the start of its JVM. */
    private void list(HttpServer server, int size) throws IOException, InterruptedException {
        text.append(String.format(
                Locale.ROOT, "| %,d | %.1f s | %.1f s |%n", size, secondsOf(server), secondsOf(server, "--json")));
    }

    private static double secondsOf(HttpServer server, String... options) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("habemus.root"), "habemus").toString(),
                "locks",
                "--at",
                "127.0.0.1:" + server.address().getPort()));
        command.addAll(List.of(options));
        long start = System.nanoTime();
        int code = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("habemus locks ended with " + code);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    /** A request of an operator to the leader. */
    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private void measureOtherClients(Cluster cluster, InProcessClient client, HttpServer server)
            throws InterruptedException {
        text.append(String.format(Locale.ROOT, """
                %,d locks held. Another client of the leader acquires and releases a lock in turn, each on two disks:

                | request to the leader | takes | cycles | median | 99 %% | longest | leader changes |
                |---|---|---|---|---|---|---|
                """, filled));
        long session = client.open(-1);
        var none = measure(cluster, client, session, "none", () -> Thread.sleep(10_000));
        var backup = measure(cluster, client, session, "`GET /backup`", () -> get(server, "/backup"));
        var listing = measure(cluster, client, session, "`GET /locks`, all pages of 10,000", () -> listAll(server));
        var filtered = measure(
                cluster,
                client,
                session,
                "`GET /locks?holder=`, without a match",
                () -> get(server, "/locks?holder=x"));
        var scrape = measure(cluster, client, session, "`GET /metrics`", () -> get(server, "/metrics"));
        var measured = List.of(none, backup, listing, filtered, scrape);
        text.append('\n')
                .append(new Goals()
                        .atMost(
                                "no leader is replaced",
                                "%.0f",
                                measured.stream()
                                        .mapToDouble(Measured::leaderChanges)
                                        .sum(),
                                0)
                        .atMost(
                                "no stall as long as an election timeout",
                                "%.1f ms",
                                measured.stream()
                                        .mapToDouble(one -> one.times().getMaxValue() / NANOS_PER_MILLI)
                                        .max()
                                        .orElseThrow(),
                                ELECTION_TIMEOUT_MILLIS)
                        .text());
    }

    private record Measured(Histogram times, long leaderChanges) {}

    private Measured measure(Cluster cluster, InProcessClient client, long session, String name, Task task) {
        System.err.println("measuring: " + name + " ...");
        long before = cluster.leaderChanges();
        var done = start(task);
        var times = new Histogram(3);
        while (!done.isDone()) {
            long begin = System.nanoTime();
            long acquire = 2 * cycles + 1;
            client.acquire(session, acquire, "probe").join();
            client.release(session, acquire + 1, acquire).join();
            times.recordValue(System.nanoTime() - begin);
            cycles++;
        }
        var measured = new Measured(times, cluster.leaderChanges() - before);
        text.append(String.format(
                Locale.ROOT,
                "| %s | %.1f s | %,d | %.2f ms | %.2f ms | %.2f ms | %d |%n",
                name,
                done.join(),
                times.getTotalCount(),
                times.getValueAtPercentile(50) / NANOS_PER_MILLI,
                times.getValueAtPercentile(99) / NANOS_PER_MILLI,
                times.getMaxValue() / NANOS_PER_MILLI,
                measured.leaderChanges));
        return measured;
    }

    /** Completes with the seconds that the task took. */
    private static CompletableFuture<Double> start(Task task) {
        return CompletableFuture.supplyAsync(
                () -> {
                    long start = System.nanoTime();
                    try {
                        task.run();
                    } catch (IOException failed) {
                        throw new UncheckedIOException(failed);
                    } catch (InterruptedException interrupted) {
                        throw new IllegalStateException(interrupted);
                    }
                    return (System.nanoTime() - start) / 1e9;
                },
                runnable -> Thread.ofPlatform().start(runnable));
    }

    private static String get(HttpServer server, String path) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
            var response = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException(path + " was answered with " + response.statusCode());
            }
            return new String(response.body(), ISO_8859_1);
        }
    }

    private static void listAll(HttpServer server) throws IOException, InterruptedException {
        var after = "";
        do {
            var page = get(server, "/locks?limit=10000&after=" + after);
            after = page.contains("\"next\":null") ? "" : page.replaceFirst("(?s).*\"next\":\"([^\"]+)\".*", "$1");
        } while (!after.isEmpty());
    }
}
