package habemus.service.transport;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Accepts connections and limits their number. All but {@code bind} only on the event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, and that is noticed
final class ConnectionAcceptor<C extends ChannelConnection> {

    /**
     * @param connections open at the same time
     * @param handshakes connections among them that have not ended their handshake
     */
    record Limits(int connections, int handshakes) {}

    private final ChannelOpener channels;
    private final Limits limits;
    private final Supplier<C> connections;
    private final ThrottledLog throttledLog;
    private final Set<C> accepted = new HashSet<>();
    private final Set<C> inHandshake = new LinkedHashSet<>(); // the oldest first
    private volatile int handshakes; // the size of inHandshake, for any thread
    private @Nullable Channel server;

    /** @param connections creates the connection of an accepted channel */
    ConnectionAcceptor(ChannelOpener channels, Limits limits, Supplier<C> connections, ThrottledLog throttledLog) {
        this.channels = channels;
        this.limits = limits;
        this.connections = connections;
        this.throttledLog = throttledLog;
    }

    /**
     * Listens at an address. Accepts connections after {@link #open}. Not on the event loop, because it waits.
     *
     * @return the same address, with the bound port
     * @throws IllegalStateException if the address is in use
     */
    InetSocketAddress bind(InetSocketAddress address) {
        var bound = channels.listen(address, this::onAccepted);
        server = bound;
        return new InetSocketAddress(address.getAddress(), ((InetSocketAddress) bound.localAddress()).getPort());
    }

    void open() {
        if (server != null) {
            server.config().setAutoRead(true);
        }
    }

    /**
     * If too many connections are in their handshake, the oldest is closed. So connections that never end their
     * handshake do not keep honest peers and clients out.
     */
    private void onAccepted(Channel channel) {
        if (accepted.size() >= limits.connections || channels.isOverloaded()) {
            throttledLog.info(
                    channel.remoteAddress(),
                    "connection closed address={} reason=overload connections={} handshakes={}",
                    channel.remoteAddress(),
                    accepted.size(),
                    inHandshake.size());
            channel.close();
            return;
        }
        if (inHandshake.size() >= limits.handshakes) {
            inHandshake.iterator().next().close("at most " + limits.handshakes + " connections in their handshake");
        }
        var connection = connections.get();
        accepted.add(connection);
        inHandshake.add(connection);
        handshakes = inHandshake.size();
        channels.open(channel, connection);
    }

    void onReady(C connection) {
        inHandshake.remove(connection);
        handshakes = inHandshake.size();
    }

    /** Connections that have not ended their handshake. May be called by any thread. */
    int handshakes() {
        return handshakes;
    }

    /** The connection waits for its client again, so it may be closed for a newer one. */
    void onIdle(C connection) {
        inHandshake.add(connection);
    }

    void onClosed(C connection) {
        onReady(connection);
        accepted.remove(connection);
    }

    /** The open connections. */
    List<C> connections() {
        return List.copyOf(accepted);
    }

    void close() {
        if (server != null) {
            server.close();
        }
        connections().forEach(connection -> connection.close("this node stops"));
    }
}
