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
 * to those that propose. It sends them to the others 2 ms later, together, so that these sync once for many entries.
 *
 * <p>A follower that falls behind another one changes places with it. A network may delay messages as well, so this
 * affects no rule of the machine. Only on the event loop.
 */
final class ReplicationPacer {

    private static final Duration DELAY = Duration.ofMillis(2);
    private static final long PROPOSER_NANOS = Duration.ofMillis(100).toNanos();

    private final NodeId self;
    private final EventLoop loop;
    private final Supplier<List<Progress>> progress; // of the followers; empty if this node does not lead
    private final MemberDirectory directory;
    private final ProposalRouter.Log log;
    private final Map<NodeId, List<RaftMessage>> delayed = new HashMap<>();
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
        boolean mayWait = message instanceof RaftMessage.AppendEntries || message instanceof RaftMessage.CommitTo;
        if (mayWait && !isPrompt(to)) {
            delay(to, message);
        } else {
            flush(to);
            transmit(to, message);
        }
    }

    private void delay(NodeId to, RaftMessage message) {
        var messages = delayed.get(to);
        if (messages == null) {
            messages = new ArrayList<>();
            delayed.put(to, messages);
            loop.schedule(DELAY, () -> log.guard(() -> flush(to)));
        }
        messages.add(message);
    }

    private void flush(NodeId to) {
        var messages = delayed.remove(to);
        if (messages != null) {
            messages.forEach(message -> transmit(to, message));
        }
    }

    private void transmit(NodeId to, RaftMessage message) {
        log.send(to, new LogFrame.RaftFrame(message));
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
