package habemus.course.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * One thread reacts to events: a connection arrives, a socket has bytes or room, a timer is due.
 *
 * <pre>
 *   select ─▶ accept   a new connection
 *          ─▶ read     a whole line: decide, and set a timer for the part that blocks
 *          ─▶ reply    the timer is due
 *          ─▶ write    the rest of a reply that the socket had no room for
 * </pre>
 *
 * <p>No handler waits, so one thread serves as many blocked requests as there is memory. A connection costs a buffer,
 * not a stack. The part that needs the processor runs on the loop, and delays all other requests: one processor is the
 * limit.
 */
final class EventLoopServer implements CoordinatorServer {

    /** A reply that is due when the part of its request that blocks is over. */
    private record Timer(long dueNanos, Exchange exchange, String reply) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.signum(dueNanos - other.dueNanos); // differences, because the clock may overflow
        }
    }

    /** A connection with the bytes that it has read or has to write. */
    private record Exchange(SocketChannel channel, SelectionKey key, ByteBuffer bytes, long deadlineNanos) {
        boolean isReading() {
            return key.isValid() && key.interestOps() == SelectionKey.OP_READ;
        }
    }

    private static final long READ_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(ServerCapacity.READ_TIMEOUT_MILLIS);

    private final LockService service;
    private final ConnectionCount count;
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final ArrayDeque<Exchange> readers = new ArrayDeque<>(); // by deadline, which is that of acceptance
    private volatile int blocked;

    EventLoopServer(LockService service, ServerCapacity capacity) {
        this.service = service;
        count = new ConnectionCount(capacity.connections());
        try {
            selector = Selector.open();
            listener = ServerSocketChannel.open()
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ServerCapacity.BACKLOG);
            listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        Thread.ofPlatform().daemon().name("event-loop").start(this::run);
    }

    private void run() {
        try (selector;
                listener) {
            while (listener.isOpen()) {
                selector.select(this::onReady, millisUntilNextTimer());
                replyWhenDue();
                closeSilentReaders();
            }
            for (var key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private long millisUntilNextTimer() {
        var next = timers.peek();
        long nanos = next == null ? READ_TIMEOUT_NANOS : next.dueNanos - System.nanoTime();
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
    }

    private void replyWhenDue() {
        long now = System.nanoTime();
        for (var timer = timers.peek(); timer != null && timer.dueNanos - now <= 0; timer = timers.peek()) {
            timers.remove();
            reply(timer.exchange, timer.reply);
        }
        blocked = timers.size();
    }

    private void closeSilentReaders() {
        long now = System.nanoTime();
        for (var first = readers.peek(); first != null; first = readers.peek()) {
            if (first.isReading() && first.deadlineNanos - now > 0) {
                return;
            }
            readers.remove();
            if (first.isReading()) {
                close(first);
            }
        }
    }

    private void onReady(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                onAccept();
            } else if (key.isReadable()) {
                onRead((Exchange) key.attachment());
            } else if (key.isWritable()) {
                write((Exchange) key.attachment());
            }
        } catch (IOException gone) {
            if (key.attachment() instanceof Exchange exchange) {
                close(exchange);
            }
        }
    }

    private void onAccept() throws IOException {
        for (var channel = listener.accept(); channel != null; channel = listener.accept()) {
            channel.configureBlocking(false);
            var key = channel.register(selector, SelectionKey.OP_READ);
            var buffer = ByteBuffer.allocate(RequestConnection.MAX_LINE_BYTES);
            var exchange = new Exchange(channel, key, buffer, System.nanoTime() + READ_TIMEOUT_NANOS);
            key.attach(exchange);
            if (count.opened()) {
                readers.add(exchange);
            } else {
                count.countRefused();
                reply(exchange, LockReply.BUSY);
            }
        }
    }

    private void onRead(Exchange exchange) throws IOException {
        int read = exchange.channel.read(exchange.bytes);
        int length = exchange.bytes.position();
        if (length > 0 && exchange.bytes.get(length - 1) == '\n') {
            exchange.key.interestOps(0); // the request is complete
            var line =
                    StandardCharsets.US_ASCII.decode(exchange.bytes.position(0).limit(length - 1));
            var reply = service.decide(line.toString());
            timers.add(new Timer(System.nanoTime() + service.blocking().toNanos(), exchange, reply));
        } else if (read < 0 || !exchange.bytes.hasRemaining()) {
            close(exchange); // the client is gone, or the line is too long
        }
    }

    private void reply(Exchange exchange, String line) {
        exchange.bytes.clear();
        exchange.bytes.put((line + "\n").getBytes(StandardCharsets.US_ASCII)).flip();
        try {
            write(exchange);
        } catch (IOException gone) {
            close(exchange);
        }
    }

    private void write(Exchange exchange) throws IOException {
        exchange.channel.write(exchange.bytes);
        if (exchange.bytes.hasRemaining()) {
            exchange.key.interestOps(SelectionKey.OP_WRITE);
        } else {
            close(exchange);
        }
    }

    private void close(Exchange exchange) {
        if (exchange.channel.isOpen()) {
            count.closed();
            try {
                exchange.channel.close();
            } catch (IOException gone) {
                // closed all the same
            }
        }
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public List<QueueLength> queues() {
        return List.of(new QueueLength("blocked", blocked));
    }

    @Override
    public ConnectionCount connections() {
        return count;
    }

    @Override
    public void close() {
        try {
            listener.close();
            selector.wakeup();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
