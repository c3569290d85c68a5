package habemus.service.raft;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What this node has proposed and not yet seen, by number. */
final class PendingProposals {

    private static final long NOBODY = -1;

    private final Map<Long, Proposal> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Duration patience;

    PendingProposals(Duration patience) {
        this.patience = patience;
    }

    /** One of them, and how the leader is asked for it. */
    static final class Proposal {
        final long number;
        final CompletableFuture<Void> done = new CompletableFuture<>();
        final long deadline;
        final PeerMessage.Wanted letter;
        private long asked = NOBODY; // in which term
        private boolean isGivenUp;

        Proposal(long number, long deadline, PeerMessage.Wanted letter) {
            this.number = number;
            this.deadline = deadline;
            this.letter = letter;
        }

        /** Whether the leader of this term may be asked: not for what was given up, which may be said to be refused. */
        synchronized boolean ask(long term) {
            asked = isGivenUp ? asked : term;
            return !isGivenUp;
        }

        /** Nobody was asked after all. */
        synchronized void unask() {
            asked = NOBODY;
        }

        synchronized boolean wasAskedBefore(long term) {
            return asked != NOBODY && asked < term;
        }

        /** Because it is late. */
        synchronized RuntimeException giveUp() {
            isGivenUp = true;
            return asked == NOBODY
                    ? new ProposalRejectedException("there is no leader: fewer than a majority of the nodes are there")
                    : new IndeterminateOutcomeException(
                            "no majority has answered in time: it may have been committed, or may still be");
        }
    }

    /** @param letter by its number */
    Proposal begin(LongFunction<PeerMessage.Wanted> letter) {
        long number = numbers.incrementAndGet();
        var proposal = new Proposal(number, System.nanoTime() + patience.toNanos(), letter.apply(number));
        waiting.put(proposal.number, proposal);
        return proposal;
    }

    void complete(long number) {
        var proposal = waiting.remove(number);
        if (proposal != null) {
            proposal.done.complete(null);
        }
    }

    void fail(long number, RuntimeException why) {
        var proposal = waiting.remove(number);
        if (proposal != null) {
            proposal.done.completeExceptionally(why);
        }
    }

    @Nullable
    Proposal get(long number) {
        return waiting.get(number);
    }

    /** A leader of this term has begun: what was asked of earlier ones is committed before that, or will not be. */
    void failBefore(long term) {
        for (var proposal : waiting.values()) {
            if (proposal.wasAskedBefore(term)) {
                fail(
                        proposal.number,
                        new IndeterminateOutcomeException("the leader was lost before it was known to be committed"));
            }
        }
    }

    void failLate() {
        long now = System.nanoTime();
        for (var proposal : waiting.values()) {
            if (now - proposal.deadline > 0) {
                fail(proposal.number, proposal.giveUp());
            }
        }
    }

    void failAll(RuntimeException why) {
        waiting.keySet().forEach(number -> fail(number, why));
    }

    int size() {
        return waiting.size();
    }
}
