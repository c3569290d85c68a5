package habemus.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The timers of all nodes. Each has a version; a timeout scheduled for an earlier version was cancelled or reset. */
final class TimerTable {

    private static final int[] UNSET = {};

    private final int[][] versions;
    private final List<Enum<?>> known = new ArrayList<>(); // a composed algorithm has timers of several enums

    TimerTable(int size) {
        versions = new int[size][];
        Arrays.fill(versions, UNSET);
    }

    /** Sets or resets the timer. Returns the version that a timeout must present. */
    int set(int node, Enum<?> timer) {
        return ++versions(node, timer)[known.indexOf(timer)];
    }

    void cancel(int node, Enum<?> timer) {
        versions(node, timer)[known.indexOf(timer)]++;
    }

    /** Whether the timer is still set with this version. */
    boolean isSet(int node, Enum<?> timer, int version) {
        return versions[node][known.indexOf(timer)] == version;
    }

    /** Unsets the timer if it is still set with this version. Returns whether it was. */
    boolean fire(int node, Enum<?> timer, int version) {
        boolean isSet = isSet(node, timer, version);
        versions[node][known.indexOf(timer)] += isSet ? 1 : 0;
        return isSet;
    }

    /** Cancels all timers of a node. Versions keep growing, so that no timeout from before a crash fires after it. */
    void cancelAll(int node) {
        for (int i = 0; i < versions[node].length; i++) {
            versions[node][i]++;
        }
    }

    private int[] versions(int node, Enum<?> timer) {
        if (!known.contains(timer)) {
            known.add(timer);
        }
        if (versions[node].length < known.size()) {
            versions[node] = Arrays.copyOf(versions[node], known.size());
        }
        return versions[node];
    }
}
