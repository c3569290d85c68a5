package habemus.lockservice;

import java.util.List;
import java.util.Optional;

/**
 * Starts a node of the service in this JVM. The client finds the implementation with {@link java.util.ServiceLoader},
 * so that it does not depend on the service.
 */
public interface EmbeddedNodeProvider {

    /**
     * Starts a node, and returns when clients can connect to it.
     *
     * @throws IllegalArgumentException if the configuration is invalid; the message says what to change
     * @throws IllegalStateException if the node cannot start; the message says why
     */
    RunningNode start(NodeConfig config);

    /**
     * @param node name of the node; empty for a random one, if an engine holds the log
     * @param cluster peer addresses of all nodes, each as {@code name=host:port}; empty for a single node
     * @param clientAddress where clients connect, {@code host:port}; port 0 takes a free port
     * @param dataFolder where the log is stored; empty to keep it in memory only
     * @param engine that holds the log in place of the nodes; empty for the embedded log
     * @param peerTls of the connections between nodes; empty for plain text
     */
    record NodeConfig(
            String node,
            List<String> cluster,
            String clientAddress,
            String dataFolder,
            Optional<LogEngine> engine,
            Optional<TlsFiles> peerTls) {}

    /**
     * @param spec its beginning names the engine, such as {@code jdbc:postgresql:}
     * @param client an object of the application that reaches the engine, such as a {@code javax.sql.DataSource};
     *     without it, the address is in the specification
     */
    record LogEngine(String spec, Optional<Object> client) {}

    /**
     * @param keystore a PKCS12 file with the node's key and certificate, which names the node
     * @param truststore a PKCS12 file with the certificates of all nodes, or of their issuer
     * @param password of both files
     */
    record TlsFiles(String keystore, String truststore, String password) {
        @Override
        public String toString() {
            return "TlsFiles[" + keystore + ", " + truststore + "]";
        }
    }

    /** A started node. Closing it stops the node. */
    interface RunningNode extends AutoCloseable {

        /** {@return the client addresses of the cluster, this node first} */
        List<String> endpoints();

        @Override
        void close();
    }
}
