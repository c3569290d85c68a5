package habemus.client;

import habemus.lockservice.EmbeddedNodeProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A node of the service that runs in this JVM. Start with {@link #alone} or {@link #of}, and change values with the
 * {@code with} methods.
 *
 * @param name of the node
 * @param cluster peer addresses of all nodes, each as {@code name=host:port}; empty for a single node
 * @param clientAddress where other clients connect, {@code host:port}; port 0 takes a free port
 * @param dataFolder where the node stores its log; empty to keep it in memory only
 * @param clientOptions changes the options of the client in this JVM
 */
public record EmbeddedNode(
        String name,
        List<String> cluster,
        String clientAddress,
        Optional<Path> dataFolder,
        UnaryOperator<ClientOptions> clientOptions) {

    /** Copies the values; the service checks them when the node starts. */
    public EmbeddedNode {
        cluster = List.copyOf(cluster);
    }

    /**
     * Returns a single node, for tests and small programs. It is NOT fault tolerant.
     *
     * @return without data folder
     */
    public static EmbeddedNode alone() {
        return new EmbeddedNode("n1", List.of(), "localhost:0", Optional.empty(), UnaryOperator.identity());
    }

    /**
     * Returns one of several nodes, each in its own JVM.
     *
     * @param name of this node
     * @param cluster peer addresses of all nodes, each as {@code name=host:port}
     * @return without data folder
     */
    public static EmbeddedNode of(String name, String... cluster) {
        return new EmbeddedNode(name, List.of(cluster), "localhost:0", Optional.empty(), UnaryOperator.identity());
    }

    /**
     * Returns a copy that listens for other clients.
     *
     * @param next where they connect, {@code host:port}
     * @return otherwise equal
     */
    public EmbeddedNode withClientAddress(String next) {
        return new EmbeddedNode(name, cluster, next, dataFolder, clientOptions);
    }

    /**
     * Returns a copy that keeps its data over restarts.
     *
     * @param folder used by this node only
     * @return otherwise equal
     */
    public EmbeddedNode withDataFolder(Path folder) {
        return new EmbeddedNode(name, cluster, clientAddress, Optional.of(folder), clientOptions);
    }

    /**
     * Returns a copy that changes the options of the client in this JVM.
     *
     * @param next such as {@code options -> options.withName("worker-1")}
     * @return otherwise equal
     */
    public EmbeddedNode withClientOptions(UnaryOperator<ClientOptions> next) {
        return new EmbeddedNode(name, cluster, clientAddress, dataFolder, next);
    }

    EmbeddedNodeProvider.NodeConfig nodeConfig() {
        return new EmbeddedNodeProvider.NodeConfig(
                name, cluster, clientAddress, dataFolder.map(Path::toString).orElse(""));
    }

    ClientOptions options(List<String> endpoints) {
        return clientOptions.apply(ClientOptions.to(endpoints.toArray(String[]::new)));
    }
}
