package habemus.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who is up, paused or down; what waits for those that are paused, and what those that are down have on disk. */
final class NodeStatus {

    /** Something that happened to a paused node. */
    record HeldEvent(long event, @Nullable Object payload) {}

    private static final byte UP = 0;
    private static final byte PAUSED = 1;
    private static final byte DOWN = 2;

    private final byte[] health;
    private final int[] crashes;
    private boolean allUp = true; // nobody was ever down or paused: no need to look
    private final Map<Integer, Object> memories = new HashMap<>();
    private final Map<Integer, List<HeldEvent>> heldEvent = new HashMap<>();

    NodeStatus(int size) {
        health = new byte[size];
        crashes = new int[size];
    }

    boolean isUp(int node) {
        return allUp || health[node] == UP;
    }

    boolean isPaused(int node) {
        return health[node] == PAUSED;
    }

    boolean isDown(int node) {
        return health[node] == DOWN;
    }

    void pause(int node) {
        allUp = false;
        health[node] = PAUSED;
    }

    void hold(int node, HeldEvent missed) {
        heldEvent.computeIfAbsent(node, key -> new ArrayList<>()).add(missed);
    }

    /** What waited, in order. */
    List<HeldEvent> resume(int node) {
        health[node] = UP;
        var late = heldEvent.remove(node);
        return late == null ? List.of() : late;
    }

    /** What waited and now never comes. */
    List<HeldEvent> crash(int node, @Nullable Object memory) {
        allUp = false;
        health[node] = DOWN;
        crashes[node]++;
        if (memory != null) {
            memories.put(node, memory);
        }
        var missed = heldEvent.remove(node);
        return missed == null ? List.of() : missed;
    }

    /** How often it has crashed so far. */
    int crashes(int node) {
        return crashes[node];
    }

    void restart(int node) {
        health[node] = UP;
    }

    @Nullable
    Object memory(int node) {
        return memories.get(node);
    }
}
