package habemus.harness.simulation;

import habemus.codec.Codec;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.service.server.ClientConnection;
import habemus.service.server.LockServerLoop;
import habemus.service.server.Principal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The client port of a simulated node: the handshake and the frames of the real one, over virtual connections. */
final class VirtualClientPort implements VirtualNetwork.Acceptor {

    static final int FRAME = 5;

    private static final Codec<ClientFrame.ToService> REQUESTS = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> REPLIES = Codec.of(ClientFrame.ToClient.class);

    private final LockServerLoop lockServer;
    private final Supplier<ClientFrame.Welcome> welcome;
    private final CommittedHistory history;
    private final Set<Served> open = new LinkedHashSet<>();

    VirtualClientPort(LockServerLoop lockServer, Supplier<ClientFrame.Welcome> welcome, CommittedHistory history) {
        this.lockServer = lockServer;
        this.welcome = welcome;
        this.history = history;
    }

    @Override
    public void onConnected(VirtualConnection.End end) {
        end.setReceiver(new Served(end));
    }

    /** Tells all clients the leader. */
    void resendWelcome() {
        open.forEach(served -> served.send(welcome.get()));
    }

    /** One connection. */
    private final class Served implements VirtualConnection.Receiver, LockServerLoop.ReplyListener {
        private final VirtualConnection.End end;
        private @Nullable ClientConnection connection;

        Served(VirtualConnection.End end) {
            this.end = end;
        }

        @Override
        public void onFrame(int kind, byte[] bytes) {
            switch (REQUESTS.read(bytes)) {
                case ClientFrame.Hello hello -> open();
                case ClientFrame.Request(var request)
                when connection != null -> connection.submit(request).ifPresent(this::reject);
                case ClientFrame.ToService unexpected -> end.close();
            }
        }

        private void open() {
            lockServer
                    .connect(Principal.ANONYMOUS, this)
                    .ifPresentOrElse(
                            accepted -> {
                                connection = accepted;
                                open.add(this);
                                send(welcome.get());
                            },
                            end::close);
        }

        private void reject(ClientFrame.ConnectionRejected reason) {
            send(reason);
            onClosed();
            end.close();
        }

        @Override
        public void onReplies(List<Message.ServerReply> replies) {
            for (var reply : replies) {
                history.onReply(reply);
                send(new ClientFrame.Reply(reply));
            }
        }

        private void send(ClientFrame.ToClient frame) {
            end.send(FRAME, REPLIES.write(frame));
        }

        @Override
        public void onClosed() {
            if (connection != null) {
                connection.close();
                connection = null;
                open.remove(this);
            }
        }

        @Override
        public String toString() {
            return "process " + end.host().process();
        }
    }
}
