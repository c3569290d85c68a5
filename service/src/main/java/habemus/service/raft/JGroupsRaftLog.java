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

/** A log by jgroups-raft, each node a member of a JGroups cluster, with its part of the log in files. */
public final class JGroupsRaftLog implements ReplicatedLog {

    static {
        JGroupsSlf4jLog.install();
    }

    private static final Logger LOG = LoggerFactory.getLogger(JGroupsRaftLog.class);
    private static final int SWEEP = 50; // milliseconds

    private final ReplicatedLogConfig config;
    private final NodeId self;
    private final long life = new SecureRandom().nextLong();
    private final ClusterConfiguration clusterConfiguration;
    private final RaftStorage raftStorage;
    private final CorrectedRaft correctedRaft;
    private final CorrectedElection correctedElection = new CorrectedElection();
    private final LeaderlessWatchdog leaderlessWatchdog;
    private final JGroupsStack jGroupsStack;
    private final JChannel channel;
    private final PendingProposals pendingProposals;
    private final Queue<PendingProposals.Proposal> unasked = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean changing = new AtomicBoolean(); // members, asked for and not yet appended
    private final AtomicLong applied = new AtomicLong();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final ScheduledExecutorService sweeper;
    private volatile boolean closed;
    private @Nullable StateMachine stateMachine;

    /** @throws habemus.service.storage.CorruptFileException if a file is not what was written */
    public JGroupsRaftLog(ReplicatedLogConfig config) {
        this.config = config;
        self = config.self();
        var first = config.members().stream()
                .filter(member -> !config.joining() || !member.node().equals(self))
                .toList();
        clusterConfiguration = new ClusterConfiguration(first);
        raftStorage = new RaftStorage(config.dataFolder(), clusterConfiguration).open();
        pendingProposals = new PendingProposals(config.proposalTimeout());
        sweeper = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("habemus-sweep-" + self).daemon().factory());
        var syncBeforeSend = new SyncBeforeSend();
        correctedRaft = new CorrectedRaft(self, raftStorage, syncBeforeSend, new Watching());
        correctedRaft.maxLogSize(config.snapshotThresholdBytes());
        correctedRaft.stateMachine(new StateMachineAdapter(correctedRaft, raftStorage, this::machine, this::apply));
        correctedRaft.members(clusterConfiguration.latest());
        leaderlessWatchdog = new LeaderlessWatchdog(correctedRaft, correctedElection);
        jGroupsStack =
                new JGroupsStack(knownMembers(), self, config.transportSecurity(), FailureDetectionTimeouts.AGGRESSIVE);
        clusterConfiguration.listen(this::membersChanged);
        try {
            channel = new JChannel(protocols(syncBeforeSend));
            channel.getProtocolStack().getTransport().getDiagnosticsHandler().setEnabled(false);
            channel.setName(self.toString());
            channel.setDiscardOwnMessages(true);
        } catch (Exception wrong) {
            throw new IllegalArgumentException("no log of this: " + wrong.getMessage(), wrong);
        }
    }

    /** Those that it began with too: what is known of the members here may be old. */
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
        protocols.addAll(List.of(new VoteFilter(correctedRaft), correctedElection, syncBeforeSend, correctedRaft));
        return protocols;
    }

    private void membersChanged(List<Member> members) {
        LOG.info("{}: the log is kept by {}", self, members);
        correctedRaft.members(members);
        jGroupsStack.setDiscoveryTargets(knownMembers());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // of the sweeper, which has none
    public void start(StateMachine told) {
        stateMachine = told;
        channel.setReceiver(new Receiver() {
            @Override
            public void receive(Message message) {
                read(message.src(), PeerMessage.read(message.getArray(), message.getOffset(), message.getLength()));
                correctedRaft.attendSoon();
            }
        });
        new ClusterJoin(channel, self).enter(config.cluster());
        sweeper.scheduleWithFixedDelay(this::sweep, SWEEP, SWEEP, TimeUnit.MILLISECONDS);
        if (!isFaultTolerant() && !config.joining()) {
            LOG.warn(
                    "{}: NOT FAULT TOLERANT: the log is kept by {} node(s), and loses what it holds, or stands still, "
                            + "with one of them. Three are needed.",
                    self,
                    members().size());
        }
    }

    private StateMachine machine() {
        return Objects.requireNonNull(stateMachine, "not yet started");
    }

    // proposing

    @Override
    public CompletableFuture<Void> enqueue(byte[] entry) {
        return ask(origin -> new PeerMessage.Propose(EntryPayload.write(new EntryPayload.Entry(origin, entry))));
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return attending(ask(origin -> new PeerMessage.Add(origin, member)));
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        return attending(ask(origin -> new PeerMessage.Remove(origin, node)));
    }

    private CompletableFuture<Void> attending(CompletableFuture<Void> asked) {
        runPending();
        return asked;
    }

    @Override
    public void runPending() {
        correctedRaft.attend();
    }

    @Override
    public boolean hasPendingWrites() {
        return correctedRaft.isBusy();
    }

    private CompletableFuture<Void> ask(Function<EntryPayload.Origin, PeerMessage.Wanted> how) {
        if (failure.isDone()) {
            return CompletableFuture.failedFuture(
                    new ProposalRejectedException("this node can take part no more: " + failure.join()));
        }
        if (closed) {
            return CompletableFuture.failedFuture(new ProposalRejectedException("the node is closed"));
        }
        var proposal =
                pendingProposals.begin(number -> how.apply(new EntryPayload.Origin(self.number(), life, number)));
        unasked.add(proposal);
        pump();
        return proposal.done;
    }

    /** The leader is asked for what nobody was asked for yet, in the order in which it was proposed. */
    private void pump() {
        synchronized (unasked) {
            var leader = correctedRaft.leader();
            while (leader != null && !unasked.isEmpty()) {
                send(unasked.remove(), leader);
            }
        }
    }

    private void send(PendingProposals.Proposal proposal, Address leader) {
        boolean isWanted = proposal.ask(correctedRaft.currentTerm());
        if (isWanted && leader.equals(channel.getAddress())) {
            answer(proposal.letter).ifPresent(no -> read(leader, no));
        } else if (isWanted) {
            send(leader, proposal.letter);
        }
    }

    private void sweep() {
        pendingProposals.failLate();
        pump();
        runPending();
        leaderlessWatchdog
                .look(channel.getView())
                .ifPresent(coordinator -> send(coordinator, new PeerMessage.Vacant(term())));
    }

    private void read(Address from, PeerMessage peerMessage) {
        switch (peerMessage) {
            case PeerMessage.NotMe(var number) -> {
                var proposal = pendingProposals.get(number);
                if (proposal != null) {
                    proposal.unask();
                    unasked.add(proposal); // and a little later somebody else is asked
                }
            }
            case PeerMessage.Vacant(var term) -> leaderlessWatchdog.reported(from, term);
            case PeerMessage.No(var number, var why) ->
                pendingProposals.fail(number, new ProposalRejectedException(why));
            case PeerMessage.Wanted wanted -> {
                correctedRaft.awaits(from);
                answer(wanted).ifPresent(no -> send(from, no));
            }
        }
    }

    private void send(Address to, PeerMessage peerMessage) {
        try {
            channel.send(new BytesMessage(to, PeerMessage.write(peerMessage)));
        } catch (Exception lost) {
            LOG.debug("{}: {}", self, lost.toString());
        }
    }

    /** As the leader. Says why not. */
    private Optional<PeerMessage> answer(PeerMessage.Wanted wanted) {
        return switch (wanted) {
            case PeerMessage.Propose(var item) ->
                append(item, EntryPayload.read(ByteBuffer.wrap(item)).origin().number());
            case PeerMessage.Add(var origin, var member) -> change(origin, MembershipChange.adding(member));
            case PeerMessage.Remove(var origin, var node) -> change(origin, MembershipChange.removing(node));
        };
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is applied answers
    private Optional<PeerMessage> append(byte[] item, long number) {
        if (correctedRaft.isFull()) {
            return Optional.of(new PeerMessage.No(number, "the leader has too much to do"));
        }
        try {
            correctedRaft.setAsync(item, 0, item.length, null);
            return Optional.empty();
        } catch (IllegalStateException notLeader) {
            return Optional.of(new PeerMessage.NotMe(number));
        }
    }

    private Optional<PeerMessage> change(EntryPayload.Origin origin, MembershipChange membershipChange) {
        if (!correctedRaft.isLeader()) {
            return Optional.of(new PeerMessage.NotMe(origin.number()));
        }
        var present =
                channel.getView().getMembers().stream().map(EntryPayload::node).toList();
        var refusal = membershipChange.refusal(clusterConfiguration.latest(), self, present);
        if (refusal.isPresent()) {
            return Optional.of(new PeerMessage.No(origin.number(), refusal.get()));
        }
        if (!correctedRaft.isSettled(clusterConfiguration.changed()) || !changing.compareAndSet(false, true)) {
            return Optional.of(
                    new PeerMessage.No(origin.number(), "another change of members is under way: try again"));
        }
        return append(
                EntryPayload.write(new EntryPayload.Roster(origin, membershipChange.of(clusterConfiguration.latest()))),
                origin.number());
    }

    // what the engine says

    /** Calls come with the engine locked. */
    private final class Watching implements RaftListener {

        @Override
        public void onLeaderChanged(@Nullable Address leader, boolean isSelf, long term) {
            LOG.info("{}: term {}, led by {}", self, term, leader == null ? "nobody" : EntryPayload.node(leader));
            changing.set(false);
            if (isSelf) {
                var begun = EntryPayload.write(new EntryPayload.Roster(
                        new EntryPayload.Origin(self.number(), life, 0), clusterConfiguration.latest()));
                append(begun, 0);
            }
            call(() -> machine().onLeaderChanged(Optional.ofNullable(leader).map(EntryPayload::node)));
            pump();
        }

        @Override
        public void onIdle() {
            call(() -> machine().onIdle());
        }

        @Override
        public void onFailure(Throwable why) {
            JGroupsRaftLog.this.broken(why);
        }
    }

    /** A machine that throws is told nothing more. */
    private void call(Runnable task) {
        if (!failure.isDone()) {
            try {
                task.run();
            } catch (RuntimeException | Error bug) {
                broken(bug);
            }
        }
    }

    private void apply(long index, long term, EntryPayload entryPayload) {
        switch (entryPayload) {
            case EntryPayload.Entry(var origin, var bytes) -> {
                call(() -> machine().apply(index, bytes));
                applied.incrementAndGet();
            }
            case EntryPayload.Roster roster -> {
                changing.set(false);
                pendingProposals.failBefore(term);
            }
        }
        if (entryPayload.origin().life() == life) {
            pendingProposals.complete(entryPayload.origin().number());
        }
    }

    private void broken(Throwable why) {
        if (failure.complete(why)) {
            LOG.error("{}: can take part no more", self, why);
            Thread.ofVirtual().start(this::close);
        }
    }

    // looking at it

    @Override
    public List<Member> members() {
        return clusterConfiguration.latest();
    }

    @Override
    public long term() {
        return correctedRaft.currentTerm();
    }

    @Override
    public CompletableFuture<Void> compact() {
        return correctedRaft.snapshotAsync();
    }

    @Override
    public LogStats stats() {
        return new LogStats(
                applied.get(),
                raftStorage.appended(),
                raftStorage.syncs(),
                raftStorage.sizeInBytes(),
                correctedRaft.numSnapshots(),
                pendingProposals.size());
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    /** For tests that kill it. */
    JChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        closed = true;
        correctedRaft.end();
        sweeper.shutdownNow();
        channel.close();
        try {
            raftStorage.shut();
        } catch (IOException ignored) {
            LOG.debug("{}: {}", self, ignored.toString());
        }
        pendingProposals.failAll(new IndeterminateOutcomeException("the node was closed"));
    }
}
