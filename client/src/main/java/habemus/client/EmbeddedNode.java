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
 * @param peerTls of the connections to the other nodes; empty for plain text
 * @param clientOptions changes the options of the client in this JVM
 */
public record EmbeddedNode(
        String name,
        List<String> cluster,
        String clientAddress,
        Optional<Path> dataFolder,
        Optional<PeerTls> peerTls,
        UnaryOperator<ClientOptions> clientOptions) {

    /**
     * TLS files of a node for the connections to the other nodes. Both are PKCS #12.
     *
     * @param keyStore the node's certificate and key; the certificate must name the node
     * @param trustStore certificates of all nodes, or of their authority
     * @param password of both files and of the key
     */
    public record PeerTls(Path keyStore, Path trustStore, String password) {

        /** Does not show the password. */
        @Override
        public String toString() {
            return "PeerTls[keyStore=" + keyStore + ", trustStore=" + trustStore + "]";
        }
    }

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
        return new EmbeddedNode(
                "n1", List.of(), "localhost:0", Optional.empty(), Optional.empty(), UnaryOperator.identity());
    }

    /**
     * Returns one of several nodes, each in its own JVM.
     *
     * @param name of this node
     * @param cluster peer addresses of all nodes, each as {@code name=host:port}
     * @return without data folder
     */
    public static EmbeddedNode of(String name, String... cluster) {
        return new EmbeddedNode(
                name, List.of(cluster), "localhost:0", Optional.empty(), Optional.empty(), UnaryOperator.identity());
    }

    /**
     * Returns a copy that listens for other clients.
     *
     * @param next where they connect, {@code host:port}
     * @return otherwise equal
     */
    public EmbeddedNode withClientAddress(String next) {
        return new EmbeddedNode(name, cluster, next, dataFolder, peerTls, clientOptions);
    }

    /**
     * Returns a copy that keeps its data over restarts.
     *
     * @param folder used by this node only
     * @return otherwise equal
     */
    public EmbeddedNode withDataFolder(Path folder) {
        return new EmbeddedNode(name, cluster, clientAddress, Optional.of(folder), peerTls, clientOptions);
    }

    /**
     * Returns a copy that uses mutual TLS between the nodes. A peer must show a trusted certificate that names it.
     *
     * @param files of this node
     * @return otherwise equal
     */
    public EmbeddedNode withPeerTls(PeerTls files) {
        return new EmbeddedNode(name, cluster, clientAddress, dataFolder, Optional.of(files), clientOptions);
    }

    /**
     * Returns a copy that changes the options of the client in this JVM.
     *
     * @param next such as {@code options -> options.withName("worker-1")}
     * @return otherwise equal
     */
    public EmbeddedNode withClientOptions(UnaryOperator<ClientOptions> next) {
        return new EmbeddedNode(name, cluster, clientAddress, dataFolder, peerTls, next);
    }

    EmbeddedNodeProvider.NodeConfig nodeConfig() {
        return new EmbeddedNodeProvider.NodeConfig(
                name,
                cluster,
                clientAddress,
                dataFolder.map(Path::toString).orElse(""),
                peerTls.map(files -> new EmbeddedNodeProvider.TlsFiles(
                        files.keyStore().toString(), files.trustStore().toString(), files.password())));
    }

    ClientOptions options(List<String> endpoints) {
        return clientOptions.apply(ClientOptions.to(endpoints.toArray(String[]::new)));
    }
}
