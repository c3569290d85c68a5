package habemus.client;

import habemus.lockservice.EmbeddedNodeProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A node of the service within this JVM. Begin with {@link #alone} or {@link #of}, and change what is not as wanted.
 *
 * @param name of the node
 * @param cluster all nodes, each as {@code name=host:port}, where they talk to each other; none, if it is alone
 * @param clientAddress where other clients connect, {@code host:port}; with port 0, one that is free
 * @param dataFolder the folder for what must not be forgotten; without one, nothing outlives the JVM
 * @param clientOptions what is different for the client of this JVM
 */
public record EmbeddedNode(
        String name,
        List<String> cluster,
        String clientAddress,
        Optional<Path> dataFolder,
        UnaryOperator<ClientOptions> clientOptions) {

    /**
     * Checks nothing: the service does.
     */
    public EmbeddedNode {
        cluster = List.copyOf(cluster);
    }

    /**
     * A single node, for tests and small programs. It is NOT fault tolerant.
     *
     * @return without data folder
     */
    public static EmbeddedNode alone() {
        return new EmbeddedNode("n1", List.of(), "localhost:0", Optional.empty(), UnaryOperator.identity());
    }

    /**
     * One of several nodes, each in a JVM of its own.
     *
     * @param name of this node
     * @param cluster all nodes, each as {@code name=host:port}, where they talk to each other
     * @return without data folder
     */
    public static EmbeddedNode of(String name, String... cluster) {
        return new EmbeddedNode(name, List.of(cluster), "localhost:0", Optional.empty(), UnaryOperator.identity());
    }

    /**
     * Lets other clients in.
     *
     * @param next where they connect, {@code host:port}
     * @return the same otherwise
     */
    public EmbeddedNode withClientAddress(String next) {
        return new EmbeddedNode(name, cluster, next, dataFolder, clientOptions);
    }

    /**
     * Remembers over restarts.
     *
     * @param folder of this node alone
     * @return the same otherwise
     */
    public EmbeddedNode withDataFolder(Path folder) {
        return new EmbeddedNode(name, cluster, clientAddress, Optional.of(folder), clientOptions);
    }

    /**
     * Changes the options of the client in this JVM.
     *
     * @param next what to change, such as {@code options -> options.name("worker-1")}
     * @return the same otherwise
     */
    public EmbeddedNode withClientOptions(UnaryOperator<ClientOptions> next) {
        return new EmbeddedNode(name, cluster, clientAddress, dataFolder, next);
    }

    EmbeddedNodeProvider.NodeConfig nodeConfig() {
        return new EmbeddedNodeProvider.NodeConfig(
                name, cluster, clientAddress, dataFolder.map(Path::toString).orElse(""));
    }

    ClientOptions options(List<String> doors) {
        return clientOptions.apply(ClientOptions.to(doors.toArray(String[]::new)));
    }
}
