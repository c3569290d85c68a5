package habemus.service.server;

import habemus.lockservice.protocol.ClientFrame;
import habemus.service.raft.InMemoryReplicatedLog;
import habemus.service.raft.JGroupsRaftLog;
import habemus.service.raft.ReplicatedLog;
import habemus.service.raft.ReplicatedLogConfig;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node of the lock service: its log, its reception, and the door for clients. */
public final class LockServerNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LockServerNode.class);

    private final LockServerConfig config;
    private final ReplicatedLog replicatedLog;
    private final AccessPolicy accessPolicy;
    private final LockServerLoop lockServerLoop;
    private final ClientListener listener;
    private final CompletableFuture<NodeFailure> nodeFailure = new CompletableFuture<>();

    private LockServerNode(LockServerConfig config, ReplicatedLog replicatedLog) {
        this.config = config;
        this.replicatedLog = replicatedLog;
        accessPolicy = config.policyFile().map(AccessPolicy::of).orElseGet(AccessPolicy::allowAll);
        lockServerLoop = new LockServerLoop(config.self(), replicatedLog, accessPolicy, config.serverLimits());
        var tls = config.tls().map(TlsContexts::of);
        lockServerLoop.start();
        listener = new ClientListener(
                lockServerLoop, config.clientAddress(), this::welcome, tls, ClientListener.ConnectionLimits.DEFAULT);
    }

    /**
     * Returns when clients can connect; whether they are served depends on the other nodes.
     *
     * @throws habemus.service.storage.CorruptFileException if what it has on disk is not what it wrote
     * @throws IllegalArgumentException if there is something wrong with the config
     * @throws IllegalStateException if it cannot listen somewhere
     */
    public static LockServerNode start(LockServerConfig config) {
        var replicatedLog = config.dataFolder()
                .<ReplicatedLog>map(folder -> new JGroupsRaftLog(logConfig(config, folder)))
                .orElseGet(() -> new InMemoryReplicatedLog(
                        new InMemoryReplicatedLog.SharedState(config.members()), config.self()));
        return start(config, replicatedLog);
    }

    private static ReplicatedLogConfig logConfig(LockServerConfig config, Path folder) {
        var log = ReplicatedLogConfig.of(config.members(), config.self(), folder)
                .withCluster(config.cluster())
                .withSecurity(config.transportSecurity())
                .withSnapshotThreshold(config.compactionBytes());
        return config.joining() ? log.withJoining() : log;
    }

    static LockServerNode start(LockServerConfig config, ReplicatedLog replicatedLog) {
        try {
            var node = new LockServerNode(config, replicatedLog);
            node.open();
            return node;
        } catch (RuntimeException refused) {
            replicatedLog.close();
            throw refused;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // they only stop it
    private void open() {
        if (config.dataFolder().isEmpty()) { // of what is on disk the log itself says so
            LOG.warn("{}: NOT FAULT TOLERANT: all is in memory, and lost with this process", config.self());
        }
        listener.open();
        LOG.info("{} serves clients at {}", config.self(), clientAddress());
        lockServerLoop.failure().thenAccept(this::fail);
        replicatedLog.failure().thenAccept(why -> fail(new NodeFailure(why, lockServerLoop.table())));
    }

    /** Its clients go elsewhere. */
    private void fail(NodeFailure why) {
        if (nodeFailure.complete(why)) {
            LOG.error("{} stops: {}", config.self(), why);
            Thread.ofPlatform().name("end").start(this::close);
        }
    }

    /** This door first, then that of whoever leads, which may be this one again; then all others. */
    private ClientFrame.Welcome welcome() {
        var members = replicatedLog.members();
        var leading = lockServerLoop.leader().stream()
                .flatMap(leader ->
                        members.stream().filter(member -> member.node().equals(leader)))
                .map(this::clientAddressOf)
                .findFirst()
                .orElse(clientAddress());
        var doors = new ArrayList<>(List.of(clientAddress(), leading));
        members.stream()
                .map(this::clientAddressOf)
                .filter(other -> !doors.contains(other))
                .forEach(doors::add);
        return new ClientFrame.Welcome(
                ClientFrame.VERSION, config.self().toString(), List.copyOf(doors), replicatedLog.isFaultTolerant());
    }

    /** As far above its port as ours is above ours. */
    private String clientAddressOf(Member member) {
        if (member.node().equals(config.self())) {
            return clientAddress();
        }
        var here = selfMember().address();
        int above = config.clientAddress().getPort() == 0
                ? LockServerConfig.CLIENT_PORT_OFFSET
                : config.clientAddress().getPort() - here.getPort();
        return member.address().getHostString() + ":" + (member.address().getPort() + above);
    }

    private Member selfMember() {
        return config.members().stream()
                .filter(member -> member.node().equals(config.self()))
                .findFirst()
                .orElseThrow();
    }

    /** Where clients connect. If it listens everywhere, where the other nodes find it. */
    public String clientAddress() {
        var address = listener.address();
        var host = address.getAddress().isAnyLocalAddress() ? selfMember().address() : address;
        return host.getHostString() + ":" + address.getPort();
    }

    public LockServerConfig config() {
        return config;
    }

    /** For other doors of the same node. */
    public LockServerLoop loop() {
        return lockServerLoop;
    }

    public AccessPolicy policy() {
        return accessPolicy;
    }

    public ReplicatedLog log() {
        return replicatedLog;
    }

    public ServerStats stats() {
        return lockServerLoop.stats();
    }

    public InetSocketAddress listenAddress() {
        return listener.address();
    }

    /** Completed, with why, if it has stopped by itself. */
    public CompletableFuture<NodeFailure> failure() {
        return nodeFailure;
    }

    @Override
    public void close() {
        listener.close();
        replicatedLog.close();
        lockServerLoop.close();
    }
}
