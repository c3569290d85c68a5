package habemus.service.transport;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Accepts connections and limits their number. All but {@code start} only on the event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, and that is noticed
final class PeerAcceptor {

    static final int MAX_CONNECTIONS = 256;
    static final int MAX_HANDSHAKES = 64;

    private final PeerChannels channels;
    private final Supplier<PeerConnection> connections;
    private final ThrottledLog throttledLog;
    private final Set<PeerConnection> accepted = new HashSet<>();
    private final Set<PeerConnection> inHandshake = new LinkedHashSet<>(); // the oldest first
    private @Nullable Channel server;

    /** @param connections creates the connection of an accepted channel */
    PeerAcceptor(PeerChannels channels, Supplier<PeerConnection> connections, ThrottledLog throttledLog) {
        this.channels = channels;
        this.connections = connections;
        this.throttledLog = throttledLog;
    }

    /** @throws IllegalStateException if the address is in use */
    void start(InetSocketAddress address) {
        server = channels.listen(address, this::onAccepted);
    }

    /**
     * If too many connections are in their handshake, the oldest gives way. So connections that never end their
     * handshake do not keep honest peers out.
     */
    private void onAccepted(Channel channel) {
        if (accepted.size() >= MAX_CONNECTIONS) {
            throttledLog.info(
                    channel.remoteAddress(),
                    "connection closed address={} reason=\"at most {} connections\"",
                    channel.remoteAddress(),
                    MAX_CONNECTIONS);
            channel.close();
            return;
        }
        if (inHandshake.size() >= MAX_HANDSHAKES) {
            inHandshake.iterator().next().close("at most " + MAX_HANDSHAKES + " connections in their handshake");
        }
        var connection = connections.get();
        accepted.add(connection);
        inHandshake.add(connection);
        channels.open(channel, connection);
    }

    void onReady(PeerConnection connection) {
        inHandshake.remove(connection);
    }

    void onClosed(PeerConnection connection) {
        inHandshake.remove(connection);
        accepted.remove(connection);
    }

    void close() {
        if (server != null) {
            server.close();
        }
        new ArrayList<>(accepted).forEach(connection -> connection.close("this node stops"));
    }
}
