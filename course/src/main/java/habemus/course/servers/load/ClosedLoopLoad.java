package habemus.course.servers.load;

import habemus.course.servers.LockReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * A fixed number of clients, each of which sends its next request when it has the reply to its last one. A server that
 * stalls thereby stops the load too: each client sees the stall once, and the requests that would have been sent are
 * missing. Latency counts from the time at which a request is sent.
 */
public final class ClosedLoopLoad {

    private final int port;
    private final int clients;
    private final Duration duration;
    private final int timeoutMillis;
    private final Histogram latency = new SynchronizedHistogram(LoadOutcome.newHistogram());
    private final AtomicLong served = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /** @param timeout a request without a reply after this time counts as dropped */
    public ClosedLoopLoad(int port, int clients, Duration duration, Duration timeout) {
        this.port = port;
        this.clients = clients;
        this.duration = duration;
        timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /** Runs all clients for the duration, and returns when the last one has its reply. */
    public LoadOutcome run() {
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            var source = new RequestSource(i * 100);
            threads.add(Thread.ofVirtual().start(() -> runClient(source, start)));
        }
        try {
            for (var thread : threads) {
                thread.join();
            }
        } catch (InterruptedException stop) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double inFlight = latency.getMean() / 1e6 * served.get() / seconds;
        return new LoadOutcome(
                seconds,
                served.get(),
                refused.get(),
                dropped.get(),
                0,
                latency.copy(),
                LoadOutcome.newHistogram(),
                inFlight);
    }

    private void runClient(RequestSource source, long start) {
        long now = System.nanoTime();
        while (now - start < duration.toNanos() && !Thread.currentThread().isInterrupted()) {
            exchange(source, now);
            now = System.nanoTime();
        }
    }

    private void exchange(RequestSource source, long sent) {
        var request = source.next();
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            socket.setSoLinger(true, 0); // leaves no TIME_WAIT
            socket.getOutputStream().write((request + "\n").getBytes(StandardCharsets.US_ASCII));
            var reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            if (reply.equals(LockReply.BUSY)) {
                refused.incrementAndGet();
            } else if (reply.isEmpty()) {
                dropped.incrementAndGet();
            } else {
                latency.recordValue(Math.max(1, (System.nanoTime() - sent) / 1_000));
                served.incrementAndGet();
                source.onReply(request, reply);
            }
        } catch (IOException gone) {
            dropped.incrementAndGet();
        }
    }
}
