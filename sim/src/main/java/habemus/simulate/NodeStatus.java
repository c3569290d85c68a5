package habemus.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether each node is up, paused or down, with the held events of paused nodes and the durable state of all. */
final class NodeStatus {

    /** An event that is held until a paused node resumes. */
    record HeldEvent(long event, @Nullable Object payload) {}

    private static final byte UP = 0;
    private static final byte PAUSED = 1;
    private static final byte DOWN = 2;

    private final byte[] status;
    private final int[] crashes;
    private boolean allUp = true; // no node was ever paused or down
    private final Map<Integer, Object> durableStates = new HashMap<>();
    private final Map<Integer, List<HeldEvent>> heldEvents = new HashMap<>();

    NodeStatus(int size) {
        status = new byte[size];
        crashes = new int[size];
    }

    /** The node is down until it joins. */
    void setAbsent(int node) {
        allUp = false;
        status[node] = DOWN;
    }

    boolean isUp(int node) {
        return allUp || status[node] == UP;
    }

    boolean isPaused(int node) {
        return status[node] == PAUSED;
    }

    boolean isDown(int node) {
        return status[node] == DOWN;
    }

    void pause(int node) {
        allUp = false;
        status[node] = PAUSED;
    }

    void hold(int node, HeldEvent event) {
        heldEvents.computeIfAbsent(node, key -> new ArrayList<>()).add(event);
    }

    /** Returns the held events, in order. */
    List<HeldEvent> resume(int node) {
        status[node] = UP;
        var held = heldEvents.remove(node);
        return held == null ? List.of() : held;
    }

    /** Returns the held events, which are lost now. */
    List<HeldEvent> crash(int node, @Nullable Object durableState) {
        allUp = false;
        status[node] = DOWN;
        crashes[node]++;
        if (durableState != null) {
            durableStates.put(node, durableState);
        }
        var held = heldEvents.remove(node);
        return held == null ? List.of() : held;
    }

    /** The number of crashes so far. */
    int crashes(int node) {
        return crashes[node];
    }

    void setDurableState(int node, Object durableState) {
        durableStates.put(node, durableState);
    }

    void restart(int node) {
        status[node] = UP;
    }

    @Nullable
    Object durableState(int node) {
        return durableStates.get(node);
    }
}
