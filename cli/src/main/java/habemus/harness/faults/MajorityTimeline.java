package habemus.harness.faults;

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
public final class MajorityTimeline {

    /** @param event was done to the node */
    record Change(long atNanos, int node, boolean isHealthy, String event) {}

    /**
     * A time in which nobody was served though the same majority was whole all the while. It begins when they were
     * whole, or when somebody was served last.
     *
     * @param lastChange what happened before it ended
     */
    public record Gap(long from, long to, String lastChange) {

        public long nanos() {
            return to - from;
        }
    }

    private static final long UNHEALTHY = Long.MAX_VALUE;

    private final int nodes;
    private final long startNanos;
    private final List<Change> changes = new ArrayList<>();

    /** All are whole. */
    public MajorityTimeline(int nodes, long begun) {
        this.nodes = nodes;
        this.startNanos = begun;
    }

    /** To be said before. */
    synchronized void markFaulty(int node, String what) {
        add(new Change(System.nanoTime(), node, false, what));
    }

    /** To be said after. */
    synchronized void markHealthy(int node, String what) {
        add(new Change(System.nanoTime(), node, true, what));
    }

    synchronized void add(Change change) {
        changes.add(change);
    }

    /** Since when the same majority is whole. */
    public synchronized Optional<Long> healthySince() {
        var scan = new Scan();
        changes.forEach(scan::apply);
        return scan.majorityHealthySince();
    }

    /** What was done to whom and when, a line each. */
    public synchronized List<String> lines() {
        return changes.stream().map(this::format).toList();
    }

    private String format(Change change) {
        return String.format(
                Locale.ROOT, "n%d %s at %.2f s", change.node, change.event, (change.atNanos - startNanos) / 1e9);
    }

    /**
     * One for each two times of service that follow each other, if a majority was whole in between.
     *
     * @param served when somebody was
     */
    public synchronized List<Gap> gaps(SortedSet<Long> served, long end) {
        var scan = new Scan();
        int next = 0;
        for (long time : served.subSet(startNanos, end)) {
            for (; next < changes.size() && changes.get(next).atNanos < time; next++) {
                scan.apply(changes.get(next));
            }
            scan.onServed(time);
        }
        for (; next < changes.size() && changes.get(next).atNanos < end; next++) {
            scan.apply(changes.get(next));
        }
        scan.onServed(end);
        return scan.gaps;
    }

    /** From the beginning on, in the order of time. */
    private final class Scan {

        private final long[] healthySince = new long[nodes];
        private final List<Gap> gaps = new ArrayList<>();
        private Optional<Gap> longest = Optional.empty(); // since somebody was served
        private long lastServed = startNanos;
        private String last = "nothing was struck";

        Scan() {
            Arrays.fill(healthySince, startNanos);
        }

        private void apply(Change change) {
            extendGap(change.atNanos);
            healthySince[change.node - 1] = change.isHealthy ? change.atNanos : UNHEALTHY;
            last = format(change);
        }

        private void onServed(long time) {
            extendGap(time);
            longest.ifPresent(gaps::add);
            longest = Optional.empty();
            lastServed = time;
        }

        /** So many are whole since then, and have been all the while. */
        private Optional<Long> majorityHealthySince() {
            var sorted = healthySince.clone();
            Arrays.sort(sorted);
            return Optional.of(sorted[nodes / 2]).filter(time -> time != UNHEALTHY);
        }

        private void extendGap(long now) {
            majorityHealthySince()
                    .map(since -> new Gap(Math.max(since, lastServed), now, last))
                    .filter(gap -> longest.isEmpty() || longest.get().nanos() < gap.nanos())
                    .ifPresent(gap -> longest = Optional.of(gap));
        }
    }
}
