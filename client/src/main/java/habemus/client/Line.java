package habemus.client;

import habemus.fenced.Parcel;
import habemus.protocol.NodeId;
import habemus.wire.Codec;
import habemus.wire.Malformed;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A connection to one node. Who sends is never blocked; what arrives is told in order, and at last that it broke. */
final class Line {

    /** Who is told, on a thread of the line: it must not block. */
    interface Ear {
        void heard(Line line, Parcel.ToClient parcel);

        /** Unless it was dropped. */
        void broke(Line line, String why);
    }

    /** How connections are made. */
    record Cable(String token, Duration timeout, Optional<SSLContext> tls) {
        static Cable of(Options options) {
            return new Cable(
                    options.token(), options.connectTimeout(), options.tls().map(Tls::open));
        }
    }

    private static final Codec<Parcel.ToService> OUT = Codec.of(Parcel.ToService.class);
    private static final Codec<Parcel.ToClient> IN = Codec.of(Parcel.ToClient.class);
    private static final int BUFFER = 1 << 14;

    private final Door door;
    private final Cable cable;
    private final Ear ear;
    private final BlockingQueue<Parcel.ToService> waiting = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final Socket socket = new Socket();
    private volatile boolean dropped;
    private NodeId node;
    private boolean isWaiting;

    private Line(Door door, NodeId node, Cable cable, Ear ear, Duration pause) {
        this.door = door;
        this.node = node;
        this.cable = cable;
        this.ear = ear;
        waiting.add(new Parcel.Hello(Parcel.VERSION, cable.token));
        reader = Thread.ofVirtual().name("habemus-line-" + door).unstarted(() -> live(pause));
    }

    /**
     * @param node what the session calls it
     * @param pause before it is tried
     */
    static Line open(Door door, NodeId node, Cable cable, Ear ear, Duration pause) {
        var line = new Line(door, node, cable, ear, pause);
        line.reader.start();
        return line;
    }

    Door door() {
        return door;
    }

    /** What the session calls the node at the other end. For the driver's thread, like the next. */
    NodeId node() {
        return node;
    }

    void call(NodeId next) {
        node = next;
    }

    void greeted() {
        isWaiting = true;
    }

    void answered() {
        isWaiting = false;
    }

    /** Whether the node has greeted, and said nothing since: so it is there, and may itself wait for others. */
    boolean isWaiting() {
        return isWaiting;
    }

    void send(Parcel.ToService parcel) {
        waiting.add(parcel);
    }

    /** Nothing more is heard of it. */
    void drop() {
        dropped = true;
        reader.interrupt();
        close();
    }

    private void live(Duration pause) {
        String why;
        var writer = Thread.currentThread();
        try {
            if (pause.isPositive()) {
                Thread.sleep(pause);
            }
            var secured = connect();
            writer = Thread.ofVirtual().name("habemus-pen-" + door).start(() -> write(secured));
            why = read(secured);
        } catch (IOException | Malformed | InterruptedException e) {
            why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        if (!writer.equals(Thread.currentThread())) {
            writer.interrupt();
        }
        close();
        if (!dropped) {
            ear.broke(this, why);
        }
    }

    private Socket connect() throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.connect(new InetSocketAddress(door.host(), door.port()), (int) cable.timeout.toMillis());
        if (cable.tls.isEmpty()) {
            return socket;
        }
        var secured =
                (SSLSocket) cable.tls.get().getSocketFactory().createSocket(socket, door.host(), door.port(), false);
        var parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private String read(Socket secured) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(secured.getInputStream(), BUFFER));
        try {
            while (true) {
                int length = in.readInt();
                if (length < 1 || length > Parcel.LENGTH_MAX) {
                    return "what answers there is no node of habemus";
                }
                var bytes = in.readNBytes(length);
                if (bytes.length < length) {
                    return "the node closed the connection";
                }
                ear.heard(this, IN.read(bytes));
            }
        } catch (EOFException end) {
            return "the node closed the connection";
        }
    }

    /** What has gathered goes out together. */
    private void write(Socket secured) {
        try {
            var out = new DataOutputStream(new BufferedOutputStream(secured.getOutputStream(), BUFFER));
            var parcels = new ArrayList<Parcel.ToService>();
            while (true) {
                parcels.add(waiting.take());
                waiting.drainTo(parcels);
                for (var parcel : parcels) {
                    var bytes = OUT.write(parcel);
                    out.writeInt(bytes.length);
                    out.write(bytes);
                }
                out.flush();
                parcels.clear();
            }
        } catch (IOException | InterruptedException e) {
            close(); // so that the reader notices
        }
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
        return door.toString();
    }
}
