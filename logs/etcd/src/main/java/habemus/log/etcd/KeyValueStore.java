package habemus.log.etcd;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The part of etcd that the log uses: real, or simulated. Keys are ASCII.
 *
 * <p>Futures fail with {@link StoreException}. They complete on any thread, which must not be blocked.
 */
interface KeyValueStore extends AutoCloseable {

    /** @param revision of the last change of the key */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record KeyValue(String key, long revision, byte[] value) {}

    /**
     * A condition of a transaction.
     *
     * @param revision of the last change of the key; zero if the key must be absent
     */
    record Unchanged(String key, long revision) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Put(String key, byte[] value) {}

    /**
     * Puts all, if all conditions hold. In any case it reads.
     *
     * @param reads the keys in the answer; those that are absent are not in it
     */
    record Transaction(List<Unchanged> conditions, List<Put> puts, List<String> reads) {}

    /**
     * @param isCommitted whether all conditions held
     * @param revision of the store after the transaction; if it has put something, that of the puts
     * @param storeId the identity of the etcd cluster
     */
    record Outcome(boolean isCommitted, long revision, long storeId, List<KeyValue> read) {}

    /** @param hasMore whether the limit has cut it off */
    record Page(List<KeyValue> content, boolean hasMore) {}

    /**
     * @param version such as {@code 3.4.23}
     * @param members that vote
     * @param databaseBytes size of the database, history included
     */
    record Status(String version, int members, long databaseBytes) {}

    /** Receives the changes below a prefix. */
    interface ChangeListener {

        /** All puts up to a revision, in the order of their revisions. */
        void onChanges(List<KeyValue> puts, long upToRevision);

        /** There are no more calls. */
        void onBroken(StoreException cause);
    }

    interface Watch {
        void cancel();
    }

    /** Linearizable. If it fails with an unknown outcome, it may still be committed. */
    CompletableFuture<Outcome> commit(Transaction transaction);

    /**
     * Reads keys in their order.
     *
     * @param limit the most keys; zero for all
     * @param revision of the store
     * @param changedSince only keys that were changed at this revision or later
     */
    CompletableFuture<Page> read(KeyRange range, int limit, long revision, long changedSince);

    CompletableFuture<Void> delete(KeyRange range);

    /** Forgets the history below a revision, for all users of the store. */
    CompletableFuture<Void> compactHistory(long revision);

    CompletableFuture<Status> status();

    /** Watches puts from a revision on. */
    Watch watch(KeyRange range, long fromRevision, ChangeListener listener);

    @Override
    void close();

    /** @param to exclusive */
    record KeyRange(String from, String to) {

        /** All keys that begin with a prefix. */
        static KeyRange prefix(String prefix) {
            int last = prefix.length() - 1;
            return new KeyRange(prefix, prefix.substring(0, last) + (char) (prefix.charAt(last) + 1));
        }

        /** One key. */
        static KeyRange of(String key) {
            return new KeyRange(key, key + '\0');
        }

        KeyRange after(String key) {
            return new KeyRange(key + '\0', to);
        }
    }
}
