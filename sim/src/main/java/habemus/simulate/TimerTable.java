package habemus.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which alarms are set. Each has a version: what was planned under an earlier one was calmed or moved since. */
final class TimerTable {

    private static final int[] UNSET = {};

    private final int[][] versions;
    private final List<Enum<?>> known = new ArrayList<>(); // composed algorithms have alarms of several enums

    TimerTable(int size) {
        versions = new int[size][];
        Arrays.fill(versions, UNSET);
    }

    /** Sets it, or moves it; tells the version under which it may ring. */
    int set(int node, Enum<?> alarm) {
        return ++of(node, alarm)[known.indexOf(alarm)];
    }

    void cancel(int node, Enum<?> alarm) {
        of(node, alarm)[known.indexOf(alarm)]++;
    }

    /** Whether it is still set as it was then. */
    boolean isSet(int node, Enum<?> alarm, int version) {
        return versions[node][known.indexOf(alarm)] == version;
    }

    /** The same; it no longer is afterwards. */
    boolean fire(int node, Enum<?> alarm, int version) {
        boolean set = isSet(node, alarm, version);
        versions[node][known.indexOf(alarm)] += set ? 1 : 0;
        return set;
    }

    /** Calms all of them; versions go on, so that nothing from before a crash rings after it. */
    void cancelAll(int node) {
        for (int i = 0; i < versions[node].length; i++) {
            versions[node][i]++;
        }
    }

    private int[] of(int node, Enum<?> alarm) {
        if (!known.contains(alarm)) {
            known.add(alarm);
        }
        if (versions[node].length < known.size()) {
            versions[node] = Arrays.copyOf(versions[node], known.size());
        }
        return versions[node];
    }
}
