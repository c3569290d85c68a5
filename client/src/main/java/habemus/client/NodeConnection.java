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

/** A connection to one node. Who sends is never blocked; what arrives is told in order, and at last that it broke. */
final class NodeConnection {

    /** Who is told, on a thread of the line: it must not block. */
    interface Listener {
        void onFrame(NodeConnection nodeConnection, ClientFrame.ToClient parcel);

        /** Unless it was dropped. */
        void onBroken(NodeConnection nodeConnection, String why);
    }

    /** How connections are made. */
    record ConnectOptions(String token, Duration timeout, Optional<SSLContext> tls) {
        static ConnectOptions of(ClientOptions clientOptions) {
            return new ConnectOptions(
                    clientOptions.token(),
                    clientOptions.connectTimeout(),
                    clientOptions.tlsOptions().map(TlsOptions::open));
        }
    }

    private static final Codec<ClientFrame.ToService> OUT = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> IN = Codec.of(ClientFrame.ToClient.class);
    private static final int BUFFER_BYTES = 1 << 14;
    private static final int MAX_UNANSWERED_FRAMES = 10_000; // parcels
    private static final int MAX_UNREAD_BYTES =
            1 << 13; // bytes for which a connection has room, though none of them may be read

    private final Endpoint endpoint;
    private final ConnectOptions connectOptions;
    private final Listener listener;
    private final CombiningQueue<ClientFrame.ToService> pen = new CombiningQueue<>(this::write);
    private final AtomicInteger unheard = new AtomicInteger(); // bytes, since something came back
    private volatile Optional<DataOutputStream> out = Optional.empty();
    private final Thread reader;
    private final Socket socket = new Socket();
    private volatile boolean dropped;
    private NodeId node;
    private boolean isWaiting;
    private int unanswered; // parcels

    private NodeConnection(
            Endpoint endpoint, NodeId node, ConnectOptions connectOptions, Listener listener, Duration pause) {
        this.endpoint = endpoint;
        this.node = node;
        this.connectOptions = connectOptions;
        this.listener = listener;
        pen.enqueue(new ClientFrame.Hello(ClientFrame.VERSION, connectOptions.token));
        reader = ConnectionThreads.unstarted("habemus-line-" + endpoint, () -> live(pause));
    }

    /**
     * @param node what the session calls it
     * @param pause before it is tried
     */
    static NodeConnection open(
            Endpoint endpoint, NodeId node, ConnectOptions connectOptions, Listener listener, Duration pause) {
        var nodeConnection = new NodeConnection(endpoint, node, connectOptions, listener, pause);
        nodeConnection.reader.start();
        return nodeConnection;
    }

    Endpoint door() {
        return endpoint;
    }

    /** What the session calls the node at the other end. For the driver's thread, like the next. */
    NodeId node() {
        return node;
    }

    void setNode(NodeId next) {
        node = next;
    }

    void onWelcome() {
        isWaiting = true;
    }

    void onAnswer() {
        isWaiting = false;
        unanswered = 0;
    }

    /** Whether so much was said without an answer that it is better to begin anew than to say more. */
    boolean isBacklogFull() {
        return unanswered > MAX_UNANSWERED_FRAMES;
    }

    /** Whether the node has greeted, and said nothing since: so it is there, and may itself wait for others. */
    boolean isSilentSinceWelcome() {
        return isWaiting;
    }

    /** Not before it is {@linkplain #flush flushed}. */
    void send(ClientFrame.ToService parcel) {
        unanswered++;
        pen.enqueue(parcel);
    }

    /** By who is here, if it cannot have to wait; else by another. A virtual thread, if interrupted, cuts the line. */
    void flush() {
        if (out.isEmpty() || pen.isEmpty()) {
            return;
        }
        if (Thread.currentThread().isVirtual() || unheard.get() > MAX_UNREAD_BYTES) {
            pen.wakeThread();
        } else {
            pen.drain();
        }
    }

    /** Nothing more is heard of it. */
    void disconnect() {
        dropped = true;
        reader.interrupt();
        close();
    }

    private void live(Duration pause) {
        String why;
        try {
            if (pause.isPositive()) {
                Thread.sleep(pause);
            }
            var secured = connect();
            out = Optional.of(new DataOutputStream(new BufferedOutputStream(secured.getOutputStream(), BUFFER_BYTES)));
            pen.start(Thread.ofVirtual().name("habemus-pen-" + endpoint).factory());
            why = read(secured);
        } catch (IOException | MalformedInputException | InterruptedException e) {
            why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        pen.stop();
        close();
        if (!dropped) {
            listener.onBroken(this, why);
        }
    }

    private Socket connect() throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.connect(
                new InetSocketAddress(endpoint.host(), endpoint.port()), (int) connectOptions.timeout.toMillis());
        if (connectOptions.tls.isEmpty()) {
            return socket;
        }
        var secured = (SSLSocket) connectOptions
                .tls
                .get()
                .getSocketFactory()
                .createSocket(socket, endpoint.host(), endpoint.port(), false);
        var parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private String read(Socket secured) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(secured.getInputStream(), BUFFER_BYTES));
        try {
            while (true) {
                int length = in.readInt();
                if (length < 1 || length > ClientFrame.MAX_FRAME_BYTES) {
                    return "what answers there is no node of habemus";
                }
                var bytes = in.readNBytes(length);
                if (bytes.length < length) {
                    return "the node closed the connection";
                }
                unheard.set(0);
                listener.onFrame(this, IN.read(bytes));
            }
        } catch (EOFException end) {
            return "the node closed the connection";
        }
    }

    /** What has gathered goes out together. */
    private long write() {
        var to = out.orElseThrow();
        try {
            for (var next = pen.poll(); next != null; next = pen.poll()) {
                var bytes = OUT.write(next);
                to.writeInt(bytes.length);
                to.write(bytes);
                unheard.addAndGet(bytes.length);
            }
            to.flush();
        } catch (IOException broken) {
            close(); // so that the reader notices
        }
        return CombiningQueue.IDLE_NANOS;
    }

    /** The bare socket: to close one of TLS may block. */
    private void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            // as wanted
        }
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
