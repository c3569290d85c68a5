package habemus.service.raft;

import habemus.service.transport.Member;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The voting members by log index. As in Raft, a change takes effect when it is appended, committed or not: otherwise
 * nodes that do not know the commit yet could form a disjoint majority. Thread-safe.
 */
final class ClusterConfiguration {

    private final TreeMap<Long, List<Member>> since = new TreeMap<>();
    private volatile Consumer<List<Member>> listener = members -> {};

    ClusterConfiguration(List<Member> first) {
        since.put(0L, first);
    }

    /** Sets the listener, which is called on the thread that makes a change. */
    void listen(Consumer<List<Member>> newListener) {
        listener = newListener;
    }

    synchronized List<Member> latest() {
        return since.lastEntry().getValue();
    }

    /** The index of the last change. */
    synchronized long changed() {
        return since.lastKey();
    }

    /** The members as of this index. */
    synchronized List<Member> at(long index) {
        Map.Entry<Long, List<Member>> entry = since.floorEntry(index);
        return entry == null ? latest() : entry.getValue();
    }

    void appended(long index, List<Member> members) {
        change(() -> since.put(index, members));
    }

    /** Removes the changes from this index on, whose entries were deleted. */
    void cut(long from) {
        change(() -> since.tailMap(from, true).clear());
    }

    /** Replaces all changes up to this index, which a snapshot now covers. */
    void begin(long index, List<Member> members) {
        change(() -> {
            since.headMap(index, true).clear();
            since.put(index, members);
        });
    }

    /** Replaces all changes by the members of an installed snapshot. */
    void restart(long index, List<Member> members) {
        change(() -> {
            since.clear();
            since.put(index, members);
        });
    }

    private void change(Runnable update) {
        List<Member> before;
        List<Member> after;
        synchronized (this) {
            before = latest();
            update.run();
            after = latest();
        }
        if (!before.equals(after)) {
            listener.accept(after);
        }
    }
}
