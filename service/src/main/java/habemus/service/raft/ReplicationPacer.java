package habemus.service.raft;

import habemus.concurrent.EventLoop;
import habemus.protocol.NodeId;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Sends the messages of the machine. A leader sends entries at once to the followers that make a majority with it, and
 * to those that propose. The others get them together every {@value #INTERVAL_MILLIS} ms, so that they sync once for
 * many entries. A commit index waits in the same way, since the next entries carry it too.
 *
 * <p>A follower that falls behind another one changes places with it. A network may delay and lose messages as well, so
 * this affects no rule of the machine. Only on the event loop.
 */
final class ReplicationPacer {

    private static final long INTERVAL_MILLIS = 5;
    private static final long INTERVAL_NANOS =
            Duration.ofMillis(INTERVAL_MILLIS).toNanos();
    private static final long PROPOSER_NANOS = Duration.ofMillis(100).toNanos();

    private final NodeId self;
    private final EventLoop loop;
    private final Supplier<List<Progress>> progress; // of the followers; empty if this node does not lead
    private final MemberDirectory directory;
    private final ProposalRouter.Log log;
    private final Map<NodeId, Outbox> outboxes = new HashMap<>();
    private final Map<NodeId, Long> lastProposals = new HashMap<>(); // in nanoseconds of the loop

    ReplicationPacer(
            NodeId self,
            EventLoop loop,
            Supplier<List<Progress>> progress,
            MemberDirectory directory,
            ProposalRouter.Log log) {
        this.self = self;
        this.loop = loop;
        this.progress = progress;
        this.directory = directory;
        this.log = log;
    }

    /** A follower has forwarded a proposal, and waits for its commit. */
    void onForwarded(NodeId follower) {
        lastProposals.put(follower, loop.nanoTime());
    }

    /** Messages to one node stay in their order. */
    void send(NodeId to, RaftMessage message) {
        var outbox = outboxes.computeIfAbsent(to, Outbox::new);
        switch (message) {
            case RaftMessage.CommitTo commit -> outbox.add(commit, hasProposed(to));
            case RaftMessage.AppendEntries append -> outbox.add(append, isPrompt(to));
            default -> outbox.add(message, true);
        }
    }

    /** The messages to a follower that are not sent yet. */
    private final class Outbox {
        private final NodeId follower;
        private final List<RaftMessage> messages = new ArrayList<>();
        private boolean isScheduled;
        private long lastSent = loop.nanoTime() - INTERVAL_NANOS;

        Outbox(NodeId follower) {
            this.follower = follower;
        }

        void add(RaftMessage message, boolean isUrgent) {
            if (!messages.isEmpty() && messages.getLast() instanceof RaftMessage.CommitTo && carriesCommit(message)) {
                messages.removeLast();
            }
            messages.add(message);
            long elapsed = loop.nanoTime() - lastSent;
            if (isUrgent || elapsed >= INTERVAL_NANOS) {
                send();
            } else if (!isScheduled) {
                isScheduled = true;
                loop.schedule(Duration.ofNanos(INTERVAL_NANOS - elapsed), () -> log.guard(this::sendLater));
            }
        }

        private static boolean carriesCommit(RaftMessage message) {
            return message instanceof RaftMessage.CommitTo || message instanceof RaftMessage.AppendEntries;
        }

        private void sendLater() {
            isScheduled = false;
            send();
        }

        private void send() {
            lastSent = loop.nanoTime();
            messages.forEach(message -> log.send(follower, new LogFrame.RaftFrame(message)));
            messages.clear();
        }
    }

    /** Whether the follower has proposed lately, has to catch up, or is one of the first of a majority. */
    private boolean isPrompt(NodeId follower) {
        var peers = progress.get();
        for (Progress peer : peers) {
            if (peer.node().equals(follower)) {
                return hasProposed(follower)
                        || !(peer.mode() instanceof Mode.Replicating)
                        || peers.stream().filter(other -> precedes(other, peer)).count() < needed();
            }
        }
        return true;
    }

    private boolean hasProposed(NodeId follower) {
        var last = lastProposals.get(follower);
        return last != null && loop.nanoTime() - last < PROPOSER_NANOS;
    }

    private boolean precedes(Progress other, Progress peer) {
        boolean isFirst = other.matchIndex() == peer.matchIndex()
                ? other.node().compareTo(peer.node()) < 0
                : other.matchIndex() > peer.matchIndex();
        return isFirst
                && directory.isPresent(other.node())
                && directory.configuration().voters().contains(other.node());
    }

    /** The followers that make a majority of the voters with this node. */
    private int needed() {
        var voters = directory.configuration().voters();
        int majority = voters.size() / 2 + 1;
        return voters.contains(self) ? majority - 1 : majority;
    }
}
