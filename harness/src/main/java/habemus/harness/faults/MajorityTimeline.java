package habemus.harness.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Records which nodes were healthy at which time: up, and connected to all other healthy nodes. Together with the times
 * at which the service has served, this gives the outages that a healthy majority should have prevented.
 *
 * <p>A node is faulty from just before a fault is injected until just after it is healed. A killed node is faulty until
 * its new process listens. If a link is cut, one of its two nodes counts as faulty.
 */
public final class MajorityTimeline {

    /** @param event what was done to the node */
    record Change(long atNanos, int node, boolean isHealthy, String event) {}

    /**
     * An interval in which no request was served although the same majority was healthy. It starts when that majority
     * became healthy, or with the last request served before.
     *
     * @param lastChange the last change before the interval ended
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

    /** At the start, all nodes are healthy. */
    public MajorityTimeline(int nodes, long startNanos) {
        this.nodes = nodes;
        this.startNanos = startNanos;
    }

    /** To be called before the fault is injected. */
    synchronized void markFaulty(int node, String event) {
        add(new Change(System.nanoTime(), node, false, event));
    }

    /** To be called after the fault is healed. */
    synchronized void markHealthy(int node, String event) {
        add(new Change(System.nanoTime(), node, true, event));
    }

    synchronized void add(Change change) {
        changes.add(change);
    }

    /** Since when the same majority is healthy, on {@link System#nanoTime}. Empty if no majority is. */
    public synchronized Optional<Long> healthySince() {
        var scan = new Scan();
        changes.forEach(scan::apply);
        return scan.majorityHealthySince();
    }

    /** One line per change. */
    public synchronized List<String> lines() {
        return changes.stream().map(this::format).toList();
    }

    private String format(Change change) {
        return String.format(
                Locale.ROOT, "n%d %s at %.2f s", change.node, change.event, (change.atNanos - startNanos) / 1e9);
    }

    /**
     * The longest gap between each two consecutive served requests, if a majority was healthy in between.
     *
     * @param served times at which a request was served, on {@link System#nanoTime}
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

    /** Applies changes and served requests in the order of time. */
    private final class Scan {

        private final long[] healthySince = new long[nodes];
        private final List<Gap> gaps = new ArrayList<>();
        private Optional<Gap> longest = Optional.empty(); // since the last served request
        private long lastServedNanos = startNanos;
        private String last = "no fault";

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
            lastServedNanos = time;
        }

        /** The time since which more than half of the nodes are healthy without interruption. */
        private Optional<Long> majorityHealthySince() {
            var sorted = healthySince.clone();
            Arrays.sort(sorted);
            return Optional.of(sorted[nodes / 2]).filter(time -> time != UNHEALTHY);
        }

        private void extendGap(long now) {
            majorityHealthySince()
                    .map(since -> new Gap(Math.max(since, lastServedNanos), now, last))
                    .filter(gap -> longest.isEmpty() || longest.get().nanos() < gap.nanos())
                    .ifPresent(gap -> longest = Optional.of(gap));
        }
    }
}
