package habemus.client;

import habemus.drive.Threads;
import habemus.drive.Turns;
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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
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
    private static final int MANY = 10_000; // parcels
    private static final int SURE = 1 << 13; // bytes for which a connection has room, though none of them may be read

    private final Door door;
    private final Cable cable;
    private final Ear ear;
    private final Turns<Parcel.ToService> pen = new Turns<>(this::write);
    private final AtomicInteger unheard = new AtomicInteger(); // bytes, since something came back
    private volatile Optional<DataOutputStream> out = Optional.empty();
    private final Thread reader;
    private final Socket socket = new Socket();
    private volatile boolean dropped;
    private NodeId node;
    private boolean isWaiting;
    private int unanswered; // parcels

    private Line(Door door, NodeId node, Cable cable, Ear ear, Duration pause) {
        this.door = door;
        this.node = node;
        this.cable = cable;
        this.ear = ear;
        pen.put(new Parcel.Hello(Parcel.VERSION, cable.token));
        reader = Threads.unstarted("habemus-line-" + door, () -> live(pause));
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
        unanswered = 0;
    }

    /** Whether so much was said without an answer that it is better to begin anew than to say more. */
    boolean isFull() {
        return unanswered > MANY;
    }

    /** Whether the node has greeted, and said nothing since: so it is there, and may itself wait for others. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** Not before it is {@linkplain #flush flushed}. */
    void send(Parcel.ToService parcel) {
        unanswered++;
        pen.put(parcel);
    }

    /** By who is here, if it cannot have to wait; else by another. A virtual thread, if interrupted, cuts the line. */
    void flush() {
        if (out.isEmpty() || pen.isEmpty()) {
            return;
        }
        if (Thread.currentThread().isVirtual() || unheard.get() > SURE) {
            pen.wake();
        } else {
            pen.attend();
        }
    }

    /** Nothing more is heard of it. */
    void drop() {
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
            out = Optional.of(new DataOutputStream(new BufferedOutputStream(secured.getOutputStream(), BUFFER)));
            pen.start(Thread.ofVirtual().name("habemus-pen-" + door).factory());
            why = read(secured);
        } catch (IOException | Malformed | InterruptedException e) {
            why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        pen.stop();
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
                unheard.set(0);
                ear.heard(this, IN.read(bytes));
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
        return Turns.LONG;
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
