package habemus.bench.transport;

import habemus.bench.OutputPage;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run transport}: compares Netty and Vert.x as the transport of a node. */
@Command(
        name = "transport",
        description = "Compares Netty and Vert.x as the transport of a node: one event loop that returns frames.",
        footer = {"", "Example: bench/run transport --rounds 5 --write docs/benchmarks.md"},
        usageHelpAutoWidth = true)
public final class TransportCommand implements Callable<Integer> {

    private static final int FRAME_BYTES = 100;
    private static final List<Integer> CONNECTIONS = List.of(1, 64);
    private static final Map<String, Supplier<EchoServer>> LIBRARIES = libraries();

    @Option(names = "--rounds", paramLabel = "N", description = "rounds, alternating (default: 5)")
    private int rounds = 5;

    @Option(names = "--seconds", paramLabel = "N", description = "seconds of each measurement (default: 2)")
    private int seconds = 2;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the table into its section of FILE")
    private Optional<Path> file = Optional.empty();

    private static Map<String, Supplier<EchoServer>> libraries() {
        var libraries = new LinkedHashMap<String, Supplier<EchoServer>>();
        libraries.put("Netty", EchoServer::onNetty);
        libraries.put("Vert.x", EchoServer::onVertx);
        return libraries;
    }

    private record Row(String library, int connections) {}

    @Override
    public Integer call() throws IOException {
        var outputPage = OutputPage.open(file, "bench/run transport");
        var results = new LinkedHashMap<Row, Histogram>();
        for (int round = 0; round <= rounds; round++) { // the first one warms up
            System.err.printf(Locale.ROOT, "round %d of %d ...%n", round, rounds);
            for (var library : LIBRARIES.entrySet()) {
                try (var server = library.getValue().get()) {
                    for (int connections : CONNECTIONS) {
                        var times = measure(server.port(), connections);
                        if (round > 0) {
                            results.computeIfAbsent(new Row(library.getKey(), connections), any -> new Histogram(3))
                                    .add(times);
                        }
                    }
                }
            }
        }
        outputPage.print(table(results));
        return CommandLine.ExitCode.OK;
    }

    private Histogram measure(int port, int connections) {
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        var clients = new ArrayList<CompletableFuture<Histogram>>();
        for (int i = 0; i < connections; i++) {
            clients.add(CompletableFuture.supplyAsync(
                    () -> exchange(port, until), task -> Thread.ofPlatform().start(task)));
        }
        var all = new Histogram(3);
        clients.forEach(client -> all.add(client.join()));
        return all;
    }

    private static Histogram exchange(int port, long until) {
        var times = new Histogram(3);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            var out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            var frame = new byte[FRAME_BYTES];
            while (System.nanoTime() - until < 0) {
                long start = System.nanoTime();
                out.writeInt(FRAME_BYTES);
                out.write(frame);
                out.flush();
                in.readFully(frame, 0, in.readInt());
                times.recordValue(System.nanoTime() - start);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return times;
    }

    private String table(Map<Row, Histogram> results) {
        var rows = new StringBuilder("""
                | library | connections | round trips/s | median | 99 % |
                |---|---|---|---|---|
                """);
        results.forEach((row, times) -> rows.append(String.format(
                Locale.ROOT,
                "| %s | %d | %,.0f | %.0f µs | %.0f µs |%n",
                row.library,
                row.connections,
                times.getTotalCount() / (double) (seconds * rounds),
                times.getValueAtPercentile(50) / 1e3,
                times.getValueAtPercentile(99) / 1e3)));
        return rows.toString();
    }
}
