package habemus.service.algorithm;

import habemus.codec.MalformedInputException;
import habemus.protocol.NodeId;
import habemus.service.runtime.NodeFailure;
import habemus.service.storage.AtomicFile;
import habemus.service.transport.JGroupsTransport;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.Transport;
import habemus.world.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node that runs classic algorithms: its transport, its groups (locks and elections), and its clients. */
public final class AlgorithmNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AlgorithmNode.class);

    private final AlgorithmNodeConfig config;
    private final PeerIncarnation self;
    private final Transport transport;
    private final GroupRegistry groups;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("timers").factory());
    private final CompletableFuture<NodeFailure> failure = new CompletableFuture<>();
    private final CompletableFuture<Void> allPeersPresent = new CompletableFuture<>();
    private final Map<NodeId, PeerIncarnation> latestIncarnations = new TreeMap<>(); // of all peers ever seen
    private final Map<NodeId, PeerIncarnation> presentPeers = new TreeMap<>();
    private final List<Runnable> earlyFrames = new ArrayList<>(); // received before the node has started
    private final Map<Long, StatusQuery> statusQueries = new ConcurrentHashMap<>();
    private final AtomicLong queryCounter = new AtomicLong();
    private final FrameCounters counters = new FrameCounters();
    private final ChangeListeners changeListeners = new ChangeListeners();
    private volatile String httpAddress = "";
    private boolean isStarted;

    private AlgorithmNode(AlgorithmNodeConfig config, Function<PeerIncarnation, Transport> transportFactory) {
        this.config = config;
        createFolders();
        config.dataFolder().ifPresent(AtomicFile::verifyFolder);
        self = new PeerIncarnation(config.self(), IncarnationFile.next(config.dataFolder()));
        transport = transportFactory.apply(self);
        groups = new GroupRegistry(config, self, scheduler, new Group.NodeServices() {
            @Override
            public void send(NodeId to, PeerFrame peerFrame) {
                AlgorithmNode.this.send(to, peerFrame);
            }

            @Override
            public void onFailed(GroupId group, RuntimeException cause, Object state) {
                fail(new NodeFailure(group.toString(), cause, state));
            }

            @Override
            public boolean hasListeners() {
                return changeListeners.hasListeners();
            }

            @Override
            public void onChanged(GroupStatus status) {
                changeListeners.notifyLocalChange(self.node(), status);
                changeListeners
                        .followers()
                        .forEach(peer -> AlgorithmNode.this.send(peer, new PeerFrame.GroupChanged(status)));
            }
        });
    }

    /**
     * Starts a node. Returns when it is connected to all peers, or when the startup wait is over.
     *
     * @throws habemus.service.storage.CorruptFileException if a data file fails its checksum
     */
    public static AlgorithmNode start(AlgorithmNodeConfig config) {
        return start(
                config,
                self -> new JGroupsTransport(config.cluster(), config.members(), self, config.transportSecurity()));
    }

    static AlgorithmNode start(AlgorithmNodeConfig config, Function<PeerIncarnation, Transport> transportFactory) {
        var node = new AlgorithmNode(config, transportFactory);
        node.awaitPeers();
        return node;
    }

    private void createFolders() {
        try {
            for (var folder : List.of(config.dataFolder(), config.traceFolder())) {
                if (folder.isPresent()) {
                    Files.createDirectories(folder.get());
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void awaitPeers() {
        transport.start(new Transport.Listener() {
            @Override
            public void onMessage(PeerIncarnation from, byte[] bytes) {
                AlgorithmNode.this.onFrame(from, bytes);
            }

            @Override
            public void onPeersChanged(List<PeerIncarnation> peers) {
                AlgorithmNode.this.onPeersChanged(peers);
            }
        });
        allPeersPresent
                .completeOnTimeout(null, config.startupWait().toMillis(), TimeUnit.MILLISECONDS)
                .join();
        synchronized (this) {
            LOG.info(
                    "node started node={} incarnation={} peers={} expected-peers={}",
                    self.node(),
                    self.incarnation(),
                    presentPeers.size(),
                    config.members().size() - 1);
            isStarted = true;
            earlyFrames.forEach(Runnable::run);
            earlyFrames.clear();
        }
    }

    private void send(NodeId to, PeerFrame peerFrame) {
        counters.countSent(peerFrame);
        transport.send(to, peerFrame.toBytes());
    }

    private synchronized void onFrame(PeerIncarnation from, byte[] bytes) {
        if (!isStarted) {
            earlyFrames.add(() -> onFrame(from, bytes));
            return;
        }
        var known = latestIncarnations.get(from.node());
        if (known != null && known.isLaterThan(from)) {
            counters.countRejected();
            return;
        }
        if (!from.equals(presentPeers.get(from.node()))) {
            onPeerJoined(from); // its first frame has overtaken the change of membership
        }
        try {
            handle(from, PeerFrame.read(bytes));
            counters.countReceived();
        } catch (MalformedInputException malformed) {
            counters.countRejected();
            LOG.warn("frame rejected node={} peer={} reason=\"{}\"", self.node(), from.node(), malformed.getMessage());
        }
    }

    private void handle(PeerIncarnation from, PeerFrame peerFrame) {
        switch (peerFrame) {
            case PeerFrame.OpenGroup(var id, var algorithm) -> groupOf(id, algorithm);
            case PeerFrame.AlgorithmMessage message ->
                groupOf(message.group(), message.algorithm()).receive(from.node(), from.incarnation(), message);
            case PeerFrame.StatusRequest(var queryId) ->
                groups.collectStatuses(
                        statuses -> send(from.node(), new PeerFrame.StatusReply(queryId, report(statuses))));
            case PeerFrame.StatusReply(var queryId, var nodeReport) -> {
                var statusQuery = statusQueries.get(queryId);
                if (statusQuery != null) {
                    statusQuery.onReport(from.node(), nodeReport);
                }
            }
            case PeerFrame.Follow(var isEnabled) -> {
                changeListeners.setFollower(from.node(), isEnabled);
                groups.forEach(Group::publishStatus);
            }
            case PeerFrame.GroupChanged(var status) -> changeListeners.notifyChange(from.node(), status);
        }
    }

    /** The group of a frame. If this node does not have it, the node starts it. */
    private Group<?, ?> groupOf(GroupId id, String algorithm) {
        var group = groups.find(id).orElseGet(() -> startGroup(id));
        if (!group.hasAlgorithm(algorithm)) {
            throw new MalformedInputException(
                    "the algorithm of " + id + " must be the same on all nodes, was '" + algorithm + "'");
        }
        return group;
    }

    private synchronized Group<?, ?> startGroup(GroupId id) {
        var group = groups.start(id);
        config.members().stream()
                .map(member -> member.node())
                .filter(node -> !node.equals(self.node()) && !presentPeers.containsKey(node))
                .forEach(absent -> group.setSuspected(absent, true));
        return group;
    }

    private synchronized void onPeersChanged(List<PeerIncarnation> peers) {
        for (PeerIncarnation left : List.copyOf(presentPeers.values())) {
            if (peers.stream().noneMatch(peer -> peer.node().equals(left.node()))) {
                LOG.info("peer left node={} peer={} incarnation={}", self.node(), left.node(), left.incarnation());
                presentPeers.remove(left.node());
                changeListeners.setFollower(left.node(), false);
                groups.forEach(group -> group.setSuspected(left.node(), true));
            }
        }
        peers.forEach(this::onPeerJoined);
        changeListeners.notifyPeers(presentPeers());
        if (presentPeers.size() == config.members().size() - 1) {
            allPeersPresent.complete(null);
        }
    }

    /**
     * A peer has joined. If it has a new incarnation, the old one has crashed: the groups first suspect the peer. Then
     * this node opens its groups at the peer, and no longer suspects it.
     */
    private void onPeerJoined(PeerIncarnation peer) {
        var before = presentPeers.get(peer.node());
        var known = latestIncarnations.get(peer.node());
        if (peer.equals(before) || known != null && known.isLaterThan(peer)) {
            return;
        }
        LOG.info("peer joined node={} peer={} incarnation={}", self.node(), peer.node(), peer.incarnation());
        latestIncarnations.put(peer.node(), peer);
        presentPeers.put(peer.node(), peer);
        changeListeners.setFollower(peer.node(), false); // the new incarnation has not asked to follow
        if (changeListeners.hasClusterListeners()) {
            send(peer.node(), new PeerFrame.Follow(true));
        }
        groups.forEach(group -> {
            if (before != null) {
                group.setSuspected(peer.node(), true);
            }
            send(peer.node(), group.openFrame());
            group.setSuspected(peer.node(), false);
        });
    }

    /** The group of this name. A new one starts on all nodes. */
    private synchronized Group<?, ?> group(Problem problem, String name) {
        var id = new GroupId(problem, name);
        var found = groups.find(id);
        if (found.isPresent()) {
            return found.get();
        }
        var group = startGroup(id);
        presentPeers.keySet().forEach(node -> send(node, group.openFrame()));
        return group;
    }

    /** Queues a client for a lock. */
    public Ticket acquire(String lock, String client) {
        return group(Problem.MUTEX, lock).enqueue(client);
    }

    /** Queues a client to act as leader whenever this node is the leader. */
    public Ticket campaign(String election, String client) {
        campaign(election);
        return group(Problem.ELECTION, election).enqueue(client);
    }

    /** Starts the election, unless there is a leader. */
    public void campaign(String election) {
        ((ElectionGroup<?, ?>) group(Problem.ELECTION, election)).campaign();
    }

    public void release(String lock, Ticket ticket) {
        group(Problem.MUTEX, lock).release(ticket);
    }

    public void resign(String election, Ticket ticket) {
        group(Problem.ELECTION, election).release(ticket);
    }

    /** The status of all groups, as this node knows it. */
    public CompletableFuture<List<GroupStatus>> statuses() {
        return groups.statuses();
    }

    /** The reports of all connected nodes. Nodes that do not answer in time are missing. */
    public CompletableFuture<Map<NodeId, NodeReport>> queryAll(long millis) {
        long queryId = queryCounter.incrementAndGet();
        StatusQuery statusQuery;
        synchronized (this) {
            statusQuery = new StatusQuery(presentPeers.size() + 1);
            statusQueries.put(queryId, statusQuery);
            presentPeers.keySet().forEach(node -> send(node, new PeerFrame.StatusRequest(queryId)));
        }
        groups.collectStatuses(own -> statusQuery.onReport(self.node(), report(own)));
        return statusQuery.reportsWithin(millis).whenComplete((reports, failed) -> statusQueries.remove(queryId));
    }

    private NodeReport report(List<GroupStatus> groupStatuses) {
        return new NodeReport(ProcessHandle.current().pid(), httpAddress, groupStatuses);
    }

    /** Notified of changes by the threads that make them; must not block. */
    public interface ChangeListener {

        /** @param peers that are connected now */
        void onPeersChanged(List<PeerIncarnation> peers);

        void onGroupChanged(NodeId node, GroupStatus status);
    }

    /**
     * Adds a listener, which first gets the current status.
     *
     * @param clusterWide whether to notify it of changes at the peers too
     */
    public synchronized void addListener(ChangeListener changeListener, boolean clusterWide) {
        changeListeners.add(changeListener, clusterWide);
        changeListener.onPeersChanged(presentPeers());
        groups.forEach(Group::publishStatus);
        if (clusterWide) {
            presentPeers.keySet().forEach(node -> send(node, new PeerFrame.Follow(true)));
        }
    }

    public synchronized void removeListener(ChangeListener changeListener) {
        boolean wasFollowing = changeListeners.hasClusterListeners();
        changeListeners.remove(changeListener);
        if (wasFollowing && !changeListeners.hasClusterListeners()) {
            presentPeers.keySet().forEach(node -> send(node, new PeerFrame.Follow(false)));
        }
    }

    /** Sets the address that this node reports to its peers. */
    public void setHttpAddress(String address) {
        httpAddress = address;
    }

    public PeerIncarnation self() {
        return self;
    }

    public AlgorithmNodeConfig config() {
        return config;
    }

    public synchronized List<PeerIncarnation> presentPeers() {
        return List.copyOf(presentPeers.values());
    }

    public FrameCounters counters() {
        return counters;
    }

    /** Completes if the node has stopped by itself. */
    public CompletableFuture<NodeFailure> failure() {
        return failure;
    }

    private void fail(NodeFailure nodeFailure) {
        LOG.error("node stopped node={} reason=\"{}\"", self.node(), nodeFailure.summary());
        failure.complete(nodeFailure);
    }

    @Override
    public void close() {
        groups.close();
        scheduler.shutdownNow();
        transport.close();
    }
}
