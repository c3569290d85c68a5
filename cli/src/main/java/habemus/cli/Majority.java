package habemus.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Which nodes were whole when: up, and connected to all others that are whole. From that, and from when the service
 * has served, follows for how long it was away though it should have been there.
 *
 * <p>A node that is struck is not whole from before that until after it was mended; one that was killed, until its new
 * process listens. If a wire is cut, one of the two nodes at its ends is struck.
 */
final class Majority {

    /** @param what was done to the node */
    record Change(long at, int node, boolean whole, String what) {}

    /**
     * A time in which nobody was served though the same majority was whole all the while. It begins when they were
     * whole, or when somebody was served last.
     *
     * @param last what happened before it ended
     */
    record Gap(long from, long to, String last) {

        long nanos() {
            return to - from;
        }
    }

    private static final long STRUCK = Long.MAX_VALUE;

    private final int nodes;
    private final long begun;
    private final List<Change> changes = new ArrayList<>();

    /** All are whole. */
    Majority(int nodes, long begun) {
        this.nodes = nodes;
        this.begun = begun;
    }

    /** To be said before. */
    synchronized void struck(int node, String what) {
        add(new Change(System.nanoTime(), node, false, what));
    }

    /** To be said after. */
    synchronized void mended(int node, String what) {
        add(new Change(System.nanoTime(), node, true, what));
    }

    synchronized void add(Change change) {
        changes.add(change);
    }

    /** Since when the same majority is whole. */
    synchronized Optional<Long> since() {
        var walk = new Walk();
        changes.forEach(walk::pass);
        return walk.since();
    }

    /** What was done to whom and when, a line each. */
    synchronized List<String> lines() {
        return changes.stream().map(this::words).toList();
    }

    private String words(Change change) {
        return String.format(Locale.ROOT, "n%d %s at %.2f s", change.node, change.what, (change.at - begun) / 1e9);
    }

    /**
     * One for each two times of service that follow each other, if a majority was whole in between.
     *
     * @param served when somebody was
     */
    synchronized List<Gap> gaps(SortedSet<Long> served, long end) {
        var walk = new Walk();
        int next = 0;
        for (long time : served.subSet(begun, end)) {
            for (; next < changes.size() && changes.get(next).at < time; next++) {
                walk.pass(changes.get(next));
            }
            walk.serve(time);
        }
        for (; next < changes.size() && changes.get(next).at < end; next++) {
            walk.pass(changes.get(next));
        }
        walk.serve(end);
        return walk.gaps;
    }

    /** From the beginning on, in the order of time. */
    private final class Walk {

        private final long[] wholeSince = new long[nodes];
        private final List<Gap> gaps = new ArrayList<>();
        private Optional<Gap> longest = Optional.empty(); // since somebody was served
        private long lastServed = begun;
        private String last = "nothing was struck";

        Walk() {
            Arrays.fill(wholeSince, begun);
        }

        private void pass(Change change) {
            look(change.at);
            wholeSince[change.node - 1] = change.whole ? change.at : STRUCK;
            last = words(change);
        }

        private void serve(long time) {
            look(time);
            longest.ifPresent(gaps::add);
            longest = Optional.empty();
            lastServed = time;
        }

        /** So many are whole since then, and have been all the while. */
        private Optional<Long> since() {
            var sorted = wholeSince.clone();
            Arrays.sort(sorted);
            return Optional.of(sorted[nodes / 2]).filter(time -> time != STRUCK);
        }

        private void look(long now) {
            since().map(since -> new Gap(Math.max(since, lastServed), now, last))
                    .filter(gap -> longest.isEmpty() || longest.get().nanos() < gap.nanos())
                    .ifPresent(gap -> longest = Optional.of(gap));
        }
    }
}
