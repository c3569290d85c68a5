package habemus.service.raft;

import habemus.concurrent.EventLoop;
import habemus.protocol.ByteString;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.NodeId;
import habemus.service.raft.EntryPayload.Origin;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings proposals to the leader: to the machine of this node, or to another node. Any thread may propose; the rest
 * runs on the loop. Proposals that wait are sent together.
 */
final class ProposalRouter {

    /** What the router needs of the log. */
    interface Log {

        void send(NodeId to, LogFrame frame);

        /** Runs a task of the loop, and stops the node if it fails. */
        void guard(Runnable task);
    }

    private final NodeId self;
    private final long incarnation;
    private final EventLoop loop;
    private final RaftDriver driver;
    private final MemberDirectory directory;
    private final ProposalTracker tracker;
    private final Log log;
    private final Queue<ProposalTracker.Proposal> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isDrainScheduled = new AtomicBoolean();
    private final AtomicLong numbers = new AtomicLong();
    private Optional<NodeId> leader = Optional.empty();
    private long appliedTerm;

    ProposalRouter(
            ReplicatedLogConfig config,
            LogEnvironment environment,
            RaftDriver driver,
            MemberDirectory directory,
            Log log) {
        self = config.self();
        incarnation = environment.random().nextLong();
        loop = environment.loop();
        this.driver = driver;
        this.directory = directory;
        this.log = log;
        tracker = new ProposalTracker(config.proposalTimeout());
    }

    /** Any thread may call it. Proposals of one turn of the loop are sent together. */
    CompletableFuture<Void> propose(EntryPayload.Kind kind, byte[] content) {
        var proposal = proposal(kind, content);
        inbox.add(proposal);
        if (isDrainScheduled.compareAndSet(false, true)) {
            loop.execute(() -> {
                isDrainScheduled.set(
                        false); // before the inbox is read, so that a proposal added later is not forgotten
                log.guard(this::drain);
            });
        }
        return proposal.done;
    }

    private ProposalTracker.Proposal proposal(EntryPayload.Kind kind, byte[] content) {
        long number = numbers.incrementAndGet();
        var origin = new Origin(self, incarnation, number);
        var command = new EntryPayload(kind, origin, ByteBuffer.wrap(content)).encode();
        return new ProposalTracker.Proposal(number, command, tracker.deadline(loop.nanoTime()));
    }

    /**
     * Appends an entry that this node proposes as the leader, in its term or never. Another leader does not get it: it
     * may know what this one does not. Only while {@link RaftDriver#canAppend}.
     */
    CompletableFuture<Void> append(EntryPayload.Kind kind, byte[] content) {
        var proposal = proposal(kind, content);
        tracker.add(proposal);
        append(tracker.send(driver.term()));
        return proposal.done;
    }

    /** Sends what waits to the leader, if there is one. */
    void drain() {
        for (var proposal = inbox.poll(); proposal != null; proposal = inbox.poll()) {
            tracker.add(proposal);
        }
        if (!tracker.hasUnsent() || leader.isEmpty()) {
            return;
        }
        long term = driver.term();
        if (leader.get().equals(self)) {
            if (driver.canAppend()) {
                append(tracker.send(term));
            }
        } else if (directory.isPresent(leader.get())) {
            log.send(leader.get(), new LogFrame.Forward(term, tracker.send(term)));
        }
    }

    private void append(List<ByteString> commands) {
        var batch = new ArrayList<LogCall.Proposal>(commands.size());
        for (ByteString command : commands) {
            batch.add(new LogCall.Proposal(0, command)); // the applied entry completes it, here and at followers
        }
        driver.step(new Event.Call<>(new LogCall.Propose(batch)));
    }

    void onForwarded(NodeId from, long term, List<ByteString> commands) {
        if (driver.canAppend() && driver.term() == term) {
            append(commands);
        } else {
            var returned = commands.stream()
                    .map(command -> EntryPayload.decode(command).origin().number())
                    .toList();
            log.send(from, new LogFrame.Returned(term, returned));
        }
    }

    void onReturned(long term, List<Long> returned) {
        tracker.onReturned(term, returned);
    }

    void setLeader(Optional<NodeId> newLeader) {
        leader = newLeader;
    }

    /** An entry of this term is applied next. */
    void onTerm(long term) {
        if (term > appliedTerm) {
            appliedTerm = term;
            tracker.onTermApplied(term);
        }
    }

    void onApplied(Origin origin) {
        if (origin.incarnation() == incarnation && origin.node().equals(self)) {
            tracker.onApplied(origin.number());
        }
    }

    /** @param term of the last entry that a snapshot replaced */
    void onEntriesSkipped(long term) {
        tracker.onEntriesSkipped(term);
    }

    /** Fails what takes too long, and sends again what could not be sent. */
    void sweep() {
        tracker.failLate(loop.nanoTime());
        drain();
    }

    void close() {
        leader = Optional.empty();
        drain();
        tracker.failAll();
    }

    /** May be called by any thread. */
    int size() {
        return tracker.size() + inbox.size();
    }
}
