package habemus.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.cli.terminal.Terminal;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.Ticket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.DataFormatException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Clients within a node, so that what is measured is the algorithm, and not the way to it. They are ordered on the
 * standard input of the node, a line each, and answered for on its standard output.
 */
public final class EmbeddedLoad {

    /** Hidden. */
    public static final String OPTION = "--load";

    private static final long MAX_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5); // after the time is over

    /**
     * What is to be done: acquire and release, as often as possible.
     *
     * @param clients how many do it at the same time; none: only count
     * @param cycles of all of them, at most
     */
    public record LoadRequest(String lock, int clients, long cycles, long millis) {

        @Override
        public String toString() {
            return lock + " " + clients + " " + cycles + " " + millis;
        }

        public static LoadRequest parse(String line) {
            var words = line.split(" ", 4);
            return new LoadRequest(
                    words[0], Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
        }
    }

    /**
     * What was done.
     *
     * @param latencies of a cycle, in nanoseconds
     * @param messages of the algorithm that this node has sent, since it started
     * @param timedOut how many clients waited in vain
     */
    public record LoadResult(Histogram latencies, long messages, long timedOut) {

        public String format() {
            var buffer = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
            int length = latencies.encodeIntoCompressedByteBuffer(buffer);
            var json = new JsonObject();
            json.addProperty("messages", messages);
            json.addProperty("stuck", timedOut);
            json.addProperty("times", Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
            return json.toString();
        }

        public static LoadResult parse(String line) {
            var json = JsonParser.parseString(line).getAsJsonObject();
            var bytes = Base64.getDecoder().decode(json.get("times").getAsString());
            try {
                return new LoadResult(
                        Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0),
                        json.get("messages").getAsLong(),
                        json.get("stuck").getAsLong());
            } catch (DataFormatException garbage) {
                throw new IllegalArgumentException("no answer of a node: " + line, garbage);
            }
        }
    }

    public static Histogram histogram() {
        return new Histogram(MAX_LATENCY_NANOS, SIGNIFICANT_DIGITS);
    }

    private final AlgorithmNode algorithmNode;

    EmbeddedLoad(AlgorithmNode algorithmNode) {
        this.algorithmNode = algorithmNode;
    }

    /** @param onEnd called when whoever gives orders has gone */
    void serve(Terminal terminal, Runnable onEnd) {
        Thread.ofPlatform().daemon().start(() -> {
            try (var orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
                for (var line = orders.readLine(); line != null; line = orders.readLine()) {
                    terminal.out().println(execute(LoadRequest.parse(line)).format());
                    terminal.flush();
                }
            } catch (IOException closed) {
                // which is the same as its end
            }
            onEnd.run();
        });
    }

    LoadResult execute(LoadRequest loadRequest) {
        var times = new ConcurrentHistogram(MAX_LATENCY_NANOS, SIGNIFICANT_DIGITS);
        var left = new AtomicLong(loadRequest.cycles);
        var stuck = new AtomicLong();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(loadRequest.millis);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < loadRequest.clients; i++) {
                clients.execute(() -> {
                    while (System.nanoTime() < end && left.decrementAndGet() >= 0) {
                        if (!acquireAndRelease(loadRequest.lock, end + GRACE_NANOS, times)) {
                            stuck.incrementAndGet();
                        }
                    }
                });
            }
        }
        return new LoadResult(times, algorithmNode.counters().messagesSent(), stuck.get());
    }

    /** Whether it was let in. */
    private boolean acquireAndRelease(String lock, long end, Histogram times) {
        long begun = System.nanoTime();
        var ticket = algorithmNode.acquire(lock, "load");
        boolean granted = await(ticket, end);
        algorithmNode.release(lock, ticket);
        if (granted) {
            ticket.ended().join();
            times.recordValue(Math.min(MAX_LATENCY_NANOS, System.nanoTime() - begun));
        }
        return granted;
    }

    private static boolean await(Ticket ticket, long end) {
        try {
            ticket.granted().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException inVain) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
