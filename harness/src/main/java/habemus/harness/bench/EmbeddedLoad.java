package habemus.harness.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.Ticket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Benchmark clients inside a node, so that a measurement shows the algorithm and not the HTTP API. The benchmark writes
 * one request per line to the standard input of the node, and the node answers each with one line.
 */
public final class EmbeddedLoad {

    private static final long MAX_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int SIGNIFICANT_DIGITS = 3;
    /** How long a client waits for a grant after the load has ended. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * Asks the node to acquire and release a lock as often as possible.
     *
     * @param clients that do so concurrently; zero to read the message counter only
     * @param cycles of all clients together, at most
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
     * @param latencies of an acquire and release, in nanoseconds
     * @param messages of the algorithm that this node has sent since it started
     * @param timedOut acquires that were not granted
     */
    public record LoadResult(Histogram latencies, long messages, long timedOut) {

        public String format() {
            var buffer = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
            int length = latencies.encodeIntoCompressedByteBuffer(buffer);
            var json = new JsonObject();
            json.addProperty("messages", messages);
            json.addProperty("timedOut", timedOut);
            json.addProperty("latencies", Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
            return json.toString();
        }

        public static LoadResult parse(String line) {
            var json = JsonParser.parseString(line).getAsJsonObject();
            var bytes = Base64.getDecoder().decode(json.get("latencies").getAsString());
            try {
                return new LoadResult(
                        Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0),
                        json.get("messages").getAsLong(),
                        json.get("timedOut").getAsLong());
            } catch (DataFormatException malformed) {
                throw new IllegalArgumentException("not a load result: '" + line + "'", malformed);
            }
        }
    }

    public static Histogram histogram() {
        return new Histogram(MAX_LATENCY_NANOS, SIGNIFICANT_DIGITS);
    }

    private final AlgorithmNode node;

    public EmbeddedLoad(AlgorithmNode node) {
        this.node = node;
    }

    /**
     * Serves requests on a thread of its own.
     *
     * @param output receives one line per request
     * @param onEnd called when the input ends
     */
    public void serve(InputStream input, Consumer<String> output, Runnable onEnd) {
        Thread.ofPlatform().daemon().start(() -> {
            try (var requests = new BufferedReader(new InputStreamReader(input, UTF_8))) {
                for (var line = requests.readLine(); line != null; line = requests.readLine()) {
                    output.accept(execute(LoadRequest.parse(line)).format());
                }
            } catch (IOException closed) {
                // the same as its end
            }
            onEnd.run();
        });
    }

    private LoadResult execute(LoadRequest request) {
        var latencies = new ConcurrentHistogram(MAX_LATENCY_NANOS, SIGNIFICANT_DIGITS);
        var remaining = new AtomicLong(request.cycles);
        var timedOut = new AtomicLong();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.millis);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < request.clients; i++) {
                clients.execute(() -> {
                    while (System.nanoTime() < end && remaining.decrementAndGet() >= 0) {
                        if (!acquireAndRelease(request.lock, end + GRACE_NANOS, latencies)) {
                            timedOut.incrementAndGet();
                        }
                    }
                });
            }
        }
        return new LoadResult(latencies, node.counters().messagesSent(), timedOut.get());
    }

    /** Returns whether the lock was granted. */
    private boolean acquireAndRelease(String lock, long end, Histogram latencies) {
        long start = System.nanoTime();
        var ticket = node.acquire(lock, "load");
        boolean granted = await(ticket, end);
        node.release(lock, ticket);
        if (granted) {
            ticket.ended().join();
            latencies.recordValue(Math.min(MAX_LATENCY_NANOS, System.nanoTime() - start));
        }
        return granted;
    }

    private static boolean await(Ticket ticket, long end) {
        try {
            ticket.granted().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException notGranted) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
