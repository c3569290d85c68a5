package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.AppState;
import habemus.world.Micros;
import habemus.world.SeededRandom;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The application state of every node: idle, waiting, holding or candidate, and the requests it still has to make. */
final class WorkloadDriver {

    /** The next action of an application. */
    enum Action {
        NONE,
        REQUEST,
        RELEASE
    }

    private final SeededRandom random;
    private final long maxThinkMicros;
    private final long holdMicros;
    private final int entries;
    private final AppState[] states;
    private final int[] remaining; // requests still to be made
    private final long[] fences; // of the last grant
    private final int[] versions; // an action scheduled for an earlier version is obsolete

    WorkloadDriver(World world, SeededRandom random) {
        this.random = random;
        maxThinkMicros = Micros.of(world.workload().thinkTime());
        holdMicros = Micros.of(world.workload().holdTime());
        entries = world.workload().entries();
        int highest = world.topology().highestNumber();
        states = new AppState[highest + 1];
        Arrays.fill(states, AppState.IDLE);
        remaining = new int[highest + 1];
        versions = new int[highest + 1];
        fences = new long[highest + 1];
    }

    /** Adds requests of the world, by their origin: see {@link PackedEvent#REQUEST}. */
    void addRequests(int node, int origin) {
        remaining[node] += origin == PackedEvent.FROM_WORKLOAD ? entries : 1;
    }

    /** The application makes no more requests. */
    void stop(int node) {
        remaining[node] = 0;
    }

    int version(int node) {
        return versions[node];
    }

    /** The action that is due now, if the version is still current. */
    Action dueAction(int node, int version) {
        if (version != versions[node]) {
            return Action.NONE;
        }
        return states[node] == AppState.HOLDING ? Action.RELEASE : wantsToRequest(node) ? Action.REQUEST : Action.NONE;
    }

    AppState state(int node) {
        return states[node];
    }

    void setState(int node, AppState next) {
        versions[node]++;
        states[node] = next;
    }

    void countRequest(int node) {
        remaining[node]--;
    }

    /** Returns how long the application holds the lock. */
    long enter(int node, long fence) {
        fences[node] = fence;
        return holdMicros;
    }

    long fence(int node) {
        return fences[node];
    }

    /** Whether no node waits, holds the lock or has requests left. */
    boolean isFinished() {
        for (int node = 0; node < states.length; node++) {
            if (states[node] == AppState.WAITING || states[node] == AppState.HOLDING || remaining[node] > 0) {
                return false;
            }
        }
        return true;
    }

    boolean wantsToRequest(int node) {
        return remaining[node] > 0 && states[node] != AppState.WAITING && states[node] != AppState.HOLDING;
    }

    /** Draws the time until the next request, in microseconds. */
    long drawThinkTime() {
        return maxThinkMicros == 0 ? 0 : random.nextLong(maxThinkMicros + 1);
    }

    List<NodeId> waiting(NodeId[] ids) {
        var waiting = new ArrayList<NodeId>();
        Arrays.stream(ids)
                .filter(id -> id != null && states[id.number()] == AppState.WAITING)
                .forEach(waiting::add);
        return waiting;
    }
}
