package habemus.service.server;

import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.raft.StartMode;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration of a {@link LockServerNode}.
 *
 * @param transportSecurity of the connections between nodes; with a truststore of its own, the certificate of a client
 *     opens nothing there
 */
public record LockServerConfig(
        Membership membership,
        Storage storage,
        Listeners listeners,
        TransportSecurity transportSecurity,
        ServerLimits limits) {

    /** Offset of the HTTP port to the port of the node. */
    public static final int HTTP_PORT_OFFSET = 200;

    /** The name of a cluster, if the operator chooses none. */
    public static final String DEFAULT_CLUSTER = "habemus";

    /** Offset of the client port to the port of the node. */
    public static final int CLIENT_PORT_OFFSET = 300;

    /** Leaves room for the fences below 2⁵³, up to which numbers are exact in JSON. */
    public static final long MAX_FIRST_FENCE = 1L << 52;

    private static final Instant FENCE_EPOCH = Instant.parse("2026-01-01T00:00:00Z");
    private static final long DEFAULT_COMPACTION_BYTES = 32L << 20;

    /**
     * @param cluster name of the cluster; nodes of other clusters are not admitted
     * @param members of a new cluster; a cluster that exists knows its members from its log
     * @param self this node, one of the members
     * @param mode what this node may do with an empty data folder
     * @param firstFence every fence of a new cluster is larger
     */
    public record Membership(String cluster, List<Member> members, NodeId self, StartMode mode, long firstFence) {

        public Membership {
            members = List.copyOf(members);
            selfIn(members, self);
        }
    }

    /**
     * @param dataFolder of the embedded log; empty to keep everything in memory, for a cluster of one node
     * @param engine that holds the log in place of the nodes; empty for the embedded log
     * @param compactionBytes size of the log after which a snapshot replaces it
     * @param traceFolder where the node records its steps; empty for no recording
     */
    public record Storage(
            Optional<Path> dataFolder,
            Optional<EngineConfig.Engine> engine,
            long compactionBytes,
            Optional<Path> traceFolder) {}

    /**
     * @param clientAddress of the client protocol
     * @param http the HTTP API
     * @param tls of both addresses; empty for plain text
     * @param policyFile see {@link AccessPolicy}; empty to allow every client everything
     */
    public record Listeners(
            InetSocketAddress clientAddress,
            HttpConfig http,
            Optional<TransportSecurity.Certificates> tls,
            Optional<Path> policyFile) {}

    /** @throws IllegalArgumentException if a node of several, or one that records, has no data folder */
    public LockServerConfig {
        if (storage.dataFolder.isEmpty() && storage.traceFolder.isPresent()) {
            throw new IllegalArgumentException("a node that records its steps must have a data folder, was none");
        }
        if (storage.dataFolder.isEmpty() && storage.engine.isEmpty() && membership.members.size() > 1) {
            throw new IllegalArgumentException(
                    "a node of a cluster must have a data folder, was none (members " + membership.members + ")");
        }
    }

    /**
     * With the default ports, without encryption and without a policy.
     *
     * @throws IllegalArgumentException if {@code self} is not a member, or a node of several has no data folder
     */
    public static LockServerConfig of(List<Member> members, NodeId self, Optional<Path> dataFolder) {
        var address = selfIn(members, self).address();
        return new LockServerConfig(
                new Membership(DEFAULT_CLUSTER, members, self, StartMode.BOOTSTRAP, newFirstFence()),
                new Storage(dataFolder, Optional.empty(), DEFAULT_COMPACTION_BYTES, Optional.empty()),
                new Listeners(
                        withPortOffset(address, CLIENT_PORT_OFFSET),
                        HttpConfig.of(withPortOffset(address, HTTP_PORT_OFFSET)),
                        Optional.empty(),
                        Optional.empty()),
                new TransportSecurity.None(),
                ServerLimits.DEFAULT.withQuotas(
                        ServerLimits.quotasFor(Runtime.getRuntime().maxMemory())));
    }

    /** Above every fence of clusters that were formed earlier: no cluster grants 10⁶ locks a second. Exact in JSON. */
    public static long newFirstFence() {
        return Duration.between(FENCE_EPOCH, Instant.now()).toSeconds() * 1_000_000;
    }

    private static Member selfIn(List<Member> members, NodeId self) {
        return members.stream()
                .filter(member -> member.node().equals(self))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the node must be one of the members " + members + ", was " + self));
    }

    private static InetSocketAddress withPortOffset(InetSocketAddress address, int offset) {
        return new InetSocketAddress(address.getAddress(), address.getPort() + offset);
    }

    public String cluster() {
        return membership.cluster;
    }

    public List<Member> members() {
        return membership.members;
    }

    public NodeId self() {
        return membership.self;
    }

    /** This node with its address. */
    public Member selfMember() {
        return selfIn(membership.members, membership.self);
    }

    public StartMode mode() {
        return membership.mode;
    }

    public long firstFence() {
        return membership.firstFence;
    }

    public Optional<Path> dataFolder() {
        return storage.dataFolder;
    }

    public Optional<EngineConfig.Engine> engine() {
        return storage.engine;
    }

    public long compactionBytes() {
        return storage.compactionBytes;
    }

    public Optional<Path> traceFolder() {
        return storage.traceFolder;
    }

    public InetSocketAddress clientAddress() {
        return listeners.clientAddress;
    }

    public InetSocketAddress httpAddress() {
        return listeners.http.address();
    }

    public HttpConfig http() {
        return listeners.http;
    }

    public Optional<TransportSecurity.Certificates> tls() {
        return listeners.tls;
    }

    /** Whether the certificate of a client is also trusted on the port of the peers, where it has to name a member. */
    boolean hasSharedTrust() {
        return members().size() > 1
                && transportSecurity instanceof TransportSecurity.Certificates peers
                && tls().filter(clients -> clients.truststore().equals(peers.truststore()))
                        .isPresent();
    }

    public Optional<Path> policyFile() {
        return listeners.policyFile;
    }

    private LockServerConfig withMembership(Membership next) {
        return new LockServerConfig(next, storage, listeners, transportSecurity, limits);
    }

    private LockServerConfig withListeners(Listeners next) {
        return new LockServerConfig(membership, storage, next, transportSecurity, limits);
    }

    public LockServerConfig withCluster(String name) {
        return withMembership(
                new Membership(name, membership.members, membership.self, membership.mode, membership.firstFence));
    }

    public LockServerConfig withMode(StartMode mode) {
        return withMembership(
                new Membership(membership.cluster, membership.members, membership.self, mode, membership.firstFence));
    }

    public LockServerConfig withFirstFence(long fence) {
        return withMembership(
                new Membership(membership.cluster, membership.members, membership.self, membership.mode, fence));
    }

    public LockServerConfig withAddresses(InetSocketAddress clientAddress, InetSocketAddress httpAddress) {
        return withListeners(new Listeners(
                clientAddress, listeners.http.withAddress(httpAddress), listeners.tls, listeners.policyFile));
    }

    /** @param names see {@link HttpConfig} */
    public LockServerConfig withHttpNames(Set<String> names) {
        var http = new HttpConfig(httpAddress(), names);
        return withListeners(new Listeners(listeners.clientAddress, http, listeners.tls, listeners.policyFile));
    }

    /** Records the steps of the node in this folder. */
    public LockServerConfig withTraceFolder(Path folder) {
        var recorded = new Storage(storage.dataFolder, storage.engine, storage.compactionBytes, Optional.of(folder));
        return new LockServerConfig(membership, recorded, listeners, transportSecurity, limits);
    }

    /** Keeps the log in an engine, such as a database, in place of the data folders of the nodes. */
    public LockServerConfig withEngine(EngineConfig.Engine engine) {
        var inEngine = new Storage(Optional.empty(), Optional.of(engine), storage.compactionBytes, storage.traceFolder);
        return new LockServerConfig(membership, inEngine, listeners, transportSecurity, limits);
    }

    public LockServerConfig withTls(TransportSecurity.Certificates files) {
        return withListeners(
                new Listeners(listeners.clientAddress, listeners.http, Optional.of(files), listeners.policyFile));
    }

    public LockServerConfig withPolicyFile(Path file) {
        return withListeners(new Listeners(listeners.clientAddress, listeners.http, listeners.tls, Optional.of(file)));
    }

    public LockServerConfig withTransportSecurity(TransportSecurity security) {
        return new LockServerConfig(membership, storage, listeners, security, limits);
    }

    public LockServerConfig withLimits(ServerLimits newLimits) {
        return new LockServerConfig(membership, storage, listeners, transportSecurity, newLimits);
    }
}
