package habemus.service.server;

import habemus.lockservice.protocol.ClientFrame;
import habemus.service.log.EngineConfig;
import habemus.service.log.InMemoryReplicatedLog;
import habemus.service.log.LogProvider;
import habemus.service.log.ReplicatedLog;
import habemus.service.metrics.NodeMetrics;
import habemus.service.raft.LogRecorder;
import habemus.service.raft.RaftLog;
import habemus.service.raft.ReplicatedLogConfig;
import habemus.service.recording.NodeRecorder;
import habemus.service.recording.ServerRecorder;
import habemus.service.runtime.NodeFailure;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the lock service: its replicated log, the loop of its lock server, and its client listener. All three run
 * on one event loop.
 */
public final class LockServerNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LockServerNode.class);

    private final LockServerConfig config;
    private final NettyEventLoop eventLoop;
    private final ReplicatedLog log;
    private final NodeMetrics metrics;
    private final AccessPolicy policy;
    private final LockServerLoop loop;
    private final ClientListener listener;
    private final Optional<NodeRecorder> recorder;
    private final CompletableFuture<NodeFailure> failure = new CompletableFuture<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private LockServerNode(
            LockServerConfig config,
            NettyEventLoop eventLoop,
            ReplicatedLog log,
            Optional<NodeRecorder> recorder,
            NodeMetrics metrics) {
        this.config = config;
        this.recorder = recorder;
        this.metrics = metrics;
        this.eventLoop = eventLoop;
        this.log = log;
        policy = config.policyFile().map(AccessPolicy::of).orElseGet(AccessPolicy::allowAll);
        var environment = new LockServerLoop.Environment(
                eventLoop,
                InstantSource.system(),
                HeapGuard.ofThisProcess(),
                recorder.<ServerRecorder>map(steps -> steps).orElse(ServerRecorder.NONE),
                metrics);
        loop = new LockServerLoop(config.self(), environment, log, policy, config.limits());
        var settings = new ClientListener.Settings(
                config.clientAddress(), config.tls(), ClientListener.ConnectionLimits.DEFAULT);
        loop.start(config.firstFence());
        listener = new ClientListener(eventLoop, loop, settings, this::welcome);
    }

    /**
     * Returns when clients can connect. The service grants locks when a majority of the nodes is connected.
     *
     * @throws habemus.service.storage.CorruptFileException if a data file fails its checksum
     * @throws IllegalArgumentException if the policy file or the certificates are invalid
     * @throws IllegalStateException if the node cannot listen on one of its addresses
     */
    public static LockServerNode start(LockServerConfig config) {
        var eventLoop = new NettyEventLoop("node-" + config.self());
        var recorder = config.traceFolder()
                .map(folder -> NodeRecorder.create(
                        folder,
                        config.cluster(),
                        config.self(),
                        config.members().size()));
        var metrics = new NodeMetrics();
        try {
            return start(config, eventLoop, openLog(config, eventLoop, recorder, metrics), recorder, metrics);
        } catch (RuntimeException failed) {
            eventLoop.close();
            recorder.ifPresent(NodeRecorder::close);
            throw failed;
        }
    }

    private static ReplicatedLog openLog(
            LockServerConfig config, NettyEventLoop eventLoop, Optional<NodeRecorder> recorder, NodeMetrics metrics) {
        if (config.engine().isPresent()) {
            var engine = config.engine().get();
            return LogProvider.of(engine)
                    .open(
                            EngineConfig.of(engine, config.cluster(), config.selfMember(), config.compactionBytes()),
                            eventLoop);
        }
        return config.dataFolder()
                .<ReplicatedLog>map(folder -> RaftLog.open(
                        logConfig(config, folder),
                        eventLoop,
                        recorder.<LogRecorder>map(steps -> steps).orElse(LogRecorder.NONE),
                        metrics))
                .orElseGet(() -> new InMemoryReplicatedLog(
                        new InMemoryReplicatedLog.SharedState(config.members()), config.self(), eventLoop));
    }

    private static ReplicatedLogConfig logConfig(LockServerConfig config, Path folder) {
        return ReplicatedLogConfig.of(config.members(), config.self(), folder)
                .withCluster(config.cluster())
                .withSecurity(config.transportSecurity())
                .withSnapshotThreshold(config.compactionBytes())
                .withMode(config.mode());
    }

    private static LockServerNode start(
            LockServerConfig config,
            NettyEventLoop eventLoop,
            ReplicatedLog log,
            Optional<NodeRecorder> recorder,
            NodeMetrics metrics) {
        try {
            var node = new LockServerNode(config, eventLoop, log, recorder, metrics);
            node.open();
            return node;
        } catch (RuntimeException failed) {
            log.close();
            throw failed;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callbacks only stop the node
    private void open() {
        if (config.dataFolder().isEmpty() && config.engine().isEmpty()) { // other logs report this themselves
            LOG.info("node not fault tolerant node={} reason=in-memory", config.self());
        }
        if (config.hasSharedTrust()) {
            LOG.warn(
                    "peers and clients have one truststore node={} risk=\"the certificate of a client that has the"
                            + " name of a member is accepted as that member\"",
                    config.self());
        }
        listener.open();
        LOG.info("node started node={} client-address={}", config.self(), clientAddress());
        loop.failure().thenAccept(this::fail);
        log.failure().thenAccept(cause -> fail(new NodeFailure("replicated log", cause, loop.table())));
    }

    /** Stops the node. Its clients connect to the others. */
    private void fail(NodeFailure nodeFailure) {
        if (failure.complete(nodeFailure)) {
            LOG.error("node stopped node={} reason=\"{}\"", config.self(), nodeFailure.summary());
            Thread.ofPlatform().name("node-stop").start(this::close);
        }
    }

    /** Lists the address of this node, then that of the leader, which may be the same, and then all others. */
    private ClientFrame.Welcome welcome() {
        var members = log.members();
        // with an engine, every node serves its clients as well as the leader does
        var leaderAddress = loop.leader().stream()
                .filter(leader -> config.engine().isEmpty())
                .flatMap(leader ->
                        members.stream().filter(member -> member.node().equals(leader)))
                .map(this::clientAddressOf)
                .findFirst()
                .orElse(clientAddress());
        var addresses = new ArrayList<>(List.of(clientAddress(), leaderAddress));
        members.stream()
                .filter(member -> member.address().getPort() > 0) // 0: only clients in its own process
                .map(this::clientAddressOf)
                .filter(address -> !addresses.contains(address))
                .forEach(addresses::add);
        return new ClientFrame.Welcome(
                ClientFrame.VERSION,
                log.clusterId(),
                config.self().toString(),
                List.copyOf(addresses),
                log.isFaultTolerant());
    }

    /** Assumes that all nodes have the same offset from their port to their client port. */
    private String clientAddressOf(Member member) {
        if (member.node().equals(config.self())) {
            return clientAddress();
        }
        int offset = config.clientAddress().getPort() == 0
                ? LockServerConfig.CLIENT_PORT_OFFSET
                : config.clientAddress().getPort()
                        - config.selfMember().address().getPort();
        return member.address().getHostString() + ":" + (member.address().getPort() + offset);
    }

    /** Where clients connect. If the node listens on all interfaces, the host by which the other nodes know it. */
    public String clientAddress() {
        var address = listener.address();
        var host =
                address.getAddress().isAnyLocalAddress() ? config.selfMember().address() : address;
        return host.getHostString() + ":" + address.getPort();
    }

    public LockServerConfig config() {
        return config;
    }

    /** For other listeners of the same node. */
    public LockServerLoop loop() {
        return loop;
    }

    public AccessPolicy policy() {
        return policy;
    }

    public ReplicatedLog log() {
        return log;
    }

    /** What this node measures; other listeners add theirs. */
    public NodeMetrics metrics() {
        return metrics;
    }

    public ServerStats stats() {
        return loop.stats();
    }

    /** Whether the event loop runs a task within this time. Waits that long at most. */
    public boolean isResponsive(Duration timeout) {
        try {
            CompletableFuture.runAsync(() -> {}, eventLoop::execute).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException | RejectedExecutionException unresponsive) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    public InetSocketAddress listenAddress() {
        return listener.address();
    }

    /** Completes if the node has stopped by itself. */
    public CompletableFuture<NodeFailure> failure() {
        return failure;
    }

    /** A node that fails closes itself, also while its owner does. */
    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        listener.close();
        log.close();
        loop.close();
        eventLoop.close();
        recorder.ifPresent(NodeRecorder::close);
    }
}
