package habemus.service.algorithm;

import habemus.codec.MalformedInputException;
import habemus.concurrent.EventLoop;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.runtime.NodeFailure;
import habemus.service.storage.AtomicFile;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.ReliableTransport;
import habemus.service.transport.Transport;
import habemus.world.Problem;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that runs classic algorithms: its transport, its failure detector, its groups (locks and elections), and its
 * clients. All of it runs on one event loop. The public methods may be called from any thread.
 */
public final class AlgorithmNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AlgorithmNode.class);

    private final AlgorithmNodeConfig config;
    private final PeerIncarnation self;
    private final NodeHost host;
    private final EventLoop loop;
    private final ReliableTransport transport;
    private final PeerFailureDetector<?, ?> failureDetector;
    private final GroupRegistry groups;
    private final NodeMembership membership;
    private final CompletableFuture<NodeFailure> failure = new CompletableFuture<>();
    private final CompletableFuture<Void> allPeersPresent = new CompletableFuture<>();
    private final AtomicLong queryCounter = new AtomicLong();
    private final FrameCounters counters = new FrameCounters();
    private volatile List<PeerIncarnation> presentPeers = List.of();
    private volatile String httpAddress = "";
    private volatile List<Member> members;
    private final Map<NodeId, PeerIncarnation> incarnations = new TreeMap<>(); // this and all below: only on the loop
    private final Map<Long, StatusQuery> statusQueries = new HashMap<>();
    private final ChangeListeners changeListeners = new ChangeListeners();
    private final List<Runnable> earlyFrames = new ArrayList<>(); // received before the node has started
    private List<PeerIncarnation> connectedPeers = List.of();
    private NodeSet expectedPeers; // that the node waits for at its start
    private boolean isStarted;
    private boolean isLeaving;

    private AlgorithmNode(AlgorithmNodeConfig config, NodeHost host) {
        this.config = config;
        this.host = host;
        loop = host.loop();
        config.createFolders();
        config.dataFolder().ifPresent(AtomicFile::verifyFolder);
        self = new PeerIncarnation(config.self(), IncarnationFile.next(config.dataFolder()));
        membership = new NodeMembership(config, loop, new MembershipServices());
        members = membership.known().members();
        expectedPeers = membership.known().nodes().without(self.node());
        transport = new ReliableTransport(host.transports().create(self, membership), loop);
        failureDetector = PeerFailureDetector.of(config, new DetectorServices(), loop);
        groups = new GroupRegistry(config, self, loop, new GroupServices());
    }

    private final class DetectorServices implements PeerFailureDetector.NodeServices {
        @Override
        public void send(NodeId to, PeerFrame peerFrame) {
            AlgorithmNode.this.send(to, peerFrame);
        }

        @Override
        public void onSuspicionChanged(NodeId peer) {
            AlgorithmNode.this.onSuspicionChanged(peer);
        }

        @Override
        public void onFailed(RuntimeException cause, Object state) {
            fail(new NodeFailure("failure detector", cause, state));
        }
    }

    private final class GroupServices implements Group.NodeServices {
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
    }

    private final class MembershipServices implements NodeMembership.NodeServices {
        @Override
        public void send(NodeId to, PeerFrame peerFrame) {
            if (to.equals(self.node())) {
                execute(() -> handle(self, peerFrame));
            } else {
                AlgorithmNode.this.send(to, peerFrame);
            }
        }

        @Override
        public boolean isSuspected(NodeId peer) {
            return AlgorithmNode.this.isSuspected(peer);
        }

        @Override
        public boolean wasConnected(NodeId peer) {
            return incarnations.containsKey(peer);
        }

        @Override
        public void setPeers(List<Member> peers) {
            transport.setPeers(peers);
            failureDetector.setMembers(
                    NodeSet.of(peers.stream().map(Member::node).toList()).with(self.node()));
        }

        /** The new member learns of the groups before it gets their messages. */
        @Override
        public void onJoined(NodeId peer, int view) {
            groups.forEach(group -> AlgorithmNode.this.send(peer, group.openFrame()));
            groups.changeView(membership.known().change(view), view);
            groups.forEach(group -> group.setSuspected(peer, AlgorithmNode.this.isSuspected(peer)));
            onMembersChanged();
        }

        @Override
        public void onLeft(NodeId peer, int view) {
            groups.changeView(membership.known().change(view), view);
            onMembersChanged();
        }

        @Override
        public Optional<Refusal> leaveGroups() {
            if (!groups.areIdle()) {
                return Optional.of(new Refusal(
                        self.node() + " cannot leave while its clients hold or wait for locks or leaderships",
                        "release them, and try again"));
            }
            isLeaving = true;
            groups.forEach(group -> group.runner.leave());
            return Optional.empty();
        }

        @Override
        public void onWelcome(NodeSet liveMembers) {
            expectedPeers = liveMembers.without(self.node());
            onMembersChanged();
        }
    }

    private void onMembersChanged() {
        members = membership.known().members();
        expectedPeers = expectedPeers.intersection(membership.known().nodes()); // without those that have left
        updatePresentPeers();
    }

    /**
     * Starts a node. Returns when it is connected to all peers, or when the startup wait is over.
     *
     * @throws habemus.service.storage.CorruptFileException if a data file fails its checksum
     * @throws IllegalStateException if the address is in use, or the node has left before
     * @throws MembershipException if the node may not join
     */
    public static AlgorithmNode start(AlgorithmNodeConfig config) {
        var loop = new NettyEventLoop("node-" + config.self());
        try {
            return start(config, NodeHost.of(config, loop));
        } catch (RuntimeException failed) {
            loop.close();
            throw failed;
        }
    }

    static AlgorithmNode start(AlgorithmNodeConfig config, NodeHost host) {
        var node = new AlgorithmNode(config, host);
        node.awaitPeers();
        return node;
    }

    private void awaitPeers() {
        execute(failureDetector::start); // before the first heartbeat arrives
        transport.setPeers(membership.firstPeers());
        transport.start(new Transport.Listener() {
            @Override
            public void onMessage(PeerIncarnation from, byte[] bytes) {
                AlgorithmNode.this.onFrame(from, bytes);
            }

            @Override
            public void onPeersChanged(List<PeerIncarnation> peers) {
                AlgorithmNode.this.onPeersChanged(peers);
            }

            @Override
            public void onRefused(NodeId peer) {
                membership.onRefused(peer);
                failureDetector.onRefused(peer);
            }

            @Override
            public void onRejected(NodeId peer, String reason) {
                membership.onRejected(peer, reason);
            }
        });
        membership.awaitWelcome();
        execute(this::updatePresentPeers); // a single node has all its peers
        allPeersPresent
                .completeOnTimeout(null, config.startupWait().toMillis(), TimeUnit.MILLISECONDS)
                .join();
        execute(this::begin);
    }

    private void begin() {
        LOG.info(
                "node started node={} incarnation={} peers={} expected-peers={}",
                self.node(),
                self.incarnation(),
                presentPeers.size(),
                members.size() - 1);
        isStarted = true;
        earlyFrames.forEach(Runnable::run);
        earlyFrames.clear();
        membership.onStarted();
    }

    /** Runs a task on the event loop, unless the node is closed. */
    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            LOG.debug("task dropped node={} reason=closed", self.node());
        }
    }

    /** A group must not miss a message. All other frames are of use only while the connection lasts. */
    private void send(NodeId to, PeerFrame peerFrame) {
        counters.countSent(peerFrame);
        switch (peerFrame) {
            case PeerFrame.OpenGroup open -> transport.send(to, open.toBytes());
            case PeerFrame.AlgorithmMessage message -> transport.send(to, message.toBytes());
            case MembershipFrame frame -> transport.send(to, frame.toBytes());
            case PeerFrame.DetectorMessage message -> transport.sendUnreliable(to, message.toBytes());
            case PeerFrame.StatusRequest request -> transport.sendUnreliable(to, request.toBytes());
            case PeerFrame.StatusReply reply -> transport.sendUnreliable(to, reply.toBytes());
            case PeerFrame.Follow follow -> transport.sendUnreliable(to, follow.toBytes());
            case PeerFrame.GroupChanged change -> transport.sendUnreliable(to, change.toBytes());
        }
    }

    private void onFrame(PeerIncarnation from, byte[] bytes) {
        if (!from.equals(incarnations.get(from.node()))) {
            counters.countRejected();
            return;
        }
        try {
            var frame = PeerFrame.read(bytes);
            if (isStarted || frame instanceof PeerFrame.DetectorMessage || frame instanceof MembershipFrame) {
                handle(from, frame);
                counters.countReceived();
            } else {
                earlyFrames.add(() -> onFrame(from, bytes));
            }
        } catch (MalformedInputException malformed) {
            counters.countRejected();
            LOG.warn("frame rejected node={} peer={} reason=\"{}\"", self.node(), from.node(), malformed.getMessage());
        }
    }

    private void handle(PeerIncarnation from, PeerFrame peerFrame) {
        switch (peerFrame) {
            case PeerFrame.DetectorMessage message -> failureDetector.receive(from.node(), message);
            case PeerFrame.OpenGroup(var id, var algorithm) -> groupOf(id, algorithm);
            case PeerFrame.AlgorithmMessage message ->
                groupOf(message.group(), message.algorithm()).receive(from.node(), from.incarnation(), message);
            case PeerFrame.StatusRequest(var queryId) ->
                send(from.node(), new PeerFrame.StatusReply(queryId, report()));
            case PeerFrame.StatusReply(var queryId, var nodeReport) -> {
                var statusQuery = statusQueries.get(queryId);
                if (statusQuery != null) {
                    statusQuery.onReport(from.node(), nodeReport);
                }
            }
            case PeerFrame.Follow(var isEnabled) -> {
                changeListeners.setFollower(from.node(), isEnabled);
                groups.forEach(Group::notifyChanged);
            }
            case MembershipFrame frame -> membership.handle(from.node(), frame);
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

    private Group<?, ?> startGroup(GroupId id) {
        try {
            var group = groups.start(id, membership.known());
            members.stream()
                    .map(Member::node)
                    .filter(node -> !node.equals(self.node()) && isSuspected(node))
                    .forEach(suspect -> group.setSuspected(suspect, true));
            if (isLeaving) {
                group.runner.leave(); // a peer that did not know has opened it
            }
            return group;
        } catch (UncheckedIOException failed) {
            fail(new NodeFailure(id.toString(), failed, "none yet"));
            throw failed;
        }
    }

    /** A peer that was never connected is suspected: messages to it are lost. */
    private boolean isSuspected(NodeId peer) {
        return !incarnations.containsKey(peer) || failureDetector.isSuspected(peer);
    }

    private void onSuspicionChanged(NodeId peer) {
        if (membership.isMember(peer)) {
            LOG.info("peer {} node={} peer={}", isSuspected(peer) ? "suspected" : "restored", self.node(), peer);
            groups.forEach(group -> group.setSuspected(peer, isSuspected(peer)));
        }
        updatePresentPeers();
        membership.advance();
    }

    private void onPeersChanged(List<PeerIncarnation> peers) {
        var before = connectedPeers;
        connectedPeers = peers;
        before.stream()
                .filter(peer -> !peers.contains(peer))
                .forEach(peer -> changeListeners.setFollower(peer.node(), false));
        peers.stream().filter(peer -> !before.contains(peer)).forEach(this::onConnected);
        updatePresentPeers();
    }

    /**
     * A peer is connected, maybe again. If it has a new incarnation, the old one has crashed: the groups first suspect
     * the peer, then this node opens its groups at the peer, and then the failure detector decides.
     */
    private void onConnected(PeerIncarnation peer) {
        var before = incarnations.put(peer.node(), peer);
        if (!peer.equals(before)) {
            LOG.info("peer joined node={} peer={} incarnation={}", self.node(), peer.node(), peer.incarnation());
            if (membership.isMember(peer.node())) {
                groups.forEach(group -> group.setSuspected(peer.node(), true));
            }
            membership.onNewIncarnation(peer.node());
            if (membership.isMember(peer.node())) {
                groups.forEach(group -> send(peer.node(), group.openFrame()));
            }
        }
        if (changeListeners.hasClusterListeners()) {
            send(peer.node(), new PeerFrame.Follow(true));
        }
        failureDetector.onConnected(peer.node());
        if (membership.isMember(peer.node())) {
            groups.forEach(group -> group.setSuspected(peer.node(), isSuspected(peer.node())));
        }
    }

    private void updatePresentPeers() {
        var present = incarnations.values().stream()
                .filter(peer -> membership.isMember(peer.node()) && !failureDetector.isSuspected(peer.node()))
                .toList();
        if (!present.equals(presentPeers)) {
            presentPeers = present;
            changeListeners.notifyPeers(present);
        }
        var presentNodes =
                NodeSet.of(present.stream().map(PeerIncarnation::node).toList());
        if (membership.isWelcome() && expectedPeers.without(presentNodes).isEmpty()) {
            allPeersPresent.complete(null);
        }
    }

    /** The group of this name. A new one starts on all nodes. */
    private Group<?, ?> group(GroupId id) {
        var found = groups.find(id);
        if (found.isPresent()) {
            return found.get();
        }
        var group = startGroup(id);
        incarnations.keySet().stream().filter(membership::isMember).forEach(node -> send(node, group.openFrame()));
        return group;
    }

    private void withGroup(Problem problem, String name, Consumer<Group<?, ?>> action) {
        var id = new GroupId(problem, name); // rejects a wrong name before the call returns
        execute(() -> action.accept(group(id)));
    }

    /** A node that leaves has no clients. */
    private void enqueue(Group<?, ?> group, Ticket ticket) {
        if (isLeaving) {
            ticket.end(Ticket.End.LOST);
        } else {
            group.enqueue(ticket);
        }
    }

    /** Queues a client for a lock. */
    public Ticket acquire(String lock, String client) {
        var ticket = new Ticket(client);
        withGroup(Problem.MUTEX, lock, group -> enqueue(group, ticket));
        return ticket;
    }

    /** Queues a client to act as leader whenever this node is the leader. */
    public Ticket campaign(String election, String client) {
        campaign(election);
        var ticket = new Ticket(client);
        withGroup(Problem.ELECTION, election, group -> enqueue(group, ticket));
        return ticket;
    }

    /** Starts the election, unless there is a leader. */
    public void campaign(String election) {
        withGroup(Problem.ELECTION, election, group -> {
            if (!isLeaving) {
                ((ElectionGroup<?, ?>) group).campaign();
            }
        });
    }

    public void release(String lock, Ticket ticket) {
        withGroup(Problem.MUTEX, lock, group -> group.release(ticket));
    }

    public void resign(String election, Ticket ticket) {
        withGroup(Problem.ELECTION, election, group -> group.release(ticket));
    }

    /** The members of the latest view that this node knows, by number. */
    public List<Member> members() {
        return members;
    }

    /**
     * Lets a member leave. Completes when the change is over; exceptionally with a {@link MembershipException} if it is
     * refused.
     */
    public CompletableFuture<Void> remove(NodeId member) {
        var outcome = new CompletableFuture<Void>();
        execute(() -> membership.remove(member, outcome));
        return outcome;
    }

    /** Completes when this node has left. Then close it. */
    public CompletableFuture<Void> departure() {
        return membership.end();
    }

    /** The status of all groups, as this node knows it. */
    public CompletableFuture<List<GroupStatus>> statuses() {
        var statuses = new CompletableFuture<List<GroupStatus>>();
        execute(() -> statuses.complete(groups.statuses()));
        return statuses;
    }

    /** The reports of all present nodes. Nodes that do not answer in time are missing. */
    public CompletableFuture<Map<NodeId, NodeReport>> queryAll(long millis) {
        long queryId = queryCounter.incrementAndGet();
        var peers = presentPeers;
        var statusQuery = new StatusQuery(peers.size() + 1);
        execute(() -> {
            statusQueries.put(queryId, statusQuery);
            statusQuery.onReport(self.node(), report());
            peers.forEach(peer -> send(peer.node(), new PeerFrame.StatusRequest(queryId)));
        });
        return statusQuery
                .reportsWithin(millis)
                .whenComplete((reports, failed) -> execute(() -> statusQueries.remove(queryId)));
    }

    private NodeReport report() {
        return new NodeReport(ProcessHandle.current().pid(), httpAddress, groups.statuses());
    }

    /** Notified of changes on the event loop; must not block. */
    public interface ChangeListener {

        /** @param peers that this node does not suspect now */
        void onPeersChanged(List<PeerIncarnation> peers);

        void onGroupChanged(NodeId node, GroupStatus status);
    }

    /**
     * Adds a listener, which first gets the current status.
     *
     * @param clusterWide whether to notify it of changes at the peers too
     */
    public void addListener(ChangeListener changeListener, boolean clusterWide) {
        execute(() -> {
            changeListeners.add(changeListener, clusterWide);
            changeListener.onPeersChanged(presentPeers);
            groups.forEach(Group::notifyChanged);
            if (clusterWide) {
                connectedPeers.forEach(peer -> send(peer.node(), new PeerFrame.Follow(true)));
            }
        });
    }

    public void removeListener(ChangeListener changeListener) {
        execute(() -> {
            boolean wasFollowing = changeListeners.hasClusterListeners();
            changeListeners.remove(changeListener);
            if (wasFollowing && !changeListeners.hasClusterListeners()) {
                connectedPeers.forEach(peer -> send(peer.node(), new PeerFrame.Follow(false)));
            }
        });
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

    /** The peers that were connected and that the failure detector does not suspect. */
    public List<PeerIncarnation> presentPeers() {
        return presentPeers;
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
        execute(() -> {
            groups.close();
            failureDetector.stop();
        });
        transport.close();
        host.closeLoop().run();
    }
}
