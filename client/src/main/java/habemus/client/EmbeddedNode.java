package habemus.client;

import habemus.lockservice.EmbeddedNodeProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * A node of the service that runs in this JVM. Start with {@link #alone}, {@link #of}, {@link #onPostgres} or
 * {@link #on}, and change values with the {@code with} methods.
 *
 * @param name of the node; empty for a random one, if an engine holds the log
 * @param cluster peer addresses of all nodes, each as {@code name=host:port}; empty for a single node
 * @param clientAddress where other clients connect, {@code host:port}; port 0 takes a free port
 * @param dataFolder where the node stores its log; empty to keep it in memory only
 * @param engine that holds the log in place of the nodes; empty for the embedded log
 * @param peerTls of the connections to the other nodes; empty for plain text
 * @param clientOptions changes the options of the client in this JVM
 */
public record EmbeddedNode(
        String name,
        List<String> cluster,
        String clientAddress,
        Optional<Path> dataFolder,
        Optional<Engine> engine,
        Optional<PeerTls> peerTls,
        UnaryOperator<ClientOptions> clientOptions) {

    /**
     * What holds the log in place of the nodes.
     *
     * @param spec such as {@code jdbc:postgresql://HOST/DATABASE} or {@code etcd:HOST:PORT,…}
     * @param client what reaches the engine, such as a {@link DataSource}; without it, the address is in {@code spec}
     */
    public record Engine(String spec, Optional<Object> client) {}

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
                "n1",
                List.of(),
                "localhost:0",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                UnaryOperator.identity());
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
                name,
                List.of(cluster),
                "localhost:0",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                UnaryOperator.identity());
    }

    /**
     * Returns a node whose log is in a PostgreSQL database. Every process of the application may have one: they are the
     * nodes of one service, and need no connections to each other. Needs {@code dev.habemus:habemus-log-postgresql}.
     *
     * @param dataSource of the database; the node keeps two connections
     * @return with a random name, for the clients of this process
     */
    public static EmbeddedNode onPostgres(DataSource dataSource) {
        return on(new Engine("jdbc:postgresql:", Optional.of(dataSource)));
    }

    /**
     * Returns a node whose log is in an engine that the user runs. Needs the artifact of that engine.
     *
     * @param spec such as {@code jdbc:postgresql://HOST/DATABASE?user=USER} or {@code etcd:HOST:PORT,…}
     * @return with a random name, for the clients of this process
     */
    public static EmbeddedNode on(String spec) {
        return on(new Engine(spec, Optional.empty()));
    }

    private static EmbeddedNode on(Engine engine) {
        return new EmbeddedNode(
                "",
                List.of(),
                "localhost:0",
                Optional.empty(),
                Optional.of(engine),
                Optional.empty(),
                UnaryOperator.identity());
    }

    /**
     * Returns a copy that listens for other clients.
     *
     * @param next where they connect, {@code host:port}
     * @return otherwise equal
     */
    public EmbeddedNode withClientAddress(String next) {
        return new EmbeddedNode(name, cluster, next, dataFolder, engine, peerTls, clientOptions);
    }

    /**
     * Returns a copy that keeps its data over restarts.
     *
     * @param folder used by this node only
     * @return otherwise equal
     */
    public EmbeddedNode withDataFolder(Path folder) {
        return new EmbeddedNode(name, cluster, clientAddress, Optional.of(folder), engine, peerTls, clientOptions);
    }

    /**
     * Returns a copy that uses mutual TLS between the nodes. A peer must show a trusted certificate that names it.
     *
     * @param files of this node
     * @return otherwise equal
     */
    public EmbeddedNode withPeerTls(PeerTls files) {
        return new EmbeddedNode(name, cluster, clientAddress, dataFolder, engine, Optional.of(files), clientOptions);
    }

    /**
     * Returns a copy that changes the options of the client in this JVM.
     *
     * @param next such as {@code options -> options.withName("worker-1")}
     * @return otherwise equal
     */
    public EmbeddedNode withClientOptions(UnaryOperator<ClientOptions> next) {
        return new EmbeddedNode(name, cluster, clientAddress, dataFolder, engine, peerTls, next);
    }

    EmbeddedNodeProvider.NodeConfig nodeConfig() {
        return new EmbeddedNodeProvider.NodeConfig(
                name,
                cluster,
                clientAddress,
                dataFolder.map(Path::toString).orElse(""),
                engine.map(value -> new EmbeddedNodeProvider.LogEngine(value.spec(), value.client())),
                peerTls.map(files -> new EmbeddedNodeProvider.TlsFiles(
                        files.keyStore().toString(), files.trustStore().toString(), files.password())));
    }

    ClientOptions options(List<String> endpoints) {
        return clientOptions.apply(ClientOptions.to(endpoints.toArray(String[]::new)));
    }
}
