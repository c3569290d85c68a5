package habemus.protocol;

/**
 * An algorithm that replicates a log: every node applies the same entries in the same order.
 *
 * <p>The durable state is on disk before the effects of a step, with one exception. Entries at the end of the log may
 * still be on their way to the disk. A crash can take those after {@link LogView#syncedIndex}. The runtime syncs them
 * and then calls {@link #synced}, so that the algorithm acknowledges an entry only when it is safe.
 *
 * @param <D> the durable state, including the entries that are not synced yet
 */
public interface Consensus<S, M, D> extends Durable<S, M, D> {

    /** The application makes a call. Effects answer it: {@link Effect.Apply}, {@link Effect.Reply}. */
    Step<S, M> call(S state, LogCall call);

    /**
     * The disk holds every entry up to this one. The sync began after the entry was appended. The runtime drops a sync
     * that was running when entries were removed from the end of the log.
     */
    Step<S, M> synced(S state, EntryId last);

    LogView view(S state);

    /** The view of a node that is down. */
    LogView durableView(D durableState);

    /** What the disk holds after a crash that took the entries after {@code lastIndex}, none of them synced. */
    D withoutTail(D durableState, long lastIndex);
}
