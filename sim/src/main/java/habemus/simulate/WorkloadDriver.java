package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Micros;
import habemus.world.Problem;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The applications on top of the nodes: each asks when its workload says so, stays inside for a while, and leaves. */
final class WorkloadDriver {

    /** What an application is about to do. */
    enum Action {
        NONE,
        REQUEST,
        RELEASE
    }

    private static final byte IDLE = 0;
    private static final byte WAITING = 1;
    private static final byte HOLDING = 2;
    private static final byte CANDIDATE = 3;

    private final Problem problem;
    private final SplittableRandom chance;
    private final long think;
    private final long hold;
    private final int entries;
    private final byte[] states;
    private final int[] remaining; // how often it will still ask
    private final long[] fences; // with which it was let in last
    private final int[] versions; // of what it plans: a plan of an earlier version has been given up

    WorkloadDriver(Problem problem, World world, SplittableRandom chance) {
        this.problem = problem;
        this.chance = chance;
        think = Micros.of(world.workload().thinkTime());
        hold = Micros.of(world.workload().holdTime());
        entries = world.workload().entries();
        int highest = world.topology().highestNumber();
        states = new byte[highest + 1];
        remaining = new int[highest + 1];
        versions = new int[highest + 1];
        fences = new long[highest + 1];
    }

    /** It is called upon to ask, as often as the workload says. */
    void addEntries(int node) {
        remaining[node] += entries;
    }

    int version(int node) {
        return versions[node];
    }

    /** What the plan of this version comes to now. */
    Action dueAction(int node, int version) {
        if (version != versions[node]) {
            return Action.NONE;
        }
        return states[node] == HOLDING ? Action.RELEASE : wantsToRequest(node) ? Action.REQUEST : Action.NONE;
    }

    boolean isWaiting(int node) {
        return states[node] == WAITING;
    }

    boolean isHolding(int node) {
        return states[node] == HOLDING;
    }

    /** Whether this is news: a candidate may ask for an election again. */
    boolean request(int node) {
        versions[node]++;
        remaining[node]--;
        boolean first = states[node] == IDLE;
        states[node] = problem == Problem.MUTEX ? WAITING : CANDIDATE;
        return first;
    }

    /** How long it will stay inside. */
    long enter(int node, long fence) {
        fences[node] = fence;
        versions[node]++;
        states[node] = HOLDING;
        return hold;
    }

    long fence(int node) {
        return fences[node];
    }

    void exit(int node) {
        versions[node]++;
        states[node] = IDLE;
    }

    /** Whether it was asking for something. */
    boolean crash(int node) {
        boolean asking = states[node] == WAITING || states[node] == CANDIDATE;
        exit(node);
        return asking;
    }

    /** Whether nobody wants anything any more. */
    boolean isFinished() {
        for (int node = 0; node < states.length; node++) {
            if (states[node] == WAITING || states[node] == HOLDING || remaining[node] > 0) {
                return false;
            }
        }
        return true;
    }

    boolean wantsToRequest(int node) {
        return remaining[node] > 0 && states[node] != WAITING && states[node] != HOLDING;
    }

    /** How long it thinks before it asks again. */
    long drawThinkTime() {
        return think == 0 ? 0 : chance.nextLong(think + 1);
    }

    List<NodeId> waiting(NodeId[] ids) {
        var waiting = new ArrayList<NodeId>();
        Arrays.stream(ids).filter(id -> id != null && isWaiting(id.number())).forEach(waiting::add);
        return waiting;
    }
}
