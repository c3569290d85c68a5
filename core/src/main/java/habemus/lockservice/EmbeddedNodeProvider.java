package habemus.lockservice;

import java.util.List;

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
     * @param node name of the node
     * @param cluster peer addresses of all nodes, each as {@code name=host:port}; empty for a single node
     * @param clientAddress where clients connect, {@code host:port}; port 0 takes a free port
     * @param dataFolder where the log is stored; empty to keep it in memory only
     */
    record NodeConfig(String node, List<String> cluster, String clientAddress, String dataFolder) {}

    /** A started node. Closing it stops the node. */
    interface RunningNode extends AutoCloseable {

        /** {@return the client addresses of the cluster, this node first} */
        List<String> endpoints();

        @Override
        void close();
    }
}
