package habemus.service.algorithm;

import habemus.codec.MalformedInputException;
import habemus.protocol.NodeId;
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

/** One node of a cluster: its links, the groups that it hosts, and its clients. */
public final class AlgorithmNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AlgorithmNode.class);

    private final AlgorithmNodeConfig config;
    private final PeerIncarnation self;
    private final Transport transport;
    private final GroupRegistry groupRegistry;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ticker").factory());
    private final CompletableFuture<GroupFailure> groupFailure = new CompletableFuture<>();
    private final CompletableFuture<Void> allPeersPresent = new CompletableFuture<>();
    private final Map<NodeId, PeerIncarnation> latestIncarnations =
            new TreeMap<>(); // life of each peer that was heard of
    private final Map<NodeId, PeerIncarnation> presentPeers = new TreeMap<>();
    private final List<Runnable> earlyFrames = new ArrayList<>(); // arrived before all were here
    private final Map<Long, StatusQuery> statusQueries = new ConcurrentHashMap<>();
    private final AtomicLong queryCounter = new AtomicLong();
    private final FrameCounters frameCounters = new FrameCounters();
    private final ChangeListeners changeListeners = new ChangeListeners();
    private volatile String httpAddress = "";
    private boolean isStarted;

    private AlgorithmNode(AlgorithmNodeConfig config, Function<PeerIncarnation, Transport> network) {
        this.config = config;
        createFolders();
        config.dataFolder().ifPresent(AtomicFile::verifyFolder);
        self = new PeerIncarnation(config.self(), IncarnationFile.next(config.dataFolder()));
        transport = network.apply(self);
        groupRegistry = new GroupRegistry(config, self, scheduler, new Group.NodeServices() {
            @Override
            public void send(NodeId to, PeerFrame peerFrame) {
                AlgorithmNode.this.send(to, peerFrame);
            }

            @Override
            public void onFailed(GroupId group, RuntimeException why, Object state) {
                fail(new GroupFailure(group, why, state));
            }

            @Override
            public boolean hasListeners() {
                return changeListeners.hasListeners();
            }

            @Override
            public void onChanged(GroupStatus groupStatus) {
                changeListeners.notifyLocalChange(self.node(), groupStatus);
                changeListeners
                        .followers()
                        .forEach(peer -> AlgorithmNode.this.send(peer, new PeerFrame.GroupChanged(groupStatus)));
            }
        });
    }

    /**
     * Starts a node; returns when it has found the others, or has waited for them long enough.
     *
     * @throws habemus.service.storage.CorruptFileException if what it has on disk is not what it wrote
     */
    public static AlgorithmNode start(AlgorithmNodeConfig config) {
        return start(
                config,
                self -> new JGroupsTransport(config.cluster(), config.members(), self, config.transportSecurity()));
    }

    static AlgorithmNode start(AlgorithmNodeConfig config, Function<PeerIncarnation, Transport> network) {
        var algorithmNode = new AlgorithmNode(config, network);
        algorithmNode.awaitPeers();
        return algorithmNode;
    }

    private void createFolders() {
        try {
            for (var folder : List.of(config.dataFolder(), config.traceFolder())) {
                if (folder.isPresent()) {
                    Files.createDirectories(folder.get());
                }
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private void awaitPeers() {
        transport.start(new Transport.Listener() {
            @Override
            public void onMessage(PeerIncarnation from, byte[] bytes) {
                AlgorithmNode.this.onFrame(from, bytes);
            }

            @Override
            public void onPeersChanged(List<PeerIncarnation> peerIncarnations) {
                AlgorithmNode.this.onPeersChanged(peerIncarnations);
            }
        });
        allPeersPresent
                .completeOnTimeout(null, config.startupWait().toMillis(), TimeUnit.MILLISECONDS)
                .join();
        synchronized (this) {
            LOG.info(
                    "{} begins, with {} of {} others",
                    self,
                    presentPeers.size(),
                    config.members().size() - 1);
            isStarted = true;
            earlyFrames.forEach(Runnable::run);
            earlyFrames.clear();
        }
    }

    private void send(NodeId to, PeerFrame peerFrame) {
        frameCounters.countSent(peerFrame);
        transport.send(to, peerFrame.toBytes());
    }

    private synchronized void onFrame(PeerIncarnation from, byte[] bytes) {
        if (!isStarted) {
            earlyFrames.add(() -> onFrame(from, bytes));
            return;
        }
        var known = latestIncarnations.get(from.node());
        if (known != null && known.isLaterThan(from)) {
            frameCounters.countRejected();
            return;
        }
        if (!from.equals(presentPeers.get(from.node()))) {
            onPeerJoined(from); // its first words have overtaken the news of it
        }
        try {
            handle(from, PeerFrame.read(bytes));
            frameCounters.countReceived();
        } catch (MalformedInputException garbage) {
            frameCounters.countRejected();
            LOG.warn("{} refuses a frame of {}: {}", self, from, garbage.getMessage());
        }
    }

    private void handle(PeerIncarnation from, PeerFrame peerFrame) {
        switch (peerFrame) {
            case PeerFrame.OpenGroup(var id, var recipe) -> groupOf(id, recipe);
            case PeerFrame.AlgorithmMessage algorithmMessage ->
                groupOf(algorithmMessage.group(), algorithmMessage.algorithm())
                        .receive(from.node(), from.incarnation(), algorithmMessage);
            case PeerFrame.StatusRequest(var number) ->
                groupRegistry.collectStatuses(all -> send(from.node(), new PeerFrame.StatusReply(number, report(all))));
            case PeerFrame.StatusReply(var number, var nodeReport) -> {
                var statusQuery = statusQueries.get(number);
                if (statusQuery != null) {
                    statusQuery.onReport(from.node(), nodeReport);
                }
            }
            case PeerFrame.Follow(var wanted) -> {
                changeListeners.setFollower(from.node(), wanted);
                groupRegistry.forEach(Group::publishStatus);
            }
            case PeerFrame.GroupChanged(var groupStatus) -> changeListeners.notifyChange(from.node(), groupStatus);
        }
    }

    /** The group that a peer speaks of; it begins here too if it is new. */
    private Group<?, ?> groupOf(GroupId id, String recipe) {
        var group = groupRegistry.find(id).orElseGet(() -> startGroup(id));
        if (!group.hasAlgorithm(recipe)) {
            throw new MalformedInputException(
                    id + " is not '" + recipe + "' here: all nodes need the same algorithm and options");
        }
        return group;
    }

    private synchronized Group<?, ?> startGroup(GroupId id) {
        var group = groupRegistry.start(id);
        config.members().stream()
                .map(member -> member.node())
                .filter(node -> !node.equals(self.node()) && !presentPeers.containsKey(node))
                .forEach(absent -> group.setSuspected(absent, true));
        return group;
    }

    private synchronized void onPeersChanged(List<PeerIncarnation> peerIncarnations) {
        for (PeerIncarnation gone : List.copyOf(presentPeers.values())) {
            if (peerIncarnations.stream()
                    .noneMatch(peerIncarnation -> peerIncarnation.node().equals(gone.node()))) {
                LOG.info("{}: {} is gone", self, gone);
                presentPeers.remove(gone.node());
                changeListeners.setFollower(gone.node(), false);
                groupRegistry.forEach(group -> group.setSuspected(gone.node(), true));
            }
        }
        peerIncarnations.forEach(this::onPeerJoined);
        changeListeners.notifyPeers(presentPeers());
        if (presentPeers.size() == config.members().size() - 1) {
            allPeersPresent.complete(null);
        }
    }

    /** A node is there, maybe in a new life: then its old one is over, and it is told of all groups. */
    private void onPeerJoined(PeerIncarnation peerIncarnation) {
        var before = presentPeers.get(peerIncarnation.node());
        var known = latestIncarnations.get(peerIncarnation.node());
        if (peerIncarnation.equals(before) || known != null && known.isLaterThan(peerIncarnation)) {
            return;
        }
        LOG.info("{}: {} is here", self, peerIncarnation);
        latestIncarnations.put(peerIncarnation.node(), peerIncarnation);
        presentPeers.put(peerIncarnation.node(), peerIncarnation);
        changeListeners.setFollower(peerIncarnation.node(), false); // its new life has not asked
        if (changeListeners.hasClusterListeners()) {
            send(peerIncarnation.node(), new PeerFrame.Follow(true));
        }
        groupRegistry.forEach(group -> {
            if (before != null) {
                group.setSuspected(peerIncarnation.node(), true);
            }
            send(peerIncarnation.node(), group.openFrame());
            group.setSuspected(peerIncarnation.node(), false);
        });
    }

    /** The group of this name, which begins everywhere if it is new. */
    private synchronized Group<?, ?> group(Problem problem, String name) {
        var id = new GroupId(problem, name);
        var found = groupRegistry.find(id);
        if (found.isPresent()) {
            return found.get();
        }
        var group = startGroup(id);
        presentPeers.keySet().forEach(node -> send(node, group.openFrame()));
        return group;
    }

    /** Stands in line for a lock. */
    public Ticket acquire(String lock, String client) {
        return group(Problem.MUTEX, lock).enqueue(client);
    }

    /** Stands in line to act as leader, whenever this node leads. */
    public Ticket campaign(String election, String client) {
        campaign(election);
        return group(Problem.ELECTION, election).enqueue(client);
    }

    /** Wants this election to be held, unless somebody leads already. */
    public void campaign(String election) {
        ((ElectionGroup<?, ?>) group(Problem.ELECTION, election)).campaign();
    }

    public void release(String lock, Ticket ticket) {
        group(Problem.MUTEX, lock).release(ticket);
    }

    public void resign(String election, Ticket ticket) {
        group(Problem.ELECTION, election).release(ticket);
    }

    /** What this node knows. */
    public CompletableFuture<List<GroupStatus>> statuses() {
        return groupRegistry.statuses();
    }

    /** What every node that is there says of its groups; those that do not answer in time are left out. */
    public CompletableFuture<Map<NodeId, NodeReport>> queryAll(long millis) {
        long number = queryCounter.incrementAndGet();
        StatusQuery statusQuery;
        synchronized (this) {
            statusQuery = new StatusQuery(presentPeers.size() + 1);
            statusQueries.put(number, statusQuery);
            presentPeers.keySet().forEach(node -> send(node, new PeerFrame.StatusRequest(number)));
        }
        groupRegistry.collectStatuses(own -> statusQuery.onReport(self.node(), report(own)));
        return statusQuery.reportsWithin(millis).whenComplete((answers, failed) -> statusQueries.remove(number));
    }

    private NodeReport report(List<GroupStatus> groupStatuses) {
        return new NodeReport(ProcessHandle.current().pid(), httpAddress, groupStatuses);
    }

    /** Who is told of changes, on the threads on which they happen: it must not keep these. */
    public interface ChangeListener {

        /** These peers are there now. */
        void onPeersChanged(List<PeerIncarnation> peerIncarnations);

        void onGroupChanged(NodeId node, GroupStatus groupStatus);
    }

    /**
     * Tells of every change, and first how everything is.
     *
     * @param everywhere whether also of changes at the peers
     */
    public synchronized void addListener(ChangeListener changeListener, boolean everywhere) {
        changeListeners.add(changeListener, everywhere);
        changeListener.onPeersChanged(presentPeers());
        groupRegistry.forEach(Group::publishStatus);
        if (everywhere) {
            presentPeers.keySet().forEach(node -> send(node, new PeerFrame.Follow(true)));
        }
    }

    public synchronized void removeListener(ChangeListener changeListener) {
        boolean followed = changeListeners.hasClusterListeners();
        changeListeners.remove(changeListener);
        if (followed && !changeListeners.hasClusterListeners()) {
            presentPeers.keySet().forEach(node -> send(node, new PeerFrame.Follow(false)));
        }
    }

    /** Where its clients reach it, for whoever asks. */
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
        return frameCounters;
    }

    /** Completed, with why, if the node has stopped by itself. */
    public CompletableFuture<GroupFailure> failure() {
        return groupFailure;
    }

    private void fail(GroupFailure why) {
        LOG.error("{} stops: {}", self, why);
        groupFailure.complete(why);
    }

    @Override
    public void close() {
        groupRegistry.close();
        scheduler.shutdownNow();
        transport.close();
    }
}
