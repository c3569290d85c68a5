package habemus.log.etcd;

import habemus.log.etcd.KeyValueStore.Put;
import habemus.log.etcd.KeyValueStore.Transaction;
import habemus.log.etcd.KeyValueStore.Unchanged;
import habemus.log.etcd.LogRecords.Writer;
import habemus.protocol.NodeId;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.ProposalRejectedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes the proposals of this node in batches, one at a time, so that they keep their order.
 *
 * <p>A batch is one key. The transaction that creates it also changes the key of this writer, and is committed only if
 * neither that key nor the epoch has changed since. So a batch is committed at most once, however often it is sent, and
 * never after a later epoch. If an answer is lost, the same transaction is sent again, and the key of the writer tells
 * whether the first one was committed.
 */
final class EntryWriter {

    /** With the size of a full entry, below the limit of a request to etcd, 1.5 MB. */
    private static final int MAX_BATCH_BYTES = 512 * 1_024;

    private static final int MAX_ENTRY_BYTES = 1_024 * 1_024;
    private static final int MAX_ENTRIES = 1 << EtcdLog.POSITION_BITS;
    private static final Duration RETRY_DELAY = Duration.ofMillis(100);

    @SuppressWarnings("ArrayRecordComponent") // compared by identity
    private record Proposal(byte[] entry, CompletableFuture<Void> done, long deadlineNanos) {

        void reject(String reason) {
            done.completeExceptionally(new ProposalRejectedException(reason));
        }

        void abandon(String reason) {
            done.completeExceptionally(new IndeterminateOutcomeException("outcome unknown: " + reason));
        }
    }

    /**
     * @param epochRevision the batch is committed in this epoch or never
     * @param isLeaders whether this node led then; its proposals end with its epoch
     */
    private record Batch(long number, long epochRevision, boolean isLeaders, List<Proposal> proposals) {

        void complete() {
            proposals.forEach(proposal -> proposal.done.complete(null));
        }

        void abandon(String reason) {
            proposals.forEach(proposal -> proposal.abandon(reason));
        }
    }

    private final NodeId self;
    private final String name;
    private final LogKeys keys;
    private final KeyValueStore store;
    private final LogTasks tasks;
    private final Duration timeout;
    private final Deque<Proposal> waiting = new ArrayDeque<>();
    private final Map<Long, Batch> unapplied = new LinkedHashMap<>(); // by number, with the one in flight
    private @Nullable Batch inFlight;
    private long batches; // that were begun
    private long revision; // of the last change of the writer's key
    private long epochRevision;
    private long staleEpochRevision; // an epoch that is known to have ended
    private boolean isLeading;
    private boolean isReady;
    private boolean isClosed;
    private String problem = "";
    private volatile int pending;

    EntryWriter(String name, LogKeys keys, KeyValueStore store, LogTasks tasks, Duration timeout) {
        self = LogKeys.nodeOf(name);
        this.name = name;
        this.keys = keys;
        this.store = store;
        this.tasks = tasks;
        this.timeout = timeout;
    }

    String name() {
        return name;
    }

    /** Proposals without an outcome. May be called by any thread. */
    int pending() {
        return pending;
    }

    void add(byte[] entry, CompletableFuture<Void> done) {
        var proposal = new Proposal(entry, done, tasks.nanoTime() + timeout.toNanos());
        if (isClosed) {
            proposal.reject("not proposed: the node was closed");
        } else if (entry.length > MAX_ENTRY_BYTES) {
            proposal.reject("entry has " + entry.length + " bytes (limit " + MAX_ENTRY_BYTES + ")");
        } else {
            waiting.add(proposal);
            writeNext();
        }
    }

    // ---- writing ----

    private void writeNext() {
        if (isReady && !isClosed && inFlight == null && epochRevision != staleEpochRevision && !waiting.isEmpty()) {
            var proposals = new ArrayList<Proposal>();
            int size = 0;
            while (!waiting.isEmpty() && size < MAX_BATCH_BYTES && proposals.size() < MAX_ENTRIES) {
                var next = waiting.remove();
                size += next.entry.length;
                proposals.add(next);
            }
            var batch = new Batch(++batches, epochRevision, isLeading, List.copyOf(proposals));
            unapplied.put(batch.number, batch);
            inFlight = batch;
            send(batch);
        }
        count();
    }

    private void count() {
        pending = waiting.size()
                + unapplied.values().stream()
                        .mapToInt(batch -> batch.proposals.size())
                        .sum();
    }

    private void send(Batch batch) {
        var value = LogRecords.encodeBatch(
                batch.proposals.stream().map(Proposal::entry).toList());
        var transaction = new Transaction(
                List.of(new Unchanged(keys.epoch(), batch.epochRevision), new Unchanged(keys.writer(self), revision)),
                List.of(
                        new Put(keys.entry(name, batch.number), value),
                        new Put(keys.writer(self), new Writer(name, batch.number).encode())),
                List.of(keys.writer(self), keys.epoch()));
        tasks.await(
                store.commit(transaction),
                outcome -> {
                    if (isInFlight(batch)) {
                        onOutcome(batch, outcome);
                    }
                },
                failure -> {
                    if (isInFlight(batch)) {
                        onFailed(batch, failure);
                    }
                });
    }

    private boolean isInFlight(Batch batch) {
        return inFlight != null && inFlight.number == batch.number;
    }

    private void onOutcome(Batch batch, KeyValueStore.Outcome outcome) {
        problem = "";
        if (outcome.isCommitted()) {
            onCommitted(outcome.revision());
            return;
        }
        var writer = read(outcome, keys.writer(self));
        var cursor = writer == null ? new Writer("", 0) : Writer.decode(writer.value());
        var epoch = read(outcome, keys.epoch());
        if (writer == null || !cursor.name().equals(name)) {
            tasks.fail(replaced());
        } else if (cursor.batches() >= batch.number) {
            onCommitted(writer.revision()); // by an attempt whose answer was lost
        } else if (epoch != null && epoch.revision() == batch.epochRevision) {
            revision = writer.revision();
            send(batch);
        } else {
            staleEpochRevision = batch.epochRevision;
            endInFlight();
        }
    }

    static KeyValueStore.@Nullable KeyValue read(KeyValueStore.Outcome outcome, String key) {
        return outcome.read().stream()
                .filter(entry -> entry.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    IllegalStateException replaced() {
        return new IllegalStateException("another process runs as " + self + ", or " + self
                + " was removed\nhint: give each node of the cluster its own --node");
    }

    private void onCommitted(long atRevision) {
        revision = atRevision;
        inFlight = null;
        writeNext();
    }

    private void onFailed(Batch batch, StoreException failure) {
        if (failure.kind() == StoreException.Kind.INVALID) {
            inFlight = null;
            unapplied.remove(batch.number);
            batch.proposals.forEach(proposal -> proposal.reject(failure.getMessage()));
            writeNext();
            return;
        }
        problem = failure.getMessage();
        tasks.schedule(RETRY_DELAY, () -> {
            if (isInFlight(batch)) {
                send(batch);
            }
        });
    }

    /** The batch in flight is certainly not committed. A follower proposes it again in the next epoch. */
    private void endInFlight() {
        var batch = inFlight;
        if (batch != null) {
            inFlight = null;
            unapplied.remove(batch.number);
            for (var proposal : batch.proposals.reversed()) {
                if (batch.isLeaders) {
                    proposal.reject("not committed: the leader changed before the commit");
                } else if (!proposal.done.isDone()) {
                    waiting.addFirst(proposal);
                }
            }
        }
        writeNext();
    }

    // ---- what the log has applied ----

    /** An entry of this writer was applied. */
    void onApplied(long number, long atRevision) {
        var batch = unapplied.remove(number);
        if (batch != null) {
            batch.complete();
        }
        if (batch != null && isInFlight(batch)) {
            onCommitted(atRevision);
        } else {
            count();
        }
    }

    /**
     * All entries before this epoch were applied.
     *
     * @param isLeader whether this node leads now
     */
    void onEpoch(long newEpochRevision, boolean isLeader) {
        epochRevision = newEpochRevision;
        isLeading = isLeader;
        if (inFlight != null && inFlight.epochRevision != newEpochRevision) {
            endInFlight();
        } else {
            writeNext();
        }
    }

    /** All entries up to the state of the writer's key were applied, one by one or in a snapshot. */
    void onLoaded(Writer cursor, long writerRevision) {
        revision = writerRevision;
        isReady = true;
        for (var batch : List.copyOf(unapplied.values())) {
            if (batch.number <= cursor.batches()) {
                unapplied.remove(batch.number);
                batch.complete();
                inFlight = isInFlight(batch) ? null : inFlight;
            }
        }
    }

    // ---- ends ----

    /** Fails what takes too long. A batch in flight stays: its outcome must be known before the next. */
    void sweep() {
        long now = tasks.nanoTime();
        while (!waiting.isEmpty() && now - waiting.element().deadlineNanos >= 0) {
            waiting.remove().reject(problem.isEmpty() ? "etcd is not available in time" : problem);
        }
        for (var batch : List.copyOf(unapplied.values())) { // a proposal that fails may be proposed again at once
            batch.proposals.stream()
                    .filter(proposal -> now - proposal.deadlineNanos >= 0)
                    .forEach(
                            proposal -> proposal.abandon(problem.isEmpty() ? "etcd does not answer in time" : problem));
        }
        count();
    }

    void close() {
        isClosed = true;
        inFlight = null;
        var open = List.copyOf(unapplied.values());
        unapplied.clear();
        while (!waiting.isEmpty()) {
            waiting.remove().reject("not proposed: the node was closed");
        }
        open.forEach(batch -> batch.abandon("the node was closed"));
        count();
    }
}
