package habemus.course.servers.load;

import habemus.course.servers.LockReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Sends requests at a fixed rate, whether or not the server keeps up, as many independent clients do. Latency counts
 * from the time at which a request should have been sent: a generator that is late makes no request look faster.
 *
 * <p>One thread with non-blocking sockets, a connection for each request. The number of requests in flight is bounded.
 */
public final class OpenLoopLoad {

    private static final int REPLY_BYTES = 128;
    private static final int MAX_IN_FLIGHT = 8_000; // a process has a limit of open files
    private static final long SHORT_PAUSE_NANOS = 200_000; // below the resolution of a selector
    private static final long MILLI_NANOS = 1_000_000;

    private static final class Exchange {
        final long intendedNanos;
        final long sentNanos = System.nanoTime();
        final String request;
        final ByteBuffer bytes;
        final SocketChannel channel;
        boolean finished;

        Exchange(long intendedNanos, String request, SocketChannel channel) {
            this.intendedNanos = intendedNanos;
            this.request = request;
            this.channel = channel;
            bytes = ByteBuffer.allocate(REPLY_BYTES);
            bytes.put((request + "\n").getBytes(StandardCharsets.US_ASCII)).flip();
        }
    }

    private final InetSocketAddress server;
    private final RequestSource source = new RequestSource(0);
    private final long intervalNanos;
    private final long timeoutNanos;
    private final long requests;
    private final ArrayDeque<Exchange> inFlight = new ArrayDeque<>(); // in the order of their timeouts
    private final Histogram latency = LoadOutcome.newHistogram();
    private final Histogram lateness = LoadOutcome.newHistogram();
    private long sent;
    private long served;
    private long refused;
    private long dropped;
    private long timedOut;
    private double inFlightNanos; // the integral of the requests in flight over time

    /**
     * @param port of a server on the loopback interface
     * @param rate requests a second
     * @param timeout after which a request counts as timed out
     */
    public OpenLoopLoad(int port, double rate, Duration duration, Duration timeout) {
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        intervalNanos = Math.round(1e9 / rate);
        timeoutNanos = timeout.toNanos();
        requests = Math.max(1, duration.toNanos() / intervalNanos);
    }

    /** Sends all requests, and returns when each of them is answered or has timed out. */
    public LoadOutcome run() {
        long start = System.nanoTime();
        try (var selector = Selector.open()) {
            long before = start;
            while (sent < requests || open() > 0) {
                long now = System.nanoTime();
                inFlightNanos += (double) open() * (now - before);
                before = now;
                sendDue(selector, start, now);
                expire(now);
                await(selector, start);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new LoadOutcome(
                seconds, served, refused, dropped, timedOut, latency, lateness, inFlightNanos / 1e9 / seconds);
    }

    private long open() {
        return sent - served - refused - dropped - timedOut;
    }

    private long intended(long start) {
        return start + sent * intervalNanos;
    }

    private void sendDue(Selector selector, long start, long now) {
        while (sent < requests && intended(start) <= now) {
            send(selector, intended(start));
            sent++;
        }
    }

    private void send(Selector selector, long intendedNanos) {
        lateness.recordValue(Math.max(1, (System.nanoTime() - intendedNanos) / 1_000));
        if (open() >= MAX_IN_FLIGHT) {
            dropped++;
            return;
        }
        SocketChannel channel;
        try {
            channel = SocketChannel.open();
        } catch (IOException noSocket) {
            dropped++;
            return;
        }
        var exchange = new Exchange(intendedNanos, source.next(), channel);
        inFlight.add(exchange);
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0); // leaves no TIME_WAIT
            boolean connected = channel.connect(server);
            var key = channel.register(selector, connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, exchange);
            if (connected) {
                onWritable(key, exchange);
            }
        } catch (IOException noConnection) {
            dropped++;
            finish(exchange);
        }
    }

    private void await(Selector selector, long start) throws IOException {
        long wait = sent < requests ? intended(start) - System.nanoTime() : 10 * MILLI_NANOS;
        if (wait >= MILLI_NANOS) {
            selector.select(this::onReady, Math.min(10, TimeUnit.NANOSECONDS.toMillis(wait)));
            return;
        }
        if (wait > 0) {
            LockSupport.parkNanos(Math.min(wait, SHORT_PAUSE_NANOS));
        }
        selector.selectNow(this::onReady);
    }

    private void onReady(SelectionKey key) {
        var exchange = (Exchange) key.attachment();
        try {
            if (key.isConnectable()) {
                exchange.channel.finishConnect();
                onWritable(key, exchange);
            } else if (key.isWritable()) {
                onWritable(key, exchange);
            } else if (key.isReadable()) {
                onReadable(exchange);
            }
        } catch (IOException reset) {
            dropped++;
            finish(exchange);
        }
    }

    private static void onWritable(SelectionKey key, Exchange exchange) throws IOException {
        exchange.channel.write(exchange.bytes);
        if (exchange.bytes.hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
        } else {
            exchange.bytes.clear();
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private void onReadable(Exchange exchange) throws IOException {
        int read = exchange.channel.read(exchange.bytes);
        int length = exchange.bytes.position();
        if (length > 0 && exchange.bytes.get(length - 1) == '\n') {
            var line =
                    StandardCharsets.US_ASCII.decode(exchange.bytes.position(0).limit(length - 1));
            onReply(exchange, line.toString());
        } else if (read < 0 || !exchange.bytes.hasRemaining()) {
            dropped++;
            finish(exchange);
        }
    }

    private void onReply(Exchange exchange, String reply) {
        if (reply.equals(LockReply.BUSY)) {
            refused++;
        } else {
            served++;
            latency.recordValue(Math.max(1, (System.nanoTime() - exchange.intendedNanos) / 1_000));
            source.onReply(exchange.request, reply);
        }
        finish(exchange);
    }

    private void expire(long now) {
        for (var oldest = inFlight.peek(); oldest != null; oldest = inFlight.peek()) {
            if (!oldest.finished && now - oldest.sentNanos < timeoutNanos) {
                return;
            }
            if (!oldest.finished) {
                timedOut++;
                latency.recordValue((now - oldest.intendedNanos) / 1_000);
                finish(oldest);
            }
            inFlight.remove();
        }
    }

    private static void finish(Exchange exchange) {
        exchange.finished = true;
        try {
            exchange.channel.close();
        } catch (IOException gone) {
            // closed all the same
        }
    }
}
