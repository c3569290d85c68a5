package habemus.service.raft;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The proposals of this node without an outcome, by number. Thread-safe. */
final class PendingProposals {

    private static final long NOT_SENT = -1;

    private final Map<Long, Proposal> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Duration timeout;

    PendingProposals(Duration timeout) {
        this.timeout = timeout;
    }

    /** A proposal and its request to the leader. */
    static final class Proposal {
        final long number;
        final CompletableFuture<Void> done = new CompletableFuture<>();
        final long deadline;
        final PeerMessage.LeaderRequest request;
        private long sentInTerm = NOT_SENT;
        private boolean isTimedOut;

        Proposal(long number, long deadline, PeerMessage.LeaderRequest request) {
            this.number = number;
            this.deadline = deadline;
            this.request = request;
        }

        /** Returns false if the proposal timed out: it may be reported as rejected, so it must not be sent any more. */
        synchronized boolean markSent(long term) {
            sentInTerm = isTimedOut ? sentInTerm : term;
            return !isTimedOut;
        }

        /** The receiver was not the leader and did not propose it. */
        synchronized void markNotSent() {
            sentInTerm = NOT_SENT;
        }

        synchronized boolean wasSentBefore(long term) {
            return sentInTerm != NOT_SENT && sentInTerm < term;
        }

        synchronized RuntimeException timeOut() {
            isTimedOut = true;
            return sentInTerm == NOT_SENT
                    ? new ProposalRejectedException("no leader: no majority of the nodes is connected")
                    : new IndeterminateOutcomeException("outcome unknown: no majority acknowledged the entry in time");
        }
    }

    /** @param request creates the request for the number of the proposal */
    Proposal begin(LongFunction<PeerMessage.LeaderRequest> request) {
        long number = numbers.incrementAndGet();
        var proposal = new Proposal(number, System.nanoTime() + timeout.toNanos(), request.apply(number));
        waiting.put(proposal.number, proposal);
        return proposal;
    }

    void complete(long number) {
        var proposal = waiting.remove(number);
        if (proposal != null) {
            proposal.done.complete(null);
        }
    }

    void fail(long number, RuntimeException cause) {
        var proposal = waiting.remove(number);
        if (proposal != null) {
            proposal.done.completeExceptionally(cause);
        }
    }

    @Nullable
    Proposal get(long number) {
        return waiting.get(number);
    }

    /** The first entry of this term is committed: a proposal of an earlier term is committed before it or never. */
    void failBefore(long term) {
        for (var proposal : waiting.values()) {
            if (proposal.wasSentBefore(term)) {
                fail(
                        proposal.number,
                        new IndeterminateOutcomeException("outcome unknown: the leader changed before the commit"));
            }
        }
    }

    void failLate() {
        long now = System.nanoTime();
        for (var proposal : waiting.values()) {
            if (now - proposal.deadline > 0) {
                fail(proposal.number, proposal.timeOut());
            }
        }
    }

    void failAll(RuntimeException cause) {
        waiting.keySet().forEach(number -> fail(number, cause));
    }

    int size() {
        return waiting.size();
    }
}
