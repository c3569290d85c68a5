package habemus.course.chapter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** Non-blocking input: one thread asks a selector which connections have bytes, and reads only those. */
final class SelectorEcho implements LoopbackEcho {

    private static final int BUFFER_BYTES = 1024;

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final Thread thread = Thread.ofPlatform().daemon().name("selector").unstarted(this::loop);
    private volatile boolean isOpen = true;

    SelectorEcho() throws IOException {
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        thread.start();
    }

    private void loop() {
        try (selector) {
            while (isOpen) {
                selector.select(this::onReady);
            }
            for (var key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void onReady(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else {
                echo((SocketChannel) key.channel(), (ByteBuffer) key.attachment(), key);
            }
        } catch (IOException gone) {
            key.cancel();
        }
    }

    private void accept() throws IOException {
        var connection = listener.accept();
        if (connection != null) {
            connection.configureBlocking(false);
            connection.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(BUFFER_BYTES));
        }
    }

    /** Reads what is there and writes what the socket takes. The rest waits in the buffer until it takes more. */
    private static void echo(SocketChannel connection, ByteBuffer bytes, SelectionKey key) throws IOException {
        if (key.isReadable() && connection.read(bytes) < 0) {
            connection.close();
            return;
        }
        bytes.flip();
        connection.write(bytes);
        key.interestOps(bytes.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        bytes.compact();
    }

    @Override
    public SocketAddress address() {
        return listener.socket().getLocalSocketAddress();
    }

    @Override
    public Set<Thread> threads() {
        return Set.of(thread);
    }

    @Override
    public void close() {
        isOpen = false;
        selector.wakeup();
    }
}
