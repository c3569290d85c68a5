package habemus.log.etcd;

import habemus.log.etcd.KeyValueStore.KeyRange;
import habemus.log.etcd.KeyValueStore.KeyValue;
import habemus.log.etcd.KeyValueStore.Outcome;
import habemus.log.etcd.KeyValueStore.Transaction;
import habemus.log.etcd.LogRecords.Snapshot;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads the whole log as it was at one revision, or what was added to it since another. */
final class LogLoader {

    private static final int KEYS_AT_ONCE = 256;

    private final LogKeys keys;
    private final KeyValueStore store;

    LogLoader(LogKeys keys, KeyValueStore store) {
        this.keys = keys;
        this.store = store;
    }

    /**
     * The log at the revision of the head.
     *
     * @param head the single keys of the log
     * @param snapshot if the entries before are needed, the state that replaces them
     * @param batches after the snapshot, or after what was applied, in the order of their revisions
     */
    record Content(Outcome head, Optional<byte[]> snapshot, List<KeyValue> batches, List<KeyValue> members) {}

    /** @param writerKey of this node */
    Transaction readHead(String writerKey) {
        return new Transaction(
                List.of(),
                List.of(),
                List.of(keys.identity(), keys.epoch(), keys.heartbeat(), keys.snapshot(), writerKey));
    }

    /** @param applied the last revision that this node has applied; zero for none */
    CompletableFuture<Content> load(Outcome head, long applied) {
        var snapshot = Snapshot.decode(find(head, keys.snapshot())
                .orElseThrow(() -> missing("snapshot"))
                .value());
        boolean needsSnapshot = applied == 0 || applied < snapshot.revision();
        var state = needsSnapshot
                ? readAll(KeyRange.prefix(snapshot.folder()), 8, head.revision())
                        .thenApply(chunks -> Optional.of(join(snapshot, chunks)))
                : CompletableFuture.completedFuture(Optional.<byte[]>empty());
        return state.thenCompose(restored -> readBatches(head.revision(), needsSnapshot ? 0 : applied)
                .thenCompose(batches -> readAll(keys.allMembers(), KEYS_AT_ONCE, head.revision())
                        .thenApply(members -> new Content(head, restored, sorted(batches), members))));
    }

    private CompletableFuture<List<KeyValue>> readBatches(long revision, long applied) {
        return applied == 0
                ? readAll(keys.allEntries(), KEYS_AT_ONCE, revision)
                : store.read(keys.allEntries(), 0, revision, applied + 1).thenApply(KeyValueStore.Page::content);
    }

    static Optional<KeyValue> find(Outcome outcome, String key) {
        return outcome.read().stream().filter(entry -> entry.key().equals(key)).findFirst();
    }

    static IllegalStateException missing(String what) {
        return new IllegalStateException("the log in etcd has no " + what
                + "\nhint: if its keys were deleted, delete all below its prefix, and start all nodes again");
    }

    private CompletableFuture<List<KeyValue>> readAll(KeyRange range, int limit, long revision) {
        return readMore(range, limit, revision, new ArrayList<>());
    }

    private CompletableFuture<List<KeyValue>> readMore(
            KeyRange range, int limit, long revision, List<KeyValue> before) {
        return store.read(range, limit, revision, 0).thenCompose(page -> {
            before.addAll(page.content());
            return page.hasMore()
                    ? readMore(range.after(before.getLast().key()), limit, revision, before)
                    : CompletableFuture.completedFuture(before);
        });
    }

    private static List<KeyValue> sorted(List<KeyValue> batches) {
        return batches.stream()
                .sorted(Comparator.comparingLong(KeyValue::revision))
                .toList();
    }

    private static byte[] join(Snapshot snapshot, List<KeyValue> chunks) {
        if (chunks.size() != snapshot.chunks()) {
            throw missing(snapshot.chunks() + " chunks of its snapshot, but " + chunks.size());
        }
        var bytes = new ByteArrayOutputStream();
        chunks.forEach(chunk -> bytes.writeBytes(chunk.value()));
        return bytes.toByteArray();
    }
}
