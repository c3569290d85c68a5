package habemus.service.raft;

import habemus.codec.MalformedInputException;
import habemus.concurrent.EventLoop;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.Effect;
import habemus.protocol.EntryId;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.service.log.LogHealth;
import habemus.service.log.LogStats;
import habemus.service.log.ProposalRejectedException;
import habemus.service.log.ReplicatedLog;
import habemus.service.metrics.NodeMetrics;
import habemus.service.storage.FileDisk;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import habemus.service.transport.NettyTransport;
import habemus.service.transport.PeerHandshake;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.PeerRejectedException;
import habemus.service.transport.Transport;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicated log on Raft: proposals and their outcomes, members, snapshots, the state machine of the application.
 * All of it runs on one event loop.
 *
 * <p>A follower forwards proposals to the leader. A proposal is complete when its entry is applied at the node that
 * proposed it.
 */
public final class RaftLog implements ReplicatedLog {

    private static final Logger LOG = LoggerFactory.getLogger(RaftLog.class);

    /** After the connection to the leader is lost, a follower waits at most so long before it starts an election. */
    private static final long LEADER_LOST_MAX_MILLIS = 60;

    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(50);
    private static final Duration REFUSAL_PATIENCE = Duration.ofSeconds(3);
    private static final Duration TRANSFER_TIMEOUT = Duration.ofMillis(800);

    /**
     * A log on the files of its data folder.
     *
     * @param loop runs the log; the log does not close it
     * @throws habemus.service.storage.CorruptFileException if a data file fails its checksum
     * @throws IllegalStateException if the folder is in use, or is empty and must not be
     */
    public static RaftLog open(
            ReplicatedLogConfig config, NettyEventLoop loop, LogRecorder recorder, NodeMetrics metrics) {
        var disk = new FileDisk(config.dataFolder());
        try {
            return new RaftLog(
                    config,
                    new LogEnvironment(
                            loop,
                            disk,
                            handshake -> new NettyTransport(config.selfMember(), config.security(), handshake, loop),
                            task -> Thread.ofPlatform()
                                    .daemon()
                                    .name("snapshot")
                                    .start(task),
                            new SecureRandom(),
                            recorder,
                            metrics));
        } catch (RuntimeException failed) {
            disk.close();
            throw failed;
        }
    }

    private final ReplicatedLogConfig config;
    private final NodeId self;
    private final EventLoop loop;
    private final LogEnvironment environment;
    private final RaftStorage storage;
    private final Optional<RaftState.DurableState> onDisk; // before the start
    private final RaftDriver driver;
    private final LogCompaction compaction;
    private final MemberDirectory directory;
    private final IdentityHandshake handshake;
    private final Transport transport;
    private final ProposalRouter proposals;
    private final ReplicationPacer pacer;
    private final MemberChanges memberChanges;
    private final ReplicationStatus replicationStatus;
    private final AtomicLong applied = new AtomicLong();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private @Nullable StateMachine stateMachine;
    private Optional<NodeId> leader = Optional.empty();
    private NodeSet refusing = NodeSet.NONE; // the peers that have refused this node
    private long appliedIndex;
    private boolean hasApplied;
    private boolean isRunning;
    private volatile boolean isClosed;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile CompletableFuture<Void> transferred = new CompletableFuture<>();

    /** @throws habemus.service.storage.CorruptFileException if a data file fails its checksum */
    public RaftLog(ReplicatedLogConfig config, LogEnvironment environment) {
        this.config = config;
        this.environment = environment;
        self = config.self();
        loop = environment.loop();
        directory = new MemberDirectory(self, config.members());
        storage = new RaftStorage(environment.disk());
        onDisk = storage.open();
        handshake = new IdentityHandshake(config, environment.disk(), environment.random(), new HandshakeLog());
        onDisk.ifPresent(durable -> handshake.setStart(durable.log().last(), durable.term()));
        transport = environment.transport().apply(new GuardedHandshake());
        var application = new DriverApplication();
        driver = new RaftDriver(self, environment, storage, application);
        compaction = new LogCompaction(environment, driver, storage, application);
        proposals = new ProposalRouter(config, environment, driver, directory, application);
        pacer = new ReplicationPacer(self, loop, driver::progress, directory, application);
        memberChanges = new MemberChanges(self, loop, driver, directory, new ChangeLog());
        replicationStatus = new ReplicationStatus(self, loop.nanoTime());
    }

    @Override
    public void start(StateMachine newStateMachine) {
        stateMachine = newStateMachine;
        runOnLoop(this::begin);
        transport.start(new TransportListener());
        loop.execute(this::sweep);
    }

    private void runOnLoop(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            CompletableFuture.runAsync(task, loop::execute).join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private void begin() {
        transport.setPeers(directory.peers());
        if (handshake.identity().isFormed()) {
            begin(onDisk.orElseThrow());
        } else {
            formIfComplete();
        }
        if (config.members().size() < 3 && config.mode() != StartMode.JOIN) {
            LOG.warn(
                    "cluster not fault tolerant node={} members={} hint=\"use three nodes\"",
                    self,
                    config.members().size());
        }
    }

    // ---- forming the cluster ----

    private void formIfComplete() {
        if (handshake.mayForm(directory.present())) {
            var clusterId = BackupRestore.newClusterId(environment.random());
            storage.create(BackupRestore.firstState(stateMachine().firstSnapshot(), handshake.firstAddresses()));
            handshake.form(clusterId);
            LOG.info("cluster formed node={} cluster-id={} members={}", self, clusterId, config.members());
            directory.present().forEach(peer -> send(peer, new LogFrame.ClusterFormed(clusterId)));
        }
    }

    private void begin(RaftState.DurableState durable) {
        driver.begin(durable);
        isRunning = true;
    }

    // ---- steps ----

    private final class DriverApplication implements RaftDriver.Application, ProposalRouter.Log {

        @Override
        public void send(NodeId to, RaftMessage message) {
            pacer.send(to, message);
        }

        @Override
        public void send(NodeId to, LogFrame frame) {
            RaftLog.this.send(to, frame);
        }

        @Override
        public void execute(Effect<RaftMessage> effect) {
            switch (effect) {
                case Effect.Apply<RaftMessage>(var first, var entries) -> apply(first, entries);
                case Effect.Load<RaftMessage>(var index, var snapshot) -> load(index, snapshot);
                case Effect.Elected<RaftMessage>(var newLeader, var newTerm) -> setLeader(Optional.of(newLeader));
                case Effect.Lost<RaftMessage>() -> setLeader(Optional.empty());
                default -> throw new IllegalStateException("unexpected effect: " + effect);
            }
        }

        @Override
        public void onStep() {
            updateMembers();
            if (hasApplied) {
                hasApplied = false;
                stateMachine().onIdle();
            }
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // a failure stops the node
        public void onSynced() {
            if (storage.sizeInBytes() > config.snapshotThresholdBytes() && !compaction.isRunning()) {
                runCompaction();
            }
        }

        @Override
        public void guard(Runnable task) {
            guarded(task);
        }
    }

    /** Stops the node if a task fails: the state and the disk may differ. */
    private void guarded(Runnable task) {
        if (failure.isDone() || isClosed) {
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error cause) {
            fail(cause);
        }
    }

    private void fail(Throwable cause) {
        if (failure.complete(cause)) {
            LOG.error("log failed, node stops node={}", self, cause);
            loop.execute(this::closeNow);
        }
    }

    private void send(NodeId to, LogFrame frame) {
        transport.send(to, frame.encode());
    }

    // ---- the application ----

    private StateMachine stateMachine() {
        return Objects.requireNonNull(stateMachine, "log is not started");
    }

    private void apply(long first, List<LogEntry> entries) {
        long index = first;
        for (LogEntry entry : entries) {
            proposals.onTerm(entry.term());
            switch (entry.content()) {
                case LogEntry.Command(var command) ->
                    apply(new EntryId(index, entry.term()), EntryPayload.decode(command));
                case LogEntry.Members(var configuration) ->
                    directory.setAddresses(directory.addresses().retain(configuration.members()));
                case LogEntry.NoOp() -> {}
            }
            appliedIndex = index++;
        }
        hasApplied = true;
    }

    private void apply(EntryId entry, EntryPayload payload) {
        switch (payload.kind()) {
            case ENTRY -> stateMachine().apply(entry.index(), payload.bytes());
            case ADDRESS ->
                directory.setAddresses(directory
                        .addresses()
                        .with(AddressBook.decode(payload.bytes())
                                .members()
                                .getFirst()
                                .withSince(entry)));
        }
        applied.incrementAndGet();
        proposals.onApplied(payload.origin());
    }

    private void load(long index, ByteString snapshot) {
        appliedIndex = index;
        var content = SnapshotEnvelope.decode(snapshot);
        directory.setAddresses(content.addresses());
        stateMachine().restore(content.state());
        proposals.onEntriesSkipped(driver.log().base().term());
        if (isRunning) {
            compaction.onSnapshotReceived();
        }
    }

    private void setLeader(Optional<NodeId> newLeader) {
        LOG.info(
                "leader changed node={} leader={} term={}",
                self,
                newLeader.map(NodeId::toString).orElse("none"),
                driver.term());
        leader = newLeader;
        replicationStatus.onLeaderChanged();
        proposals.setLeader(newLeader);
        memberChanges.onLeaderChanged(newLeader.equals(Optional.of(self)));
        stateMachine().onLeaderChanged(newLeader);
        if (newLeader.isPresent() && !newLeader.get().equals(self)) {
            transferred.complete(null);
        }
        loop.execute(() -> guarded(proposals::drain));
    }

    private void updateMembers() {
        var newest = driver.log().configuration().configuration();
        if (directory.update(newest)) {
            LOG.info("members changed node={} members={} learners={}", self, members(), newest.learners());
            handshake.onMembersChanged(newest.members(), directory.addresses());
            transport.setPeers(withoutStrangers(directory.peers())); // ends these connections
            transport.setPeers(directory.peers());
        }
    }

    /** The peers that may stay connected. The others have to pass the handshake again. */
    private List<Member> withoutStrangers(List<Member> peers) {
        var strangers = handshake.strangers();
        return peers.stream().filter(peer -> !strangers.contains(peer.node())).toList();
    }

    // ---- messages ----

    private final class TransportListener implements Transport.Listener {

        @Override
        public void onMessage(PeerIncarnation from, byte[] bytes) {
            guarded(() -> {
                try {
                    receive(from.node(), LogFrame.CODEC.read(bytes));
                } catch (MalformedInputException malformed) {
                    LOG.warn("message dropped node={} peer={} reason=\"{}\"", self, from, malformed.getMessage());
                }
            });
        }

        @Override
        public void onPeersChanged(List<PeerIncarnation> peers) {
            guarded(() -> {
                directory.setPresent(
                        NodeSet.of(peers.stream().map(PeerIncarnation::node).toList()));
                handshake.onPresent(directory.present());
                refusing = refusing.without(directory.present());
                formIfComplete();
                electSoonWithoutLeader();
            });
        }

        @Override
        public void onRejected(NodeId peer, String reason) {
            if (IdentityHandshake.provesOldCopy(reason)) {
                guarded(() -> stopRefused(peer, reason));
            } else if (IdentityHandshake.isFinal(reason)) {
                refusing = refusing.with(peer);
                loop.schedule(REFUSAL_PATIENCE, () -> guarded(() -> stopWithoutLeader(peer, reason)));
            }
        }
    }

    /** A peer that lags may refuse a member that the others accept: then there is a leader soon, or more accept it. */
    private void stopWithoutLeader(NodeId peer, String reason) {
        if (leader.isEmpty()
                && (isWithoutEntries() || refusing.size() > directory.present().size())) {
            stopRefused(peer, reason);
        }
    }

    private static void stopRefused(NodeId peer, String reason) {
        throw new IllegalStateException(peer + " refuses this node: " + reason);
    }

    /** Such a node has lost its data, and so may have the peers that accept it. */
    private boolean isWithoutEntries() {
        return config.mode() == StartMode.BOOTSTRAP
                && (!isRunning || driver.log().lastIndex() == 0);
    }

    /**
     * A closed connection tells of a crash earlier than the missing heartbeats. The first attempt may fail because the
     * other followers still follow, or have more entries. By the second attempt none of them follows any more.
     */
    private void electSoonWithoutLeader() {
        leader.filter(lost -> !lost.equals(self) && !directory.isPresent(lost)).ifPresent(lost -> {
            long millis = environment.random().nextLong(LEADER_LOST_MAX_MILLIS);
            electAfter(millis, lost, driver.term());
            electAfter(millis + LEADER_LOST_MAX_MILLIS, lost, driver.term());
        });
    }

    private void electAfter(long millis, NodeId lost, long term) {
        loop.schedule(
                Duration.ofMillis(millis),
                () -> guarded(() -> {
                    boolean hasNoOther = leader.isEmpty() || leader.get().equals(lost);
                    if (hasNoOther && driver.term() == term && !directory.isPresent(lost)) {
                        driver.step(new Event.Timeout<>(RaftState.Timer.ELECTION_TIMEOUT));
                    }
                }));
    }

    /** The entries of an acknowledgement of this term are in the log of this node: it leads. */
    private void remember(NodeId member, RaftMessage.AppendAck ack) {
        if (isRunning
                && ack.term() == driver.term()
                && ack.matchIndex() >= driver.log().baseIndex()) {
            handshake.onAcknowledged(member, driver.log().idAt(ack.matchIndex()));
        }
    }

    private void receive(NodeId from, LogFrame frame) {
        switch (frame) {
            case LogFrame.RaftFrame(var message) -> {
                if (message instanceof RaftMessage.AppendAck ack) {
                    remember(from, ack);
                }
                driver.step(new Event.Received<>(from, message));
                updateReplicationStatus(from, message);
            }
            case LogFrame.Forward(var forTerm, var commands) -> {
                pacer.onForwarded(from);
                proposals.onForwarded(from, forTerm, commands);
            }
            case LogFrame.Returned(var forTerm, var returned) -> proposals.onReturned(forTerm, returned);
            case LogFrame.ChangeMembers request ->
                memberChanges.request(
                        request,
                        (refusal, isIndeterminate) ->
                                send(from, new LogFrame.MembersChanged(request.number(), refusal, isIndeterminate)));
            case LogFrame.MembersChanged(var number, var refusal, var isIndeterminate) ->
                memberChanges.onReply(number, refusal, isIndeterminate);
            case LogFrame.ClusterFormed(var clusterId) -> handshake.form(clusterId);
        }
    }

    private void updateReplicationStatus(NodeId from, RaftMessage message) {
        if (message.term() == driver.term()) {
            if (leader.equals(Optional.of(from))) {
                replicationStatus.onLeaderMessage(message, appliedIndex, loop.nanoTime());
            } else if (leader.equals(Optional.of(self)) && message instanceof RaftMessage.AppendAck) {
                replicationStatus.onAcknowledged(from, voters(), loop.nanoTime());
            }
        }
    }

    private List<NodeId> voters() {
        return directory.configuration().voters().toList();
    }

    // ---- proposals ----

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
        if (failure.isDone() || isClosed) {
            return CompletableFuture.failedFuture(
                    new ProposalRejectedException(isClosed ? "node is closed" : "node has failed: " + failure.join()));
        }
        return proposals.propose(EntryPayload.Kind.ENTRY, entry);
    }

    private void sweep() {
        guarded(() -> {
            proposals.sweep();
            memberChanges.onTick();
            if (leader.equals(Optional.of(self))) {
                replicationStatus.onTick(
                        voters(), driver.progress(), driver.log().lastIndex(), loop.nanoTime());
            }
        });
        if (!isClosed && !failure.isDone()) {
            loop.schedule(SWEEP_INTERVAL, this::sweep);
        }
    }

    // ---- members ----

    /** Stops the node if the handshake cannot save what it has learned of a peer. */
    private final class GuardedHandshake implements PeerHandshake {
        @Override
        public byte[] hello() {
            return handshake.hello();
        }

        @Override
        public PeerIncarnation accept(byte[] hello) {
            try {
                return handshake.accept(hello);
            } catch (PeerRejectedException rejected) {
                throw rejected;
            } catch (RuntimeException failed) {
                fail(failed);
                throw new PeerRejectedException("the node stops: " + failed.getMessage());
            }
        }
    }

    private final class HandshakeLog implements IdentityHandshake.Log {
        @Override
        public Configuration configuration() {
            return directory.configuration();
        }

        @Override
        public EntryId configuredAt() {
            if (!driver.hasBegun()) {
                return onDisk.map(durable -> configuredAt(durable.log())).orElse(new EntryId(0, 0));
            }
            return configuredAt(driver.log());
        }

        private static EntryId configuredAt(PersistentLog log) {
            return log.idAt(log.configuration().index());
        }

        @Override
        public boolean hasAddress(NodeId node) {
            return directory.peers().stream().anyMatch(peer -> peer.node().equals(node));
        }

        @Override
        public void onVisitor(Member visitor) {
            directory.addVisitor(visitor);
            transport.setPeers(directory.peers());
        }

        @Override
        public void createFiles() {
            if (storage.open().isEmpty()) {
                storage.create(BackupRestore.emptyState());
            }
        }

        @Override
        public void onFormed() {
            begin(storage.open().orElseThrow());
        }
    }

    private final class ChangeLog implements MemberChanges.Log {
        @Override
        public boolean isJoining(NodeId node) {
            return handshake.isJoining(node);
        }

        @Override
        public long folder(NodeId node) {
            return handshake.memberId(node);
        }

        @Override
        public CompletableFuture<Void> appendAddress(NodeId node, String address) {
            var member = new Member(node, Member.parseAddress(address, address));
            var added = AddressBook.Address.of(member, folder(node));
            return proposals.append(EntryPayload.Kind.ADDRESS, new AddressBook(List.of(added)).encode());
        }

        @Override
        public boolean forward(LogFrame.ChangeMembers request) {
            if (leader.isEmpty() || leader.get().equals(self)) {
                return false;
            }
            send(leader.get(), request);
            return true;
        }
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return changeMembers(member.node(), member.addressText());
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        return changeMembers(node, "");
    }

    private CompletableFuture<Void> changeMembers(NodeId node, String address) {
        var done = new CompletableFuture<Void>();
        loop.execute(() -> guarded(() -> memberChanges.submit(node, address, done)));
        return done;
    }

    @Override
    public List<Member> members() {
        return directory.members();
    }

    @Override
    public String clusterId() {
        return handshake.identity().clusterId();
    }

    @Override
    public long term() {
        return driver.term();
    }

    // ---- snapshots ----

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback completes the result
    public CompletableFuture<Void> compact() {
        var done = new CompletableFuture<Void>();
        loop.execute(() -> guarded(() -> {
            if (driver.hasBegun()) {
                runCompaction().whenComplete((nothing, failed) -> done.complete(null));
            } else {
                done.complete(null); // the node has not joined a cluster yet
            }
        }));
        return done;
    }

    private CompletableFuture<Void> runCompaction() {
        driver.sync(); // it may commit entries, so before the index and the state are read
        return compaction.run(appliedIndex, directory.addresses(), stateMachine());
    }

    // ---- state ----

    @Override
    public Duration staleness() {
        return replicationStatus.staleness(loop.nanoTime());
    }

    @Override
    public Map<NodeId, Long> replicationLag() {
        return replicationStatus.lag();
    }

    @Override
    public LogStats stats() {
        return new LogStats(
                applied.get(),
                storage.appended(),
                storage.syncs(),
                storage.sizeInBytes(),
                compaction.count(),
                proposals.size());
    }

    @Override
    public LogHealth health() {
        return LogHealth.good("embedded Raft");
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    /** A leader hands over first, so that its clients wait for no election. */
    @Override
    public void close() {
        if (!isClosed && !loop.inEventLoop()) {
            transferLeadership()
                    .completeOnTimeout(null, TRANSFER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
        crash();
    }

    /** Closes without telling the other nodes. For tests that simulate a crash. */
    void crash() {
        isClosed = true;
        if (loop.inEventLoop()) {
            closeNow();
        } else {
            loop.execute(this::closeNow);
            closed.completeOnTimeout(null, 5, TimeUnit.SECONDS).join();
        }
    }

    private void closeNow() {
        if (!closed.isDone()) {
            transport.close();
            storage.close();
            proposals.close();
            memberChanges.onLeaderChanged(false);
            closed.complete(null);
        }
    }

    /** If this node leads, it hands over to a follower. Completes when another node leads, or if none can. */
    public CompletableFuture<Void> transferLeadership() {
        var done = new CompletableFuture<Void>();
        transferred = done;
        loop.execute(() -> {
            guarded(() -> successor().ifPresentOrElse(this::transferTo, () -> done.complete(null)));
            if (failure.isDone() || isClosed) {
                done.complete(null);
            }
        });
        return done;
    }

    private void transferTo(NodeId successor) {
        LOG.info("leadership transferred node={} to={}", self, successor);
        driver.step(new Event.Call<>(new LogCall.TransferLeadership(successor)));
    }

    /** The connected voter with the longest log; empty if this node does not lead. */
    private Optional<NodeId> successor() {
        return driver.progress().stream()
                .filter(peer -> directory.isPresent(peer.node())
                        && directory.configuration().voters().contains(peer.node()))
                .max((a, b) -> Long.compare(a.matchIndex(), b.matchIndex()))
                .map(RaftState.Progress::node);
    }
}
