package habemus.harness.attack;

import habemus.client.ClientOptions;
import habemus.harness.cluster.ControlledCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;

/**
 * What is attacked.
 *
 * @param honest how the honest client connects
 * @param certificates of a service with TLS
 * @param cluster empty for a cluster that ran before the attack
 */
record Victim(
        List<Node> nodes,
        ClientOptions honest,
        Optional<AttackCertificates> certificates,
        Optional<ControlledCluster> cluster) {

    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    enum Port {
        PEER("peer"),
        CLIENT("client"),
        HTTP("HTTP");

        private final String text;

        Port(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    record Node(InetSocketAddress peer, InetSocketAddress client, InetSocketAddress http) {

        InetSocketAddress address(Port port) {
            return switch (port) {
                case PEER -> peer;
                case CLIENT -> client;
                case HTTP -> http;
            };
        }
    }

    /** @param turn chooses the node: all of them are attacked in turn */
    InetSocketAddress address(Port port, long turn) {
        return nodes.get((int) (turn % nodes.size())).address(port);
    }

    Socket connect(Port port, long turn) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(address(port, turn), CONNECT_TIMEOUT_MILLIS);
            return socket;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }
}
