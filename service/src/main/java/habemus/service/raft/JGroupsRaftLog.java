package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.service.transport.FailureDetectionTimeouts;
import habemus.service.transport.JGroupsSlf4jLog;
import habemus.service.transport.JGroupsStack;
import habemus.service.transport.Member;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.raft.NO_DUPES;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replicated log on jgroups-raft. Each node is a member of a JGroups cluster and stores its log in files. */
public final class JGroupsRaftLog implements ReplicatedLog {

    static {
        JGroupsSlf4jLog.install();
    }

    private static final Logger LOG = LoggerFactory.getLogger(JGroupsRaftLog.class);
    private static final int SWEEP_INTERVAL_MILLIS = 50;

    private final ReplicatedLogConfig config;
    private final NodeId self;
    private final long incarnation = new SecureRandom().nextLong();
    private final ClusterConfiguration clusterConfiguration;
    private final RaftStorage storage;
    private final CorrectedRaft raft;
    private final CorrectedElection correctedElection = new CorrectedElection();
    private final LeaderlessWatchdog leaderlessWatchdog;
    private final JGroupsStack jGroupsStack;
    private final JChannel channel;
    private final PendingProposals pendingProposals;
    private final Queue<PendingProposals.Proposal> unsent = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean changing = new AtomicBoolean(); // a membership change is proposed and not yet appended
    private final AtomicLong applied = new AtomicLong();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final ScheduledExecutorService sweeper;
    private volatile boolean closed;
    private @Nullable StateMachine stateMachine;

    /** @throws habemus.service.storage.CorruptFileException if a data file fails its checksum */
    public JGroupsRaftLog(ReplicatedLogConfig config) {
        this.config = config;
        self = config.self();
        var first = config.members().stream()
                .filter(member -> !config.joining() || !member.node().equals(self))
                .toList();
        clusterConfiguration = new ClusterConfiguration(first);
        storage = new RaftStorage(config.dataFolder(), clusterConfiguration).open();
        pendingProposals = new PendingProposals(config.proposalTimeout());
        sweeper = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("habemus-sweep-" + self).daemon().factory());
        var syncBeforeSend = new SyncBeforeSend();
        raft = new CorrectedRaft(self, storage, syncBeforeSend, new Callbacks());
        raft.maxLogSize(config.snapshotThresholdBytes());
        raft.stateMachine(new StateMachineAdapter(raft, storage, this::stateMachine, this::apply));
        raft.members(clusterConfiguration.latest());
        leaderlessWatchdog = new LeaderlessWatchdog(raft, correctedElection);
        jGroupsStack = new JGroupsStack(knownMembers(), self, config.security(), FailureDetectionTimeouts.AGGRESSIVE);
        clusterConfiguration.listen(this::membersChanged);
        try {
            channel = new JChannel(protocols(syncBeforeSend));
            channel.getProtocolStack().getTransport().getDiagnosticsHandler().setEnabled(false);
            channel.setName(self.toString());
            channel.setDiscardOwnMessages(true);
        } catch (Exception invalid) {
            throw new IllegalArgumentException("cannot configure the log: " + invalid.getMessage(), invalid);
        }
    }

    /** The members of the log and those of the configuration, since the log may be outdated. */
    private List<Member> knownMembers() {
        return Stream.concat(clusterConfiguration.latest().stream(), config.members().stream())
                .distinct()
                .toList();
    }

    private List<Protocol> protocols(SyncBeforeSend syncBeforeSend) throws Exception {
        var protocols = new ArrayList<Protocol>();
        for (Protocol protocol : jGroupsStack.protocols()) {
            if (protocol instanceof GMS) {
                protocols.add(new NO_DUPES());
            }
            protocols.add(protocol);
        }
        protocols.addAll(List.of(new VoteFilter(raft), correctedElection, syncBeforeSend, raft));
        return protocols;
    }

    private void membersChanged(List<Member> members) {
        LOG.info("members changed node={} members={}", self, members);
        raft.members(members);
        jGroupsStack.setDiscoveryTargets(knownMembers());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a periodic task
    public void start(StateMachine newStateMachine) {
        stateMachine = newStateMachine;
        channel.setReceiver(new Receiver() {
            @Override
            public void receive(Message message) {
                handle(message.src(), PeerMessage.read(message.getArray(), message.getOffset(), message.getLength()));
                raft.runPendingByReader();
            }
        });
        new ClusterJoin(channel, self).enter(config.cluster());
        sweeper.scheduleWithFixedDelay(
                this::sweep, SWEEP_INTERVAL_MILLIS, SWEEP_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        if (!isFaultTolerant() && !config.joining()) {
            LOG.warn(
                    "cluster not fault tolerant node={} members={} hint=\"use three nodes\"",
                    self,
                    members().size());
        }
    }

    private StateMachine stateMachine() {
        return Objects.requireNonNull(stateMachine, "log is not started");
    }

    // proposing

    @Override
    public CompletableFuture<Void> enqueue(byte[] entry) {
        return submit(origin -> new PeerMessage.Propose(EntryPayload.write(new EntryPayload.Entry(origin, entry))));
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return runPending(submit(origin -> new PeerMessage.Add(origin, member)));
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        return runPending(submit(origin -> new PeerMessage.Remove(origin, node)));
    }

    private CompletableFuture<Void> runPending(CompletableFuture<Void> result) {
        runPending();
        return result;
    }

    @Override
    public void runPending() {
        raft.runPending();
    }

    @Override
    public boolean hasPendingWrites() {
        return raft.hasPendingWrites();
    }

    private CompletableFuture<Void> submit(Function<EntryPayload.Origin, PeerMessage.LeaderRequest> request) {
        if (failure.isDone()) {
            return CompletableFuture.failedFuture(new ProposalRejectedException("node has failed: " + failure.join()));
        }
        if (closed) {
            return CompletableFuture.failedFuture(new ProposalRejectedException("node is closed"));
        }
        var proposal = pendingProposals.begin(
                number -> request.apply(new EntryPayload.Origin(self.number(), incarnation, number)));
        unsent.add(proposal);
        pump();
        return proposal.done;
    }

    /** Sends the unsent proposals to the leader, in the order of the calls. */
    private void pump() {
        synchronized (unsent) {
            var leader = raft.leader();
            while (leader != null && !unsent.isEmpty()) {
                send(unsent.remove(), leader);
            }
        }
    }

    private void send(PendingProposals.Proposal proposal, Address leader) {
        boolean isOpen = proposal.markSent(raft.currentTerm());
        if (isOpen && leader.equals(channel.getAddress())) {
            execute(proposal.request).ifPresent(reply -> handle(leader, reply));
        } else if (isOpen) {
            send(leader, proposal.request);
        }
    }

    private void sweep() {
        pendingProposals.failLate();
        pump();
        runPending();
        leaderlessWatchdog
                .look(channel.getView())
                .ifPresent(coordinator -> send(coordinator, new PeerMessage.Leaderless(term())));
    }

    private void handle(Address from, PeerMessage message) {
        switch (message) {
            case PeerMessage.NotLeader(var number) -> {
                var proposal = pendingProposals.get(number);
                if (proposal != null) {
                    proposal.markNotSent();
                    unsent.add(proposal); // the next sweep sends it to the leader known then
                }
            }
            case PeerMessage.Leaderless(var term) -> leaderlessWatchdog.reported(from, term);
            case PeerMessage.Rejected(var number, var reason) ->
                pendingProposals.fail(number, new ProposalRejectedException(reason));
            case PeerMessage.LeaderRequest request -> {
                raft.awaits(from);
                execute(request).ifPresent(reply -> send(from, reply));
            }
        }
    }

    private void send(Address to, PeerMessage message) {
        try {
            channel.send(new BytesMessage(to, PeerMessage.write(message)));
        } catch (Exception lost) {
            LOG.debug("message dropped node={} receiver={} cause={}", self, to, lost.toString());
        }
    }

    /** Handles a request as the leader. Returns the reply if the request was not proposed. */
    private Optional<PeerMessage> execute(PeerMessage.LeaderRequest request) {
        return switch (request) {
            case PeerMessage.Propose(var item) ->
                append(item, EntryPayload.read(ByteBuffer.wrap(item)).origin().number());
            case PeerMessage.Add(var origin, var member) -> change(origin, MembershipChange.adding(member));
            case PeerMessage.Remove(var origin, var node) -> change(origin, MembershipChange.removing(node));
        };
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the applied entry completes the proposal
    private Optional<PeerMessage> append(byte[] item, long number) {
        if (raft.isFull()) {
            return Optional.of(new PeerMessage.Rejected(number, "leader is overloaded: its queue is full"));
        }
        try {
            raft.setAsync(item, 0, item.length, null);
            return Optional.empty();
        } catch (IllegalStateException notLeader) {
            return Optional.of(new PeerMessage.NotLeader(number));
        }
    }

    private Optional<PeerMessage> change(EntryPayload.Origin origin, MembershipChange change) {
        if (!raft.isLeader()) {
            return Optional.of(new PeerMessage.NotLeader(origin.number()));
        }
        var present =
                channel.getView().getMembers().stream().map(EntryPayload::node).toList();
        var refusal = change.refusal(clusterConfiguration.latest(), self, present);
        if (refusal.isPresent()) {
            return Optional.of(new PeerMessage.Rejected(origin.number(), refusal.get()));
        }
        if (!raft.isSettled(clusterConfiguration.changed()) || !changing.compareAndSet(false, true)) {
            return Optional.of(
                    new PeerMessage.Rejected(origin.number(), "another membership change is in progress: retry later"));
        }
        return append(
                EntryPayload.write(new EntryPayload.Roster(origin, change.of(clusterConfiguration.latest()))),
                origin.number());
    }

    // callbacks

    /** Called with the lock of {@link SerializedRaft} held. */
    private final class Callbacks implements RaftListener {

        @Override
        public void onLeaderChanged(@Nullable Address leader, boolean isSelf, long term) {
            LOG.info(
                    "leader changed node={} leader={} term={}",
                    self,
                    leader == null ? "none" : EntryPayload.node(leader),
                    term);
            changing.set(false);
            if (isSelf) {
                var firstEntry = EntryPayload.write(new EntryPayload.Roster(
                        new EntryPayload.Origin(self.number(), incarnation, 0), clusterConfiguration.latest()));
                append(firstEntry, 0);
            }
            call(() ->
                    stateMachine().onLeaderChanged(Optional.ofNullable(leader).map(EntryPayload::node)));
            pump();
        }

        @Override
        public void onIdle() {
            call(() -> stateMachine().onIdle());
        }

        @Override
        public void onFailure(Throwable cause) {
            fail(cause);
        }
    }

    /** Calls the state machine. After an exception it is never called again. */
    private void call(Runnable task) {
        if (!failure.isDone()) {
            try {
                task.run();
            } catch (RuntimeException | Error bug) {
                fail(bug);
            }
        }
    }

    private void apply(long index, long term, EntryPayload payload) {
        switch (payload) {
            case EntryPayload.Entry(var origin, var bytes) -> {
                call(() -> stateMachine().apply(index, bytes));
                applied.incrementAndGet();
            }
            case EntryPayload.Roster roster -> {
                changing.set(false);
                pendingProposals.failBefore(term);
            }
        }
        if (payload.origin().incarnation() == incarnation) {
            pendingProposals.complete(payload.origin().number());
        }
    }

    private void fail(Throwable cause) {
        if (failure.complete(cause)) {
            LOG.error("log failed, node stops node={}", self, cause);
            Thread.ofVirtual().start(this::close);
        }
    }

    // state

    @Override
    public List<Member> members() {
        return clusterConfiguration.latest();
    }

    @Override
    public long term() {
        return raft.currentTerm();
    }

    @Override
    public CompletableFuture<Void> compact() {
        return raft.snapshotAsync();
    }

    @Override
    public LogStats stats() {
        return new LogStats(
                applied.get(),
                storage.appended(),
                storage.syncs(),
                storage.sizeInBytes(),
                raft.numSnapshots(),
                pendingProposals.size());
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    /** For tests that simulate a crash. */
    JChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        closed = true;
        raft.end();
        sweeper.shutdownNow();
        channel.close();
        try {
            storage.shut();
        } catch (IOException failed) {
            LOG.debug("cannot close the log file node={} cause={}", self, failed.toString());
        }
        pendingProposals.failAll(new IndeterminateOutcomeException("outcome unknown: the node was closed"));
    }
}
