package habemus.service.log;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.net.Pace;
import habemus.service.net.Stack;
import habemus.service.net.Terse;
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
public final class GroupLog implements Log {

    static {
        Terse.install();
    }

    private static final Logger LOG = LoggerFactory.getLogger(GroupLog.class);
    private static final int SWEEP = 50; // milliseconds

    private final LogConfig config;
    private final NodeId self;
    private final long life = new SecureRandom().nextLong();
    private final Roster roster;
    private final Journal journal;
    private final Consensus consensus;
    private final Election election = new Election();
    private final Vacancy vacancy;
    private final Stack stack;
    private final JChannel channel;
    private final Proposals proposals;
    private final Queue<Proposals.Proposal> unasked = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean changing = new AtomicBoolean(); // members, asked for and not yet appended
    private final AtomicLong applied = new AtomicLong();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final ScheduledExecutorService sweeper;
    private volatile boolean closed;
    private @Nullable Machine machine;

    /** @throws habemus.service.disk.Damaged if a file is not what was written */
    public GroupLog(LogConfig config) {
        this.config = config;
        self = config.self();
        var first = config.members().stream()
                .filter(member -> !config.joining() || !member.node().equals(self))
                .toList();
        roster = new Roster(first);
        journal = new Journal(config.data(), roster).open();
        proposals = new Proposals(config.patience());
        sweeper = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("habemus-sweep-" + self).daemon().factory());
        var outbox = new Outbox();
        consensus = new Consensus(self, journal, outbox, new Watching());
        consensus.maxLogSize(config.room());
        consensus.stateMachine(new Told(consensus, journal, this::machine, this::apply));
        consensus.members(roster.latest());
        vacancy = new Vacancy(consensus, election);
        stack = new Stack(everybody(), self, config.secrecy(), Pace.BRISK);
        roster.listen(this::membersChanged);
        try {
            channel = new JChannel(protocols(outbox));
            channel.getProtocolStack().getTransport().getDiagnosticsHandler().setEnabled(false);
            channel.setName(self.toString());
            channel.setDiscardOwnMessages(true);
        } catch (Exception wrong) {
            throw new IllegalArgumentException("no log of this: " + wrong.getMessage(), wrong);
        }
    }

    /** Those that it began with too: what is known of the members here may be old. */
    private List<Member> everybody() {
        return Stream.concat(roster.latest().stream(), config.members().stream())
                .distinct()
                .toList();
    }

    private List<Protocol> protocols(Outbox outbox) throws Exception {
        var protocols = new ArrayList<Protocol>();
        for (Protocol protocol : stack.protocols()) {
            if (protocol instanceof GMS) {
                protocols.add(new NO_DUPES());
            }
            protocols.add(protocol);
        }
        protocols.addAll(List.of(new Ballot(consensus), election, outbox, consensus));
        return protocols;
    }

    private void membersChanged(List<Member> members) {
        LOG.info("{}: the log is kept by {}", self, members);
        consensus.members(members);
        stack.look(everybody());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // of the sweeper, which has none
    public void start(Machine told) {
        machine = told;
        channel.setReceiver(new Receiver() {
            @Override
            public void receive(Message message) {
                read(message.src(), Letter.read(message.getArray(), message.getOffset(), message.getLength()));
                consensus.attendSoon();
            }
        });
        new Entrance(channel, self).enter(config.cluster());
        sweeper.scheduleWithFixedDelay(this::sweep, SWEEP, SWEEP, TimeUnit.MILLISECONDS);
        if (!isFaultTolerant() && !config.joining()) {
            LOG.warn(
                    "{}: NOT FAULT TOLERANT: the log is kept by {} node(s), and loses what it holds, or stands still, "
                            + "with one of them. Three are needed.",
                    self,
                    members().size());
        }
    }

    private Machine machine() {
        return Objects.requireNonNull(machine, "not yet started");
    }

    // proposing

    @Override
    public CompletableFuture<Void> put(byte[] entry) {
        return ask(origin -> new Letter.Propose(Item.write(new Item.Entry(origin, entry))));
    }

    @Override
    public CompletableFuture<Void> add(Member member) {
        return attending(ask(origin -> new Letter.Add(origin, member)));
    }

    @Override
    public CompletableFuture<Void> remove(NodeId node) {
        return attending(ask(origin -> new Letter.Remove(origin, node)));
    }

    private CompletableFuture<Void> attending(CompletableFuture<Void> asked) {
        attend();
        return asked;
    }

    @Override
    public void attend() {
        consensus.attend();
    }

    @Override
    public boolean isBusy() {
        return consensus.isBusy();
    }

    private CompletableFuture<Void> ask(Function<Item.Origin, Letter.Wanted> how) {
        if (failure.isDone()) {
            return CompletableFuture.failedFuture(new Refused("this node can take part no more: " + failure.join()));
        }
        if (closed) {
            return CompletableFuture.failedFuture(new Refused("the node is closed"));
        }
        var proposal = proposals.begin(number -> how.apply(new Item.Origin(self.number(), life, number)));
        unasked.add(proposal);
        pump();
        return proposal.done;
    }

    /** The leader is asked for what nobody was asked for yet, in the order in which it was proposed. */
    private void pump() {
        synchronized (unasked) {
            var leader = consensus.leader();
            while (leader != null && !unasked.isEmpty()) {
                send(unasked.remove(), leader);
            }
        }
    }

    private void send(Proposals.Proposal proposal, Address leader) {
        boolean isWanted = proposal.ask(consensus.currentTerm());
        if (isWanted && leader.equals(channel.getAddress())) {
            answer(proposal.letter).ifPresent(no -> read(leader, no));
        } else if (isWanted) {
            send(leader, proposal.letter);
        }
    }

    private void sweep() {
        proposals.failLate();
        pump();
        attend();
        vacancy.look(channel.getView()).ifPresent(coordinator -> send(coordinator, new Letter.Vacant(term())));
    }

    private void read(Address from, Letter letter) {
        switch (letter) {
            case Letter.NotMe(var number) -> {
                var proposal = proposals.get(number);
                if (proposal != null) {
                    proposal.unask();
                    unasked.add(proposal); // and a little later somebody else is asked
                }
            }
            case Letter.Vacant(var term) -> vacancy.reported(from, term);
            case Letter.No(var number, var why) -> proposals.fail(number, new Refused(why));
            case Letter.Wanted wanted -> {
                consensus.awaits(from);
                answer(wanted).ifPresent(no -> send(from, no));
            }
        }
    }

    private void send(Address to, Letter letter) {
        try {
            channel.send(new BytesMessage(to, Letter.write(letter)));
        } catch (Exception lost) {
            LOG.debug("{}: {}", self, lost.toString());
        }
    }

    /** As the leader. Says why not. */
    private Optional<Letter> answer(Letter.Wanted wanted) {
        return switch (wanted) {
            case Letter.Propose(var item) ->
                append(item, Item.read(ByteBuffer.wrap(item)).origin().number());
            case Letter.Add(var origin, var member) -> change(origin, Membership.adding(member));
            case Letter.Remove(var origin, var node) -> change(origin, Membership.removing(node));
        };
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is applied answers
    private Optional<Letter> append(byte[] item, long number) {
        if (consensus.isFull()) {
            return Optional.of(new Letter.No(number, "the leader has too much to do"));
        }
        try {
            consensus.setAsync(item, 0, item.length, null);
            return Optional.empty();
        } catch (IllegalStateException notLeader) {
            return Optional.of(new Letter.NotMe(number));
        }
    }

    private Optional<Letter> change(Item.Origin origin, Membership membership) {
        if (!consensus.isLeader()) {
            return Optional.of(new Letter.NotMe(origin.number()));
        }
        var present = channel.getView().getMembers().stream().map(Item::node).toList();
        var refusal = membership.refusal(roster.latest(), self, present);
        if (refusal.isPresent()) {
            return Optional.of(new Letter.No(origin.number(), refusal.get()));
        }
        if (!consensus.isSettled(roster.changed()) || !changing.compareAndSet(false, true)) {
            return Optional.of(new Letter.No(origin.number(), "another change of members is under way: try again"));
        }
        return append(Item.write(new Item.Roster(origin, membership.of(roster.latest()))), origin.number());
    }

    // what the engine says

    /** Calls come with the engine locked. */
    private final class Watching implements Watcher {

        @Override
        public void leader(@Nullable Address leader, boolean isSelf, long term) {
            LOG.info("{}: term {}, led by {}", self, term, leader == null ? "nobody" : Item.node(leader));
            changing.set(false);
            if (isSelf) {
                var begun = Item.write(new Item.Roster(new Item.Origin(self.number(), life, 0), roster.latest()));
                append(begun, 0);
            }
            call(() -> machine().leader(Optional.ofNullable(leader).map(Item::node)));
            pump();
        }

        @Override
        public void rest() {
            call(() -> machine().rest());
        }

        @Override
        public void broken(Throwable why) {
            GroupLog.this.broken(why);
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

    private void apply(long index, long term, Item item) {
        switch (item) {
            case Item.Entry(var origin, var bytes) -> {
                call(() -> machine().apply(index, bytes));
                applied.incrementAndGet();
            }
            case Item.Roster roster -> {
                changing.set(false);
                proposals.failBefore(term);
            }
        }
        if (item.origin().life() == life) {
            proposals.complete(item.origin().number());
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
        return roster.latest();
    }

    @Override
    public long term() {
        return consensus.currentTerm();
    }

    @Override
    public CompletableFuture<Void> compact() {
        return consensus.snapshotAsync();
    }

    @Override
    public Counts counts() {
        return new Counts(
                applied.get(),
                journal.appended(),
                journal.syncs(),
                journal.sizeInBytes(),
                consensus.numSnapshots(),
                proposals.size());
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
        consensus.end();
        sweeper.shutdownNow();
        channel.close();
        try {
            journal.shut();
        } catch (IOException ignored) {
            LOG.debug("{}: {}", self, ignored.toString());
        }
        proposals.failAll(new Undecided("the node was closed"));
    }
}
