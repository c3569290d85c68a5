package habemus.log.postgresql;

import habemus.log.postgresql.LogTables.Batch;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.ProposalRejectedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The proposals of this node whose outcome is open. One batch of them is sent at a time, again and again until its
 * outcome is known, so the order is kept. Used on the event loop only.
 */
final class ProposalQueue {

    private static final int MAX_ENTRIES_PER_BATCH = 4_096;
    private static final int MAX_BYTES_PER_BATCH = 256 * 1_024;

    private static final class Proposal {
        final byte[] entry;
        final long deadlineNanos;
        final CompletableFuture<Void> done;

        Proposal(byte[] entry, long deadlineNanos, CompletableFuture<Void> done) {
            this.entry = entry;
            this.deadlineNanos = deadlineNanos;
            this.done = done;
        }
    }

    private final Duration timeout;
    private final RandomGenerator random;
    private final Queue<Proposal> unsent = new ArrayDeque<>();
    private List<Proposal> sent = List.of();
    private @Nullable Batch batch; // of the sent ones
    private long number;
    private volatile int size;

    ProposalQueue(Duration timeout, RandomGenerator random) {
        this.timeout = timeout;
        this.random = random;
    }

    void add(byte[] entry, CompletableFuture<Void> done, long nowNanos) {
        unsent.add(new Proposal(entry, nowNanos + timeout.toNanos(), done));
        size = sent.size() + unsent.size();
    }

    /** Makes a batch of the proposals that are not sent yet; empty if there is none, or one is in flight. */
    Optional<Batch> next() {
        if (batch != null || unsent.isEmpty()) {
            return Optional.empty();
        }
        var chosen = new ArrayList<Proposal>();
        int bytes = 0;
        while (!unsent.isEmpty() && chosen.size() < MAX_ENTRIES_PER_BATCH && bytes < MAX_BYTES_PER_BATCH) {
            var proposal = unsent.remove();
            bytes += proposal.entry.length;
            chosen.add(proposal);
        }
        sent = chosen;
        batch = new Batch(
                ++number,
                random.nextLong(),
                chosen.stream().map(proposal -> proposal.entry).toList());
        return Optional.of(batch);
    }

    Optional<Batch> inFlight() {
        return Optional.ofNullable(batch);
    }

    boolean isInFlight(long salt) {
        return batch != null && batch.salt() == salt;
    }

    /** Whether the proposals of the batch in flight have failed already. */
    boolean isAbandoned() {
        return sent.stream().allMatch(proposal -> proposal.done.isDone());
    }

    /** The batch in flight is applied. */
    void onApplied() {
        var applied = sent;
        forget();
        applied.forEach(proposal -> proposal.done.complete(null));
    }

    /** Removes the batch in flight, whose proposals have failed. */
    void forget() {
        sent = List.of();
        batch = null;
        size = unsent.size();
    }

    void failLate(long nowNanos, String reason) {
        for (var proposal : sent) {
            if (nowNanos - proposal.deadlineNanos >= 0) {
                proposal.done.completeExceptionally(new IndeterminateOutcomeException("outcome unknown: " + reason));
            }
        }
        while (!unsent.isEmpty() && nowNanos - unsent.element().deadlineNanos >= 0) {
            unsent.remove().done.completeExceptionally(new ProposalRejectedException("not proposed: " + reason));
        }
        size = sent.size() + unsent.size();
    }

    void failAll(String reason) {
        var all = List.copyOf(unsent);
        var unknown = sent;
        unsent.clear();
        forget();
        unknown.forEach(proposal ->
                proposal.done.completeExceptionally(new IndeterminateOutcomeException("outcome unknown: " + reason)));
        all.forEach(proposal ->
                proposal.done.completeExceptionally(new ProposalRejectedException("not proposed: " + reason)));
    }

    /** May be called by any thread. */
    int size() {
        return size;
    }
}
