package habemus.service.raft;

import habemus.service.transport.Member;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Who keeps the log. A change counts as soon as it is in a node's log, committed or not: else two majorities that have
 * nobody in common could be made of nodes that have not yet heard of a commit.
 */
final class ClusterConfiguration {

    private final TreeMap<Long, List<Member>> since = new TreeMap<>();
    private volatile Consumer<List<Member>> listener = members -> {};

    ClusterConfiguration(List<Member> first) {
        since.put(0L, first);
    }

    /** From now on it is told of each change, by the thread that makes it. */
    void listen(Consumer<List<Member>> told) {
        listener = told;
    }

    synchronized List<Member> latest() {
        return since.lastEntry().getValue();
    }

    /** The index of the last change. */
    synchronized long changed() {
        return since.lastKey();
    }

    /** As of an entry. */
    synchronized List<Member> at(long index) {
        Map.Entry<Long, List<Member>> entry = since.floorEntry(index);
        return entry == null ? latest() : entry.getValue();
    }

    void appended(long index, List<Member> members) {
        change(() -> since.put(index, members));
    }

    /** Entries from this one on are no longer there. */
    void cut(long from) {
        change(() -> since.tailMap(from, true).clear());
    }

    /** All before is forgotten. */
    void begin(long index, List<Member> members) {
        change(() -> {
            since.headMap(index, true).clear();
            since.put(index, members);
        });
    }

    /** All that was known is replaced. */
    void restart(long index, List<Member> members) {
        change(() -> {
            since.clear();
            since.put(index, members);
        });
    }

    private void change(Runnable how) {
        List<Member> before;
        List<Member> after;
        synchronized (this) {
            before = latest();
            how.run();
            after = latest();
        }
        if (!before.equals(after)) {
            listener.accept(after);
        }
    }
}
