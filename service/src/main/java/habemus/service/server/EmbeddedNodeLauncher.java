package habemus.service.server;

import habemus.lockservice.EmbeddedNodeProvider;
import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/** Starts nodes inside the JVM of a client. */
public final class EmbeddedNodeLauncher implements EmbeddedNodeProvider {

    /** The address of a node without peers; it is never bound. */
    private static final String LONE_NODE_ADDRESS = "=127.0.0.1:7601";

    private static final int RANDOM_NODES_FROM = 100_000;
    private static final int RANDOM_NODES_TO = 1_000_000;

    /** For {@link java.util.ServiceLoader}. */
    public EmbeddedNodeLauncher() {}

    @Override
    public RunningNode start(NodeConfig nodeConfig) {
        var node = LockServerNode.start(config(nodeConfig));
        return new RunningNode() {
            @Override
            public List<String> endpoints() {
                return List.of(node.clientAddress());
            }

            @Override
            public void close() {
                node.close();
            }
        };
    }

    private static LockServerConfig config(NodeConfig nodeConfig) {
        if (nodeConfig.engine().isPresent()) {
            return onEngine(nodeConfig, nodeConfig.engine().get());
        }
        var cluster = nodeConfig.cluster().isEmpty()
                ? nodeConfig.node() + LONE_NODE_ADDRESS
                : String.join(",", nodeConfig.cluster());
        var data = Optional.of(nodeConfig.dataFolder())
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
        var config = LockServerConfig.of(Member.parse(cluster), Member.parseNode(nodeConfig.node()), data);
        config = config.withAddresses(parseAddress(nodeConfig.clientAddress()), config.httpAddress());
        return nodeConfig
                .peerTls()
                .map(files -> new TransportSecurity.Certificates(
                        Path.of(files.keystore()), Path.of(files.truststore()), files.password()))
                .map(config::withTransportSecurity)
                .orElse(config);
    }

    /** Clients of other processes know the port of a node that has an address for them; the others are local. */
    private static LockServerConfig onEngine(NodeConfig nodeConfig, LogEngine engine) {
        var clientAddress = parseAddress(nodeConfig.clientAddress());
        int port = Math.max(0, clientAddress.getPort() - LockServerConfig.CLIENT_PORT_OFFSET);
        var self = new Member(
                nodeConfig.node().isEmpty() ? randomNode() : Member.parseNode(nodeConfig.node()),
                new InetSocketAddress(clientAddress.getHostString(), port));
        var config = LockServerConfig.of(List.of(self), self.node(), Optional.empty());
        return config.withAddresses(clientAddress, config.httpAddress())
                .withEngine(new EngineConfig.Engine(engine.spec(), engine.client()));
    }

    /** Two nodes of the same name are found at the start, and one of them stops. */
    private static NodeId randomNode() {
        return new NodeId(new SecureRandom().nextInt(RANDOM_NODES_FROM, RANDOM_NODES_TO));
    }

    /** Accepts port 0, for any free port. */
    private static InetSocketAddress parseAddress(String text) {
        return text.endsWith(":0")
                ? new InetSocketAddress(text.substring(0, text.length() - 2), 0)
                : Member.parseAddress(text, text);
    }
}
