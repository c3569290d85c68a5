package habemus.lockservice;

import java.util.List;

/**
 * Starts nodes of the service within this JVM. Whoever can do so offers it to {@link java.util.ServiceLoader}, so that
 * a client finds it without knowing it.
 */
public interface EmbeddedNodeProvider {

    /**
     * Returns when clients can connect.
     *
     * @throws IllegalArgumentException if the plan makes no sense, with what to change
     * @throws IllegalStateException if the node cannot be started, with the reason
     */
    RunningNode start(NodeConfig nodeConfig);

    /**
     * @param node its name
     * @param cluster all nodes, each as {@code name=host:port}, where they talk to each other; none, if it is alone
     * @param clientAddress where clients connect, {@code host:port}; with port 0, one that is free
     * @param dataFolder the folder for what must not be forgotten; empty, if nothing is to outlive the JVM
     */
    record NodeConfig(String node, List<String> cluster, String clientAddress, String dataFolder) {}

    /** A node that runs. */
    interface RunningNode extends AutoCloseable {

        /** Where clients connect, this node first. */
        List<String> endpoints();

        @Override
        void close();
    }
}
