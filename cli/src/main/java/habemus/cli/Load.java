package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.service.node.Node;
import habemus.service.node.Ticket;
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
final class Load {

    /** Hidden. */
    static final String OPTION = "--load";

    private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5); // after the time is over

    /**
     * What is to be done: acquire and release, as often as possible.
     *
     * @param clients how many do it at the same time; none: only count
     * @param cycles of all of them, at most
     */
    record Order(String lock, int clients, long cycles, long millis) {

        @Override
        public String toString() {
            return lock + " " + clients + " " + cycles + " " + millis;
        }

        static Order parse(String line) {
            var words = line.split(" ", 4);
            return new Order(words[0], Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
        }
    }

    /**
     * What was done.
     *
     * @param times of a cycle, in nanoseconds
     * @param messages of the algorithm that this node has sent, since it started
     * @param stuck how many clients waited in vain
     */
    record Done(Histogram times, long messages, long stuck) {

        String line() {
            var buffer = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
            int length = times.encodeIntoCompressedByteBuffer(buffer);
            var json = new JsonObject();
            json.addProperty("messages", messages);
            json.addProperty("stuck", stuck);
            json.addProperty("times", Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
            return json.toString();
        }

        static Done parse(String line) {
            var json = JsonParser.parseString(line).getAsJsonObject();
            var bytes = Base64.getDecoder().decode(json.get("times").getAsString());
            try {
                return new Done(
                        Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0),
                        json.get("messages").getAsLong(),
                        json.get("stuck").getAsLong());
            } catch (DataFormatException garbage) {
                throw new IllegalArgumentException("no answer of a node: " + line, garbage);
            }
        }
    }

    static Histogram histogram() {
        return new Histogram(LONGEST, DIGITS);
    }

    private final Node node;

    Load(Node node) {
        this.node = node;
    }

    /** @param gone called when whoever gives orders has gone */
    void begin(Terminal terminal, Runnable gone) {
        Thread.ofPlatform().daemon().start(() -> {
            try (var orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
                for (var line = orders.readLine(); line != null; line = orders.readLine()) {
                    terminal.out().println(carryOut(Order.parse(line)).line());
                    terminal.flush();
                }
            } catch (IOException closed) {
                // which is the same as its end
            }
            gone.run();
        });
    }

    Done carryOut(Order order) {
        var times = new ConcurrentHistogram(LONGEST, DIGITS);
        var left = new AtomicLong(order.cycles);
        var stuck = new AtomicLong();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(order.millis);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < order.clients; i++) {
                clients.execute(() -> {
                    while (System.nanoTime() < end && left.decrementAndGet() >= 0) {
                        if (!cycle(order.lock, end + PATIENCE, times)) {
                            stuck.incrementAndGet();
                        }
                    }
                });
            }
        }
        return new Done(times, node.counts().messagesSent(), stuck.get());
    }

    /** Whether it was let in. */
    private boolean cycle(String lock, long end, Histogram times) {
        long begun = System.nanoTime();
        var ticket = node.acquire(lock, "load");
        boolean granted = await(ticket, end);
        node.release(lock, ticket);
        if (granted) {
            ticket.ended().join();
            times.recordValue(Math.min(LONGEST, System.nanoTime() - begun));
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
