package habemus.bench.service;

import habemus.bench.Goals;
import habemus.bench.OutputPage;
import habemus.lockservice.OperationResult;
import habemus.protocol.NodeId;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run snapshot-pause}: measures how long a snapshot of a large lock table delays requests. */
@Command(
        name = "snapshot-pause",
        description = "Measures how long a snapshot of a large lock table delays the requests of a client.",
        footer = {"", "Example: bench/run snapshot-pause --locks 1000000 --write docs/benchmarks.md"},
        usageHelpAutoWidth = true)
public final class SnapshotPauseCommand implements Callable<Integer> {

    private static final int LOCKS_PER_SESSION = 10_000;
    private static final int WARM_UP_CYCLES = 20_000;
    private static final double GOAL_MILLIS = 20;

    @Option(names = "--locks", paramLabel = "N", description = "locks that are held (default: 1000000)")
    private int locks = 1_000_000;

    @Option(names = "--snapshots", paramLabel = "N", description = "snapshots to measure (default: 10)")
    private int snapshots = 10;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the table into its section of FILE")
    private Optional<Path> file = Optional.empty();

    private long cycles;

    @Override
    public Integer call() throws IOException {
        var outputPage = OutputPage.open(file, "bench/run snapshot-pause");
        var folder = Files.createTempDirectory("snapshot-pause");
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var members = Member.parse("n1=127.0.0.1:" + freePort());
        var config = LockServerConfig.of(members, new NodeId(1), Optional.of(folder.resolve("n1")))
                .withAddresses(anyPort, anyPort);
        try (var node = LockServerNode.start(config);
                var client = new InProcessClient(node)) {
            fill(client);
            outputPage.print(measure(node, client));
        } finally {
            try (var files = Files.walk(folder)) {
                for (var path : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void fill(InProcessClient client) {
        System.err.printf(Locale.ROOT, "acquiring %,d locks ...%n", locks);
        for (int first = 0; first < locks; first += LOCKS_PER_SESSION) {
            long session = client.open(first);
            var acquires = new ArrayList<CompletableFuture<OperationResult>>();
            for (int i = 0; i < Math.min(LOCKS_PER_SESSION, locks - first); i++) {
                acquires.add(client.acquire(session, i + 1, "orders-" + (first + i)));
            }
            acquires.forEach(CompletableFuture::join);
        }
    }

    private String measure(LockServerNode node, InProcessClient client) {
        long session = client.open(-1);
        cycle(client, session, () -> cycles < WARM_UP_CYCLES);
        node.log().compact().join();
        System.err.println("measuring ...");
        var during = new Histogram(3);
        long snapshotNanos = 0;
        for (int i = 0; i < snapshots; i++) {
            long start = System.nanoTime();
            var done = node.log().compact();
            during.add(cycle(client, session, () -> !done.isDone()));
            snapshotNanos += System.nanoTime() - start;
        }
        long until = System.nanoTime() + snapshotNanos;
        var without = cycle(client, session, () -> System.nanoTime() - until < 0);
        return String.format(Locale.ROOT, """
                One node, %,d locks held, one client in its process acquires and releases a lock, each on disk. A
                snapshot takes %,.1f s.

                """, locks, snapshotNanos / 1e9 / snapshots) + """
                | | cycles | median | 99 % | longest |
                |---|---|---|---|---|
                """
                + row("without a snapshot", without)
                + row("while a snapshot is taken", during)
                + "\n"
                + new Goals()
                        .atMost(
                                "no pause over 20 ms: the longest cycle during a snapshot",
                                "%.1f ms",
                                during.getMaxValue() / 1e6,
                                GOAL_MILLIS)
                        .text();
    }

    private Histogram cycle(InProcessClient client, long session, BooleanSupplier goesOn) {
        var times = new Histogram(3);
        while (goesOn.getAsBoolean()) {
            long start = System.nanoTime();
            long acquire = 2 * cycles + 1;
            client.acquire(session, acquire, "probe").join();
            client.release(session, acquire + 1, acquire).join();
            times.recordValue(System.nanoTime() - start);
            cycles++;
        }
        return times;
    }

    private static String row(String name, Histogram times) {
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %.2f ms | %.2f ms | %.2f ms |%n",
                name,
                times.getTotalCount(),
                times.getValueAtPercentile(50) / 1e6,
                times.getValueAtPercentile(99) / 1e6,
                times.getMaxValue() / 1e6);
    }
}
