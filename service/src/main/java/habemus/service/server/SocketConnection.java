package habemus.service.server;

import habemus.codec.MalformedInputException;
import habemus.lockservice.OperationResult;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.service.server.Principal.Permission;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection through a {@link ClientListener}. */
final class SocketConnection implements LockServerLoop.ReplyListener {

    private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);

    /** What was sent before a refusal was read is still read, up to so many bytes. */
    private static final int MAX_DRAINED_BYTES = 1 << 20;

    /** How far it is. */
    private enum State {
        HANDSHAKE,
        OPEN,
        /** It was told why, and nothing more is done for it. */
        CLOSING,
        CLOSED
    }

    private final ClientListener listener;
    private final Socket rawSocket;
    private final ConnectionWriter connectionWriter;
    private final Set<Long> sessions = new HashSet<>(); // only for the reception's thread
    private volatile boolean hasSession; // whether there are any
    private volatile State state = State.HANDSHAKE;
    private volatile long lastReadNanos = System.nanoTime();
    private volatile @Nullable ClientConnection clientConnection;
    private volatile @Nullable Thread reader;
    private volatile Supplier<Optional<Principal>> authentication = Optional::empty; // as it is known now
    private int policyVersion; // of who may do what, for the thread that looks

    SocketConnection(ClientListener listener, Socket rawSocket) {
        this.listener = listener;
        this.rawSocket = rawSocket;
        connectionWriter = new ConnectionWriter(listener.limits().maxPendingBytes());
    }

    /** Until it is over. */
    void run() throws IOException {
        try (var socket = listener.withTls(rawSocket)) {
            reader = Thread.currentThread();
            connectionWriter.open(new SocketOutput(socket, socket.getOutputStream()));
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            try {
                handshake(
                        in,
                        socket instanceof SSLSocket secured
                                ? TlsContexts.peerCommonName(secured.getSession())
                                : Optional.empty());
            } catch (MalformedInputException garbage) {
                reject(new ClientFrame.ConnectionRejected(
                        "malformed",
                        String.valueOf(garbage.getMessage()),
                        "speak version " + ClientFrame.VERSION + " of the protocol"));
            }
            if (state == State.CLOSING) {
                drain(in);
            }
        } catch (EOFException | SocketException gone) {
            LOG.debug("{} is gone: {}", this, gone.toString());
        } catch (SSLException stranger) {
            listener.loop().policy().reportDenied("somebody", toString(), "no TLS: " + stranger.getMessage());
        }
    }

    private void handshake(DataInputStream in, Optional<String> certificate) throws IOException {
        if (!(FrameIo.read(in) instanceof ClientFrame.Hello(var version, var token))) {
            throw new MalformedInputException("the first frame is no Hello");
        }
        var accessPolicy = listener.loop().policy();
        authentication = () -> accessPolicy.authenticate(token, certificate);
        var principal = authentication.get();
        if (version != ClientFrame.VERSION) {
            reject(new ClientFrame.ConnectionRejected(
                    "wrong-version",
                    "this node speaks version " + ClientFrame.VERSION + ", not " + version,
                    "use a client of this version"));
        } else if (principal.isEmpty()) {
            accessPolicy.reportDenied(certificate.orElse("somebody"), toString(), "is not known");
            reject(new ClientFrame.ConnectionRejected(
                    "not-known", "this node does not know who you are", "show a token, or a certificate"));
        } else {
            handleFrames(in, principal.get());
        }
    }

    private void handleFrames(DataInputStream in, Principal principal) throws IOException {
        var made = listener.loop().connect(principal, this);
        if (made.isEmpty()) {
            reject(new ClientFrame.ConnectionRejected(
                    "too-many-connections", "this node has too many connections", "connect to another node"));
            return;
        }
        try (var open = made.get()) {
            clientConnection = open;
            markOpen();
            send(List.of(listener.welcome()));
            while (state == State.OPEN) {
                connectionWriter.flush(); // before it waits for more
                handle(FrameIo.read(in), open);
                if (in.available() == 0) {
                    listener.loop().runPending(); // to all that came together
                }
                lastReadNanos = System.nanoTime();
            }
        }
    }

    /** Unless it was cut off meanwhile. */
    private synchronized void markOpen() {
        state = state == State.HANDSHAKE ? State.OPEN : state;
    }

    private void handle(ClientFrame.ToService parcel, ClientConnection open) {
        switch (parcel) {
            case ClientFrame.Request(var clientRequest) ->
                open.enqueue(clientRequest).ifPresent(this::reject);
            case ClientFrame.Describe(var number, var resourceName) -> {
                if (open.principal().isAllowed(Permission.INSPECT, resourceName)) {
                    send(List.of(StatusQueries.describe(
                            number, resourceName, listener.loop().table())));
                } else {
                    denyQuery(number, open, "to look at " + resourceName);
                }
            }
            case ClientFrame.ListDeadlocks(var number) -> {
                if (open.principal().isAllowedEverywhere(Permission.INSPECT)) {
                    send(List.of(StatusQueries.deadlocks(number, listener.loop().table())));
                } else {
                    denyQuery(number, open, "to look for deadlocks");
                }
            }
            case ClientFrame.Hello again -> throw new MalformedInputException("a second Hello");
        }
    }

    private void denyQuery(long number, ClientConnection open, String what) {
        var who = open.principal().name();
        listener.loop().policy().reportDenied(who, toString(), what);
        var why = new ClientFrame.ConnectionRejected("forbidden", who + " has no right " + what, "ask for the right");
        send(List.of(new ClientFrame.QueryDenied(number, why)));
    }

    /** Says why, and goes. */
    private void reject(ClientFrame.ConnectionRejected why) {
        LOG.debug("{} is refused: {}", this, why);
        markClosing();
        lastReadNanos = System.nanoTime();
        send(List.of(why));
        connectionWriter.end();
    }

    private synchronized void markClosing() {
        state = state == State.CLOSED ? state : State.CLOSING;
    }

    /** A connection that is closed while something of the other side is unread takes its last words with it. */
    private static void drain(InputStream in) throws IOException {
        long left = MAX_DRAINED_BYTES;
        for (long skipped = 1; left > 0 && skipped > 0; left -= skipped) {
            skipped = in.readNBytes((int) Math.min(left, 8_192)).length;
        }
    }

    @Override
    public void onReplies(List<Message.ServerReply> serverReplies) {
        serverReplies.forEach(this::trackSession);
        send(serverReplies.stream().map(ClientFrame.Reply::new).toList());
    }

    /** Which sessions have their client here. */
    private void trackSession(Message.ServerReply serverReply) {
        switch (serverReply) {
            case Message.SessionOpened(var nonce, var session) -> sessions.add(session);
            case Message.Renewed(var session, var number) -> sessions.add(session);
            case Message.Result(var session, var number, OperationResult.Closed over) -> sessions.remove(session);
            case Message.Result result -> {}
            case Message.SessionExpired(var session) -> sessions.remove(session);
            case Message.ResourceChanged resourceChanged -> {}
        }
        hasSession = !sessions.isEmpty();
    }

    void resendWelcome() {
        if (state == State.OPEN) {
            send(List.of(listener.welcome()));
        }
    }

    /** Whoever reads for this connection also writes, when it is done with what it does, unless that may take long. */
    private void send(List<? extends ClientFrame.ToClient> parcels) {
        if (state == State.CLOSED) {
            return;
        }
        if (!connectionWriter.enqueue(FrameIo.write(parcels))) {
            disconnect("reads too slowly: more than " + listener.limits().maxPendingBytes() + " bytes wait for it");
        } else if (!Thread.currentThread().equals(reader) || listener.loop().isBusy()) {
            connectionWriter.flushLater();
        }
    }

    private final class SocketOutput implements ConnectionWriter.Channel {
        private final Socket socket;
        private final OutputStream out;

        SocketOutput(Socket socket, OutputStream out) {
            this.socket = socket;
            this.out = out;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        @Override
        public void finish() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void onFailure(IOException why) {
            LOG.debug("{}: {}", SocketConnection.this, why.toString());
            close();
        }
    }

    /** Ends it, if it has kept the node waiting for too long. */
    void checkTimeouts() {
        var limits = listener.limits();
        long silence = System.nanoTime() - lastReadNanos;
        if (connectionWriter.stalledNanos() > limits.writeTimeout().toNanos()) {
            disconnect("reads nothing");
        } else if (state == State.CLOSING && silence > limits.handshakeTimeout().toNanos()) {
            close();
        } else if (state == State.HANDSHAKE
                && silence > limits.handshakeTimeout().toNanos()) {
            disconnect("has not said hello");
        } else if (state == State.OPEN
                && !hasSession
                && silence > limits.idleTimeout().toNanos()) {
            disconnect("has no session, and says nothing");
        } else if (state == State.OPEN) {
            checkPermissions();
        }
    }

    /** Who may do other things now than when he came in has to come in again. */
    private void checkPermissions() {
        var open = clientConnection;
        int now = listener.loop().policy().version();
        if (now != policyVersion && open != null) {
            policyVersion = now;
            if (!authentication.get().equals(Optional.of(open.principal()))) {
                disconnect("may do other things from now on, and has to come in again");
            }
        }
    }

    private void disconnect(String why) {
        if (state != State.CLOSED) {
            LOG.warn("{} is cut off: it {}", this, why);
            close();
        }
    }

    /** The socket beneath TLS: nothing can hold that up. */
    void close() {
        markClosed();
        var open = clientConnection;
        if (open != null) {
            open.close();
        }
        connectionWriter.end();
        try {
            rawSocket.close();
        } catch (IOException broken) {
            LOG.debug("{}: {}", this, broken.toString());
        }
    }

    private synchronized void markClosed() {
        state = State.CLOSED;
    }

    @Override
    public String toString() {
        return rawSocket.getInetAddress().getHostAddress() + ":" + rawSocket.getPort();
    }
}
