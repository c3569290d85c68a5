package habemus.client;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.concurrent.CombiningQueue;
import habemus.concurrent.ConnectionThreads;
import habemus.lockservice.protocol.ClientFrame;
import habemus.protocol.NodeId;
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
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A connection to one node. Sending never blocks. Frames are delivered in order, then the end of the connection. */
final class NodeConnection {

    /** Called by the reader thread of the connection; must not block. */
    interface Listener {
        void onFrame(NodeConnection connection, ClientFrame.ToClient frame);

        /** Called when the connection has ended, unless {@link NodeConnection#disconnect} was called. */
        void onBroken(NodeConnection connection, String reason);
    }

    /** Options of all connections of a client. */
    record ConnectOptions(String token, Duration timeout, Optional<SSLContext> tls) {
        static ConnectOptions of(ClientOptions options) {
            return new ConnectOptions(
                    options.token(), options.connectTimeout(), options.tls().map(TlsOptions::toContext));
        }
    }

    private static final Codec<ClientFrame.ToService> ENCODER = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> DECODER = Codec.of(ClientFrame.ToClient.class);
    private static final int BUFFER_BYTES = 1 << 14;
    private static final int MAX_UNANSWERED_FRAMES = 10_000;

    /** Bytes that fit into the socket buffers even if the node reads none of them. */
    private static final int MAX_UNREAD_BYTES = 1 << 13;

    private final Endpoint endpoint;
    private final ConnectOptions options;
    private final Listener listener;
    private final CombiningQueue<ClientFrame.ToService> outbox = new CombiningQueue<>(this::write);
    private final AtomicInteger bytesSinceReply = new AtomicInteger(); // sent since the last frame from the node
    private volatile Optional<DataOutputStream> out = Optional.empty();
    private final Thread reader;
    private final Socket socket = new Socket();
    private volatile boolean isDisconnected;
    private NodeId node;
    private boolean isSilentSinceWelcome;
    private int unansweredFrames;

    private NodeConnection(Endpoint endpoint, NodeId node, ConnectOptions options, Listener listener, Duration delay) {
        this.endpoint = endpoint;
        this.node = node;
        this.options = options;
        this.listener = listener;
        outbox.enqueue(new ClientFrame.Hello(ClientFrame.VERSION, options.token));
        reader = ConnectionThreads.unstarted("habemus-connection-" + endpoint, () -> run(delay));
    }

    /**
     * Starts a connection.
     *
     * @param node the number by which the session knows the node
     * @param delay before the first attempt
     */
    static NodeConnection open(
            Endpoint endpoint, NodeId node, ConnectOptions options, Listener listener, Duration delay) {
        var connection = new NodeConnection(endpoint, node, options, listener, delay);
        connection.reader.start();
        return connection;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** {@return the number by which the session knows the node} Used by the driver only, like the next methods. */
    NodeId node() {
        return node;
    }

    void setNode(NodeId next) {
        node = next;
    }

    void onWelcome() {
        isSilentSinceWelcome = true;
    }

    void onAnswer() {
        isSilentSinceWelcome = false;
        unansweredFrames = 0;
    }

    /** {@return whether so many frames are unanswered that a new connection is better} */
    boolean isBacklogFull() {
        return unansweredFrames > MAX_UNANSWERED_FRAMES;
    }

    /** {@return whether the node has sent nothing after its welcome: it is up, and may wait for a leader itself} */
    boolean isSilentSinceWelcome() {
        return isSilentSinceWelcome;
    }

    /** Adds a frame to the outbox; {@link #flush} sends it. */
    void send(ClientFrame.ToService frame) {
        unansweredFrames++;
        outbox.enqueue(frame);
    }

    /**
     * Sends the outbox on this thread if the write cannot block; else wakes the writer thread. Virtual threads never
     * write here, because an interrupt of a virtual thread would close the socket.
     */
    void flush() {
        if (out.isEmpty() || outbox.isEmpty()) {
            return;
        }
        if (Thread.currentThread().isVirtual() || bytesSinceReply.get() > MAX_UNREAD_BYTES) {
            outbox.wakeThread();
        } else {
            outbox.drain();
        }
    }

    /** Closes the connection. The listener is not called any more. */
    void disconnect() {
        isDisconnected = true;
        reader.interrupt();
        close();
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
            outbox.start(Thread.ofVirtual().name("habemus-outbox-" + endpoint).factory());
            reason = read(connected);
        } catch (IOException | MalformedInputException | InterruptedException e) {
            reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        outbox.stop();
        close();
        if (!isDisconnected) {
            listener.onBroken(this, reason);
        }
    }

    private Socket connect() throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), (int) options.timeout.toMillis());
        if (options.tls.isEmpty()) {
            return socket;
        }
        var connected = (SSLSocket)
                options.tls.get().getSocketFactory().createSocket(socket, endpoint.host(), endpoint.port(), false);
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
                listener.onFrame(this, DECODER.read(bytes));
            }
        } catch (EOFException end) {
            return "the node closed the connection";
        }
    }

    /** Writes all waiting frames with one flush. */
    private long write() {
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
            close(); // so that the reader ends
        }
        return CombiningQueue.IDLE_NANOS;
    }

    /** Closes the plain socket, because closing a TLS socket may block. */
    private void close() {
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
