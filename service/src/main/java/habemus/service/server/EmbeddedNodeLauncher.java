package habemus.service.server;

import habemus.lockservice.EmbeddedNodeProvider;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Starts nodes inside the JVM of a client. */
public final class EmbeddedNodeLauncher implements EmbeddedNodeProvider {

    /** The address of a node without peers; it is never bound. */
    private static final String LONE_NODE_ADDRESS = "=127.0.0.1:7601";

    /** For {@link java.util.ServiceLoader}. */
    public EmbeddedNodeLauncher() {}

    @Override
    public RunningNode start(NodeConfig nodeConfig) {
        var cluster = nodeConfig.cluster().isEmpty()
                ? nodeConfig.node() + LONE_NODE_ADDRESS
                : String.join(",", nodeConfig.cluster());
        var data = Optional.of(nodeConfig.dataFolder())
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
        var config = LockServerConfig.of(Member.parse(cluster), Member.parseNode(nodeConfig.node()), data);
        config = config.withAddresses(parseAddress(nodeConfig.clientAddress()), config.httpAddress());
        config = nodeConfig
                .peerTls()
                .map(files -> new TransportSecurity.Certificates(
                        Path.of(files.keystore()), Path.of(files.truststore()), files.password()))
                .map(config::withTransportSecurity)
                .orElse(config);
        var node = LockServerNode.start(config);
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

    /** Accepts port 0, for any free port. */
    private static InetSocketAddress parseAddress(String text) {
        return text.endsWith(":0")
                ? new InetSocketAddress(text.substring(0, text.length() - 2), 0)
                : Member.parseAddress(text, text);
    }
}
