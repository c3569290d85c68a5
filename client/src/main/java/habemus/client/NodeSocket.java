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
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A TCP connection to one node. A platform thread reads, because it wakes up faster than a virtual one. A virtual
 * thread writes while there are frames, so a node that does not read blocks only this thread.
 */
final class NodeSocket implements NodeConnector.Channel {

    private static final Codec<ClientFrame.ToService> ENCODER = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> DECODER = Codec.of(ClientFrame.ToClient.class);
    private static final int BUFFER_BYTES = 1 << 14;

    private final SocketConnector connector;
    private final Endpoint endpoint;
    private final NodeConnector.Receiver receiver;
    private final Socket socket = new Socket();
    private final Queue<ClientFrame.ToService> outbox = new ConcurrentLinkedQueue<>();
    private final SerialExecutor writer =
            new SerialExecutor(task -> Thread.ofVirtual().name("habemus-writer").start(task));
    private volatile Optional<DataOutputStream> out = Optional.empty();
    private volatile Optional<Thread> reader = Optional.empty();

    NodeSocket(SocketConnector connector, Endpoint endpoint, NodeConnector.Receiver receiver) {
        this.connector = connector;
        this.endpoint = endpoint;
        this.receiver = receiver;
    }

    void start(Duration delay) {
        var thread = Thread.ofPlatform()
                .daemon()
                .name("habemus-connection-" + endpoint)
                .unstarted(() -> run(delay));
        reader = Optional.of(thread);
        thread.start();
    }

    @Override
    public void send(ClientFrame.ToService frame) {
        outbox.add(frame);
        writer.execute(this::write);
    }

    /** Writes all waiting frames with one flush, as soon as the connection is open. */
    private void write() {
        if (out.isEmpty() || outbox.isEmpty()) {
            return;
        }
        var stream = out.get();
        try {
            for (var next = outbox.poll(); next != null; next = outbox.poll()) {
                var bytes = ENCODER.write(next);
                stream.writeInt(bytes.length);
                stream.write(bytes);
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
            writer.execute(this::write);
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
