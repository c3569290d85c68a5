package habemus.log.etcd;

import habemus.log.etcd.KeyValueStore.KeyRange;
import habemus.log.etcd.KeyValueStore.Put;
import habemus.log.etcd.KeyValueStore.Transaction;
import habemus.log.etcd.KeyValueStore.Unchanged;
import habemus.log.etcd.LogRecords.Snapshot;
import habemus.protocol.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes snapshots, and deletes what they replace. A snapshot is in chunks, because a request to etcd is limited. The
 * chunks are written first, and then the key that names them: a crash leaves the former snapshot in place.
 */
final class SnapshotStore {

    static final int CHUNK_BYTES = 512 * 1_024;

    private static final int DELETES_AT_ONCE = 500;

    /** The batches of a writer that are not deleted. */
    private record Span(long first, long last) {}

    private final NodeId self;
    private final LogKeys keys;
    private final EtcdEnvironment environment;
    private final LogTasks tasks;
    private final boolean compactsHistory;
    private final Map<String, Span> spans = new TreeMap<>(); // by writer
    private final Deque<long[]> sizes = new ArrayDeque<>(); // revision and bytes of the batches after the snapshot
    private long keyRevision; // of the last change of the snapshot's key
    private long snapshotRevision;
    private @Nullable CompletableFuture<Void> running;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong count = new AtomicLong();

    SnapshotStore(NodeId self, LogKeys keys, EtcdEnvironment environment, LogTasks tasks, boolean compactsHistory) {
        this.self = self;
        this.keys = keys;
        this.environment = environment;
        this.tasks = tasks;
        this.compactsHistory = compactsHistory;
    }

    /** Of all batches after the snapshot. May be called by any thread. */
    long bytes() {
        return bytes.get();
    }

    /** Snapshots of which this node knows. May be called by any thread. */
    long count() {
        return count.get();
    }

    boolean isRunning() {
        return running != null;
    }

    /** A batch is in etcd. */
    void onBatch(String writer, long number, long revision, int size) {
        spans.merge(
                writer,
                new Span(number, number),
                (known, added) -> new Span(Math.min(known.first, number), Math.max(known.last, number)));
        if (revision > snapshotRevision) {
            sizes.add(new long[] {revision, size});
            bytes.addAndGet(size);
        }
    }

    /** The key of the snapshot has changed. */
    void onSnapshot(long newKeyRevision, Snapshot snapshot) {
        if (newKeyRevision > keyRevision) {
            keyRevision = newKeyRevision;
            snapshotRevision = snapshot.revision();
            count.incrementAndGet();
            while (!sizes.isEmpty() && sizes.element()[0] <= snapshotRevision) {
                bytes.addAndGet(-sizes.remove()[1]);
            }
        }
    }

    /**
     * Completes with the snapshot that is being written, or is started now.
     *
     * @param revision of the last entry in the state
     */
    CompletableFuture<Void> write(long revision, Supplier<byte[]> state) {
        if (running != null) {
            return running;
        }
        var result = new CompletableFuture<Void>();
        if (revision <= snapshotRevision) {
            result.complete(null);
            return result;
        }
        running = result;
        var replaced = new TreeMap<>(spans);
        var folder = keys.chunkFolder(revision, self);
        tasks.await(
                CompletableFuture.supplyAsync(() -> puts(folder, state.get()), environment.background()),
                puts -> writeChunks(puts, 0, () -> writeKey(new Snapshot(revision, puts.size(), folder), replaced)),
                this::end);
        return result;
    }

    /** The puts of a snapshot in chunks, at least one. */
    static List<Put> puts(String folder, byte[] state) {
        var puts = new ArrayList<Put>();
        for (int from = 0; from == 0 || from < state.length; from += CHUNK_BYTES) {
            puts.add(new Put(
                    LogKeys.chunk(folder, puts.size()),
                    Arrays.copyOfRange(state, from, Math.min(from + CHUNK_BYTES, state.length))));
        }
        return puts;
    }

    private void writeChunks(List<Put> puts, int next, Runnable then) {
        if (next == puts.size()) {
            then.run();
            return;
        }
        tasks.await(
                environment.store().commit(new Transaction(List.of(), List.of(puts.get(next)), List.of())),
                outcome -> writeChunks(puts, next + 1, then),
                this::end);
    }

    private void writeKey(Snapshot snapshot, Map<String, Span> replaced) {
        if (snapshot.revision() <= snapshotRevision) {
            end(null); // another node was faster
            return;
        }
        var put = new Put(keys.snapshot(), snapshot.encode());
        tasks.await(
                environment
                        .store()
                        .commit(new Transaction(
                                List.of(new Unchanged(keys.snapshot(), keyRevision)), List.of(put), List.of())),
                outcome -> {
                    if (outcome.isCommitted()) {
                        onSnapshot(outcome.revision(), snapshot);
                        delete(ranges(snapshot, replaced), 0, snapshot, replaced);
                    } else {
                        end(null); // another node was faster
                    }
                },
                this::end);
    }

    /** What the snapshot replaces, in small portions: etcd does nothing else while it deletes one. */
    private List<KeyRange> ranges(Snapshot snapshot, Map<String, Span> replaced) {
        var ranges = new ArrayList<KeyRange>();
        replaced.forEach((writer, span) -> {
            for (long first = span.first; first <= span.last; first += DELETES_AT_ONCE) {
                ranges.add(keys.entriesOf(writer, first, Math.min(first + DELETES_AT_ONCE - 1, span.last)));
            }
        });
        ranges.add(keys.chunksBelow(snapshot.revision()));
        return ranges;
    }

    private void delete(List<KeyRange> ranges, int next, Snapshot snapshot, Map<String, Span> replaced) {
        if (next < ranges.size()) {
            tasks.await(
                    environment.store().delete(ranges.get(next)),
                    deleted -> delete(ranges, next + 1, snapshot, replaced),
                    this::end);
            return;
        }
        replaced.forEach((writer, span) -> spans.computeIfPresent(
                writer, (same, now) -> now.last <= span.last ? null : new Span(span.last + 1, now.last)));
        if (compactsHistory) {
            tasks.await(environment.store().compactHistory(snapshot.revision()), done -> end(null), this::end);
        } else {
            end(null);
        }
    }

    /** If it has failed, the next snapshot deletes what this one has not. */
    private void end(@Nullable StoreException failure) {
        var result = running;
        running = null;
        if (result != null && failure == null) {
            result.complete(null);
        } else if (result != null) {
            result.completeExceptionally(failure);
        }
    }
}
