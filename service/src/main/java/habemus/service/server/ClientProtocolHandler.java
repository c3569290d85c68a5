package habemus.service.server;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.lockservice.OperationResult;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.service.server.Principal.Permission;
import habemus.service.transport.FrameConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a {@link ClientListener}: authentication, requests, queries. Only on the event loop. */
final class ClientProtocolHandler implements FrameConnection.Handler, LockServerLoop.ReplyListener {

    private static final Logger LOG = LoggerFactory.getLogger(ClientProtocolHandler.class);
    private static final Codec<ClientFrame.ToService> IN_CODEC = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> OUT_CODEC = Codec.of(ClientFrame.ToClient.class);
    private static final int MAX_WAITING_QUERIES = 16;
    private static final String UNAUTHENTICATED = "unauthenticated client";

    private final ClientListener listener;
    private final FrameConnection frames;
    private final Set<Long> sessions = new HashSet<>();
    private @Nullable ClientConnection connection; // after the handshake
    private Supplier<Optional<Principal>> authentication = Optional::empty; // by the current policy
    private int policyVersion;
    private int waitingQueries;

    ClientProtocolHandler(ClientListener listener, FrameConnection frames) {
        this.listener = listener;
        this.frames = frames;
    }

    @Override
    public void onFrame(byte[] bytes) {
        try {
            var frame = IN_CODEC.read(bytes);
            var open = connection;
            if (open == null) {
                handshake(frame);
            } else {
                handle(frame, open);
            }
        } catch (MalformedInputException malformed) {
            onMalformed(String.valueOf(malformed.getMessage()));
        }
    }

    @Override
    public void onMalformed(String reason) {
        reject(new ClientFrame.ConnectionRejected(
                "malformed", reason, "use version " + ClientFrame.VERSION + " of the client protocol"));
    }

    private void handshake(ClientFrame.ToService first) {
        if (!(first instanceof ClientFrame.Hello(var version, var token, var clusterId))) {
            throw new MalformedInputException("the first frame must be a Hello");
        }
        var policy = listener.server().policy();
        var certificate = frames.certificateName();
        authentication = () -> policy.authenticate(token, certificate);
        policyVersion = policy.version();
        var principal = authentication.get();
        if (version != ClientFrame.VERSION) {
            reject(new ClientFrame.ConnectionRejected(
                    "unsupported-version",
                    "the protocol version must be " + ClientFrame.VERSION + ", was " + version,
                    "use a client of the same version as the node"));
        } else if (principal.isEmpty()) {
            policy.reportUnauthenticated(certificate.orElse(UNAUTHENTICATED), toString(), "connect");
            reject(new ClientFrame.ConnectionRejected(
                    "unauthenticated",
                    "the policy does not know this client",
                    "connect with a token or a certificate"));
        } else if (!clusterId.isEmpty() && !clusterId.equals(listener.welcome().clusterId())) {
            reject(new ClientFrame.ConnectionRejected(
                    "wrong-cluster",
                    "this node belongs to cluster " + listener.welcome().clusterId() + ", the session of the client to "
                            + clusterId,
                    "list the nodes of one cluster only"));
        } else {
            open(principal.get());
        }
    }

    private void open(Principal principal) {
        var accepted = listener.server().connect(principal, this);
        if (accepted.isEmpty()) {
            reject(new ClientFrame.ConnectionRejected(
                    "too-many-connections", "this node is at its limit of connections", "connect to another node"));
            return;
        }
        connection = accepted.get();
        frames.open(ClientFrame.MAX_FRAME_BYTES, principal.name());
        listener.onOpened(this);
        send(listener.welcome());
    }

    private void handle(ClientFrame.ToService frame, ClientConnection open) {
        switch (frame) {
            case ClientFrame.Request(var clientRequest) ->
                open.submit(clientRequest).ifPresent(this::end);
            case ClientFrame.Describe(var number, var resourceName) -> {
                if (open.principal().isAllowed(Permission.INSPECT, resourceName)) {
                    send(StatusQueries.describe(
                            number, resourceName, listener.server().table()));
                } else {
                    denyQuery(number, open, "to inspect " + resourceName);
                }
            }
            case ClientFrame.ListDeadlocks(var number) -> {
                if (open.principal().isAllowedEverywhere(Permission.INSPECT)) {
                    listDeadlocks(number);
                } else {
                    denyQuery(number, open, "to inspect all resources");
                }
            }
            case ClientFrame.Hello again -> throw new MalformedInputException("unexpected Hello after the handshake");
        }
    }

    private void listDeadlocks(long number) {
        if (waitingQueries >= MAX_WAITING_QUERIES) {
            reject(new ClientFrame.ConnectionRejected(
                    "too-many-queries",
                    "at most " + MAX_WAITING_QUERIES + " queries for deadlocks may wait for an answer",
                    "wait for an answer before the next query"));
            return;
        }
        waitingQueries++;
        var table = listener.server().table();
        listener.answer(() -> StatusQueries.deadlocks(number, table), this);
    }

    void onAnswer(ClientFrame.ToClient answer) {
        waitingQueries--;
        send(answer);
    }

    private void denyQuery(long number, ClientConnection open, String action) {
        var name = open.principal().name();
        listener.server().policy().reportDenied(name, toString(), action);
        var reason = new ClientFrame.ConnectionRejected(
                "forbidden", name + " has no permission " + action, "add the permission to the policy file");
        send(new ClientFrame.QueryDenied(number, reason));
    }

    private void reject(ClientFrame.ConnectionRejected reason) {
        listener.server().counters().countRejection(reason.code());
        end(reason);
    }

    /** Sends the reason and ends the connection. */
    private void end(ClientFrame.ConnectionRejected reason) {
        LOG.debug("connection rejected client={} reason={}", this, reason.code());
        frames.end(OUT_CODEC.write(reason));
        onClosed();
    }

    void send(ClientFrame.ToClient frame) {
        frames.send(OUT_CODEC.write(frame));
    }

    @Override
    public void onReplies(List<Message.ServerReply> replies) {
        replies.forEach(reply -> {
            trackSession(reply);
            send(new ClientFrame.Reply(reply));
        });
    }

    /** Tracks the sessions of this connection. */
    private void trackSession(Message.ServerReply reply) {
        switch (reply) {
            case Message.SessionOpened(var nonce, var session) -> sessions.add(session);
            case Message.Renewed(var session, var number) -> sessions.add(session);
            case Message.Result(var session, var number, OperationResult.Closed closed) -> sessions.remove(session);
            case Message.Result result -> {}
            case Message.SessionExpired(var session) -> sessions.remove(session);
            case Message.SessionRefused refused -> {}
            case Message.ResourceChanged changed -> {}
        }
    }

    @Override
    public boolean mayBeIdle() {
        return !sessions.isEmpty();
    }

    /** A client whose permissions have changed has to connect again. */
    void checkPermissions() {
        int now = listener.server().policy().version();
        if (now != policyVersion) {
            policyVersion = now;
            if (!authentication.get().equals(Optional.ofNullable(connection).map(ClientConnection::principal))) {
                frames.disconnect("permissions-changed");
            }
        }
    }

    @Override
    public void onTlsFailed(String reason) {
        listener.server().policy().reportUnauthenticated(UNAUTHENTICATED, toString(), "TLS handshake: " + reason);
    }

    @Override
    public void onClosed() {
        listener.onClosed(this);
        if (connection != null) {
            connection.close();
        }
    }

    @Override
    public String toString() {
        return frames.toString();
    }
}
