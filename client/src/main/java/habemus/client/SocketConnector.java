package habemus.client;

import habemus.client.environment.Endpoint;
import habemus.client.environment.NodeConnector;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Connects over TCP.
 *
 * @param timeout of an attempt to connect
 * @param tls for nodes whose client port uses TLS
 */
record SocketConnector(Duration timeout, Optional<SSLContext> tls) implements NodeConnector {

    @Override
    public NodeSocket open(Endpoint endpoint, Duration delay, Receiver receiver) {
        var socket = new NodeSocket(this, endpoint, receiver);
        socket.start(delay);
        return socket;
    }
}
