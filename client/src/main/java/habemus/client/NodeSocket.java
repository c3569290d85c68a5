package habemus.client;

import habemus.client.environment.Endpoint;
import habemus.client.environment.NodeConnector;
import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.lockservice.protocol.ClientFrame;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A TCP connection to one node. A thread of its own reads. */
final class NodeSocket implements NodeConnector.Channel {

    private static final Codec<ClientFrame.ToService> ENCODER = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> DECODER = Codec.of(ClientFrame.ToClient.class);
    private static final int BUFFER_BYTES = 1 << 14;

    /** Bytes that fit into the socket buffers even if the node reads none of them. */
    private static final int MAX_UNREAD_BYTES = 1 << 13;

    private final SocketConnector connector;
    private final Endpoint endpoint;
    private final NodeConnector.Receiver receiver;
    private final Socket socket = new Socket();
    private final Queue<ClientFrame.ToService> outbox = new ConcurrentLinkedQueue<>();
    private final SerialExecutor writer = new SerialExecutor(Runnable::run, NodeSocket::startThread);
    private final AtomicInteger bytesSinceReply = new AtomicInteger(); // sent since the last frame from the node
    private volatile Optional<DataOutputStream> out = Optional.empty();
    private volatile Optional<Thread> reader = Optional.empty();

    NodeSocket(SocketConnector connector, Endpoint endpoint, NodeConnector.Receiver receiver) {
        this.connector = connector;
        this.endpoint = endpoint;
        this.receiver = receiver;
    }

    void start(Duration delay) {
        var thread = ConnectionThreads.unstarted("habemus-connection-" + endpoint, () -> run(delay));
        reader = Optional.of(thread);
        thread.start();
    }

    private static void startThread(Runnable task) {
        Thread.ofVirtual().name("habemus-writer").start(task);
    }

    @Override
    public void send(ClientFrame.ToService frame) {
        outbox.add(frame);
        connector.flushLater(this);
    }

    /**
     * Writes the outbox on this thread if the write cannot block; else on a new thread. Virtual threads never write
     * here, because an interrupt of a virtual thread would close the socket.
     */
    void flush() {
        if (out.isEmpty() || outbox.isEmpty()) {
            return; // a new connection flushes when it is open
        }
        if (Thread.currentThread().isVirtual() || bytesSinceReply.get() > MAX_UNREAD_BYTES) {
            startThread(() -> writer.execute(this::write));
        } else {
            writer.execute(this::write);
        }
    }

    /** Writes all waiting frames with one flush. */
    private void write() {
        var stream = out.orElseThrow();
        try {
            for (var next = outbox.poll(); next != null; next = outbox.poll()) {
                var bytes = ENCODER.write(next);
                stream.writeInt(bytes.length);
                stream.write(bytes);
                bytesSinceReply.addAndGet(bytes.length);
            }
            stream.flush();
        } catch (IOException e) {
            closeSocket(); // so that the reader ends
        }
    }

    private void run(Duration delay) {
        String reason;
        try {
            if (delay.isPositive()) {
                Thread.sleep(delay);
            }
            var connected = connect();
            out = Optional.of(
                    new DataOutputStream(new BufferedOutputStream(connected.getOutputStream(), BUFFER_BYTES)));
            flush();
            reason = read(connected);
        } catch (IOException | MalformedInputException | InterruptedException e) {
            reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        closeSocket();
        receiver.onBroken(reason);
    }

    private Socket connect() throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), (int)
                connector.timeout().toMillis());
        return connector.tls().isEmpty() ? socket : handshake(connector.tls().get());
    }

    private SSLSocket handshake(SSLContext tls) throws IOException {
        var connected =
                (SSLSocket) tls.getSocketFactory().createSocket(socket, endpoint.host(), endpoint.port(), false);
        var parameters = connected.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        connected.setSSLParameters(parameters);
        connected.startHandshake();
        return connected;
    }

    private String read(Socket connected) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(connected.getInputStream(), BUFFER_BYTES));
        try {
            while (true) {
                int length = in.readInt();
                if (length < 1 || length > ClientFrame.MAX_FRAME_BYTES) {
                    return "invalid frame length: " + length + " (is this a habemus node?)";
                }
                var bytes = in.readNBytes(length);
                if (bytes.length < length) {
                    return "the node closed the connection";
                }
                bytesSinceReply.set(0);
                receiver.onFrame(DECODER.read(bytes));
            }
        } catch (EOFException end) {
            return "the node closed the connection";
        }
    }

    @Override
    public void close() {
        reader.ifPresent(Thread::interrupt);
        closeSocket();
    }

    /** Closes the plain socket, because closing a TLS socket may block. */
    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // closed already
        }
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
