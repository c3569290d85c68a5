package habemus.service.server;

import habemus.codec.MalformedInputException;
import habemus.lockservice.OperationResult;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.service.server.Principal.Permission;
import habemus.service.transport.TlsContexts;
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

/** One TCP connection of a {@link ClientListener}: handshake, frames, timeouts. */
final class SocketConnection implements LockServerLoop.ReplyListener {

    private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);

    /** After a rejection, the connection reads and ignores what the client has sent already, up to this size. */
    private static final int MAX_DRAINED_BYTES = 1 << 20;

    private static final String UNAUTHENTICATED = "unauthenticated client";

    private enum State {
        HANDSHAKE,
        OPEN,
        /** The rejection is sent; requests are ignored. */
        CLOSING,
        CLOSED
    }

    private final ClientListener listener;
    private final Socket rawSocket;
    private final ConnectionWriter writer;
    private final Set<Long> sessions = new HashSet<>(); // only for the thread of the loop
    private volatile boolean hasSession;
    private volatile State state = State.HANDSHAKE;
    private volatile long lastReadNanos = System.nanoTime();
    private volatile @Nullable ClientConnection connection;
    private volatile @Nullable Thread reader;
    private volatile Supplier<Optional<Principal>> authentication = Optional::empty; // by the current policy
    private int policyVersion; // only for the thread that checks timeouts

    SocketConnection(ClientListener listener, Socket rawSocket) {
        this.listener = listener;
        this.rawSocket = rawSocket;
        writer = new ConnectionWriter(listener.limits().maxPendingBytes());
    }

    /** Reads frames until the connection is closed. */
    void run() throws IOException {
        try (var socket = listener.withTls(rawSocket)) {
            reader = Thread.currentThread();
            writer.open(new SocketOutput(socket, socket.getOutputStream()));
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            try {
                handshake(
                        in,
                        socket instanceof SSLSocket secured
                                ? TlsContexts.peerCommonName(secured.getSession())
                                : Optional.empty());
            } catch (MalformedInputException malformed) {
                reject(new ClientFrame.ConnectionRejected(
                        "malformed",
                        String.valueOf(malformed.getMessage()),
                        "use version " + ClientFrame.VERSION + " of the client protocol"));
            }
            if (state == State.CLOSING) {
                drain(in);
            }
        } catch (EOFException | SocketException closed) {
            LOG.debug("connection closed client={} reason=\"{}\"", this, closed.toString());
        } catch (SSLException failed) {
            listener.loop().policy().reportDenied(UNAUTHENTICATED, toString(), "TLS handshake: " + failed.getMessage());
        }
    }

    private void handshake(DataInputStream in, Optional<String> certificate) throws IOException {
        if (!(FrameIo.read(in) instanceof ClientFrame.Hello(var version, var token))) {
            throw new MalformedInputException("the first frame must be a Hello");
        }
        var policy = listener.loop().policy();
        authentication = () -> policy.authenticate(token, certificate);
        var principal = authentication.get();
        if (version != ClientFrame.VERSION) {
            reject(new ClientFrame.ConnectionRejected(
                    "unsupported-version",
                    "the protocol version must be " + ClientFrame.VERSION + ", was " + version,
                    "use a client of the same version as the node"));
        } else if (principal.isEmpty()) {
            policy.reportDenied(certificate.orElse(UNAUTHENTICATED), toString(), "connect");
            reject(new ClientFrame.ConnectionRejected(
                    "unauthenticated",
                    "the policy does not know this client",
                    "connect with a token or a certificate"));
        } else {
            handleFrames(in, principal.get());
        }
    }

    private void handleFrames(DataInputStream in, Principal principal) throws IOException {
        var accepted = listener.loop().connect(principal, this);
        if (accepted.isEmpty()) {
            reject(new ClientFrame.ConnectionRejected(
                    "too-many-connections", "this node is at its limit of connections", "connect to another node"));
            return;
        }
        try (var open = accepted.get()) {
            connection = open;
            markOpen();
            send(List.of(listener.welcome()));
            while (state == State.OPEN) {
                writer.flush(); // before the thread waits for the next frame
                handle(FrameIo.read(in), open);
                lastReadNanos = System.nanoTime();
            }
        }
    }

    /** Keeps the state of a connection that was closed during the handshake. */
    private synchronized void markOpen() {
        state = state == State.HANDSHAKE ? State.OPEN : state;
    }

    private void handle(ClientFrame.ToService frame, ClientConnection open) {
        switch (frame) {
            case ClientFrame.Request(var clientRequest) ->
                open.submit(clientRequest).ifPresent(this::reject);
            case ClientFrame.Describe(var number, var resourceName) -> {
                if (open.principal().isAllowed(Permission.INSPECT, resourceName)) {
                    send(List.of(StatusQueries.describe(
                            number, resourceName, listener.loop().table())));
                } else {
                    denyQuery(number, open, "to inspect " + resourceName);
                }
            }
            case ClientFrame.ListDeadlocks(var number) -> {
                if (open.principal().isAllowedEverywhere(Permission.INSPECT)) {
                    send(List.of(StatusQueries.deadlocks(number, listener.loop().table())));
                } else {
                    denyQuery(number, open, "to inspect all resources");
                }
            }
            case ClientFrame.Hello again -> throw new MalformedInputException("unexpected Hello after the handshake");
        }
    }

    private void denyQuery(long number, ClientConnection open, String action) {
        var name = open.principal().name();
        listener.loop().policy().reportDenied(name, toString(), action);
        var reason = new ClientFrame.ConnectionRejected(
                "forbidden", name + " has no permission " + action, "add the permission to the policy file");
        send(List.of(new ClientFrame.QueryDenied(number, reason)));
    }

    /** Sends the reason and closes the connection. */
    private void reject(ClientFrame.ConnectionRejected reason) {
        LOG.debug("connection rejected client={} reason={}", this, reason.code());
        markClosing();
        lastReadNanos = System.nanoTime();
        send(List.of(reason));
        writer.end();
    }

    private synchronized void markClosing() {
        state = state == State.CLOSED ? state : State.CLOSING;
    }

    /** If a socket is closed while input is unread, TCP resets it and the client may never read the rejection. */
    private static void drain(InputStream in) throws IOException {
        long remaining = MAX_DRAINED_BYTES;
        for (long skipped = 1; remaining > 0 && skipped > 0; remaining -= skipped) {
            skipped = in.readNBytes((int) Math.min(remaining, 8_192)).length;
        }
    }

    @Override
    public void onReplies(List<Message.ServerReply> replies) {
        replies.forEach(this::trackSession);
        send(replies.stream().map(ClientFrame.Reply::new).toList());
    }

    /** Tracks the sessions of this connection. */
    private void trackSession(Message.ServerReply reply) {
        switch (reply) {
            case Message.SessionOpened(var nonce, var session) -> sessions.add(session);
            case Message.Renewed(var session, var number) -> sessions.add(session);
            case Message.Result(var session, var number, OperationResult.Closed closed) -> sessions.remove(session);
            case Message.Result result -> {}
            case Message.SessionExpired(var session) -> sessions.remove(session);
            case Message.ResourceChanged changed -> {}
        }
        hasSession = !sessions.isEmpty();
    }

    void resendWelcome() {
        if (state == State.OPEN) {
            send(List.of(listener.welcome()));
        }
    }

    /** The reading thread writes itself, after its batch. Other threads, and a busy one, wake the writer thread. */
    private void send(List<? extends ClientFrame.ToClient> frames) {
        if (state == State.CLOSED) {
            return;
        }
        if (!writer.enqueue(FrameIo.write(frames))) {
            disconnect("slow-reader");
        } else if (!Thread.currentThread().equals(reader)) {
            writer.flushLater();
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
        public void onFailure(IOException cause) {
            LOG.debug("write failed client={} error=\"{}\"", SocketConnection.this, cause.toString());
            close();
        }
    }

    /** Closes the connection if it has exceeded a timeout, or its permissions have changed. */
    void checkTimeouts() {
        var limits = listener.limits();
        long idleNanos = System.nanoTime() - lastReadNanos;
        if (writer.stalledNanos() > limits.writeTimeout().toNanos()) {
            disconnect("write-timeout");
        } else if (state == State.CLOSING
                && idleNanos > limits.handshakeTimeout().toNanos()) {
            close();
        } else if (state == State.HANDSHAKE
                && idleNanos > limits.handshakeTimeout().toNanos()) {
            disconnect("handshake-timeout");
        } else if (state == State.OPEN
                && !hasSession
                && idleNanos > limits.idleTimeout().toNanos()) {
            disconnect("idle");
        } else if (state == State.OPEN) {
            checkPermissions();
        }
    }

    /** A client whose permissions have changed has to connect again. */
    private void checkPermissions() {
        var open = connection;
        int now = listener.loop().policy().version();
        if (now != policyVersion && open != null) {
            policyVersion = now;
            if (!authentication.get().equals(Optional.of(open.principal()))) {
                disconnect("permissions-changed");
            }
        }
    }

    private void disconnect(String reason) {
        if (state != State.CLOSED) {
            LOG.info("client disconnected reason={} client={}", reason, this);
            close();
        }
    }

    /** Closes the raw socket: closing the TLS socket may block. */
    void close() {
        markClosed();
        var open = connection;
        if (open != null) {
            open.close();
        }
        writer.end();
        try {
            rawSocket.close();
        } catch (IOException failed) {
            LOG.debug("close failed client={} error=\"{}\"", this, failed.toString());
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
