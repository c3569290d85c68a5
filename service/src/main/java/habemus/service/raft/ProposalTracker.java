package habemus.service.raft;

import habemus.protocol.ByteString;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.ProposalRejectedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The proposals of this node whose outcome is open. Used by the thread of the log only.
 *
 * <p>A proposal is sent to the leader of one term, and only that leader appends it. Terms never fall along a log. So
 * after an entry of a later term, the proposal is certainly not committed, unless it was seen before.
 */
final class ProposalTracker {

    private static final long NOT_SENT = 0;

    /** A proposal and its deadline. */
    static final class Proposal {
        final long number;
        final ByteString command;
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private final long deadlineNanos;
        private long sentTerm = NOT_SENT;

        Proposal(long number, ByteString command, long deadlineNanos) {
            this.number = number;
            this.command = command;
            this.deadlineNanos = deadlineNanos;
        }
    }

    private final Duration timeout;
    private final Map<Long, Proposal> open = new LinkedHashMap<>();
    private final NavigableMap<Long, Proposal> unsent = new TreeMap<>(); // also some that are not open any more
    private volatile int size;

    ProposalTracker(Duration timeout) {
        this.timeout = timeout;
    }

    long deadline(long nowNanos) {
        return nowNanos + timeout.toNanos();
    }

    void add(Proposal proposal) {
        open.put(proposal.number, proposal);
        unsent.put(proposal.number, proposal);
        size = open.size();
    }

    boolean hasUnsent() {
        return !unsent.isEmpty();
    }

    /** Removes the proposals that are not sent yet, in their order, and marks them as sent to the leader of a term. */
    List<ByteString> send(long term) {
        var commands = new ArrayList<ByteString>(unsent.size());
        for (var proposal : unsent.values()) {
            if (open.containsKey(proposal.number)) {
                proposal.sentTerm = term;
                commands.add(proposal.command);
            }
        }
        unsent.clear();
        return List.copyOf(commands);
    }

    /** The leader of this term did not append these. They can be sent to another one. */
    void onReturned(long term, List<Long> numbers) {
        for (long number : numbers) {
            var proposal = open.get(number);
            if (proposal != null && proposal.sentTerm == term) {
                proposal.sentTerm = NOT_SENT;
                unsent.put(number, proposal);
            }
        }
    }

    void onApplied(long number) {
        var proposal = open.remove(number);
        size = open.size();
        if (proposal != null) {
            proposal.done.complete(null);
        }
    }

    /** An entry of this term was applied. */
    void onTermApplied(long term) {
        fail(proposal -> proposal.sentTerm != NOT_SENT && proposal.sentTerm < term
                ? new ProposalRejectedException("not committed: the leader changed before the commit")
                : null);
    }

    /**
     * A snapshot replaced entries that this node has not seen.
     *
     * @param term of the last of them
     */
    void onEntriesSkipped(long term) {
        fail(proposal -> proposal.sentTerm == NOT_SENT || proposal.sentTerm > term
                ? null
                : new IndeterminateOutcomeException("outcome unknown: a snapshot replaced the entry"));
    }

    void failLate(long nowNanos) {
        fail(proposal -> {
            if (nowNanos - proposal.deadlineNanos < 0) {
                return null;
            }
            return proposal.sentTerm == NOT_SENT
                    ? new ProposalRejectedException("no leader: no majority of the nodes is connected")
                    : new IndeterminateOutcomeException("outcome unknown: no majority acknowledged the entry in time");
        });
    }

    void failAll() {
        fail(proposal -> proposal.sentTerm == NOT_SENT
                ? new ProposalRejectedException("not proposed: the node was closed")
                : new IndeterminateOutcomeException("outcome unknown: the node was closed"));
    }

    private interface Verdict {
        /** Why the proposal fails; null if it stays open. */
        @Nullable
        RuntimeException of(Proposal proposal);
    }

    private void fail(Verdict verdict) {
        var failed = new LinkedHashMap<Proposal, RuntimeException>();
        for (var proposal : open.values()) {
            var cause = verdict.of(proposal);
            if (cause != null) {
                failed.put(proposal, cause);
            }
        }
        failed.keySet().forEach(proposal -> open.remove(proposal.number));
        size = open.size();
        failed.forEach((proposal, cause) -> proposal.done.completeExceptionally(cause));
    }

    /** May be called by any thread. */
    int size() {
        return size;
    }
}
