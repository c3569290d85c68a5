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
final class Applications {

    /** What an application is about to do. */
    enum Deed {
        NOTHING,
        ASK,
        LEAVE
    }

    private static final byte OUT = 0;
    private static final byte WAITING = 1;
    private static final byte INSIDE = 2;
    private static final byte CANDIDATE = 3;

    private final Problem problem;
    private final SplittableRandom chance;
    private final long think;
    private final long hold;
    private final int entries;
    private final byte[] uses;
    private final int[] left; // how often it will still ask
    private final long[] fences; // with which it was let in last
    private final int[] versions; // of what it plans: a plan of an earlier version has been given up

    Applications(Problem problem, World world, SplittableRandom chance) {
        this.problem = problem;
        this.chance = chance;
        think = Micros.of(world.workload().think());
        hold = Micros.of(world.workload().hold());
        entries = world.workload().entries();
        int highest = world.topology().highest();
        uses = new byte[highest + 1];
        left = new int[highest + 1];
        versions = new int[highest + 1];
        fences = new long[highest + 1];
    }

    /** It is called upon to ask, as often as the workload says. */
    void credit(int node) {
        left[node] += entries;
    }

    int version(int node) {
        return versions[node];
    }

    /** What the plan of this version comes to now. */
    Deed due(int node, int version) {
        if (version != versions[node]) {
            return Deed.NOTHING;
        }
        return uses[node] == INSIDE ? Deed.LEAVE : willAsk(node) ? Deed.ASK : Deed.NOTHING;
    }

    boolean isWaiting(int node) {
        return uses[node] == WAITING;
    }

    boolean isInside(int node) {
        return uses[node] == INSIDE;
    }

    /** Whether this is news: a candidate may ask for an election again. */
    boolean ask(int node) {
        versions[node]++;
        left[node]--;
        boolean first = uses[node] == OUT;
        uses[node] = problem == Problem.MUTEX ? WAITING : CANDIDATE;
        return first;
    }

    /** How long it will stay inside. */
    long enter(int node, long fence) {
        fences[node] = fence;
        versions[node]++;
        uses[node] = INSIDE;
        return hold;
    }

    long fence(int node) {
        return fences[node];
    }

    void leave(int node) {
        versions[node]++;
        uses[node] = OUT;
    }

    /** Whether it was asking for something. */
    boolean crash(int node) {
        boolean asking = uses[node] == WAITING || uses[node] == CANDIDATE;
        leave(node);
        return asking;
    }

    /** Whether nobody wants anything any more. */
    boolean areDone() {
        for (int node = 0; node < uses.length; node++) {
            if (uses[node] == WAITING || uses[node] == INSIDE || left[node] > 0) {
                return false;
            }
        }
        return true;
    }

    boolean willAsk(int node) {
        return left[node] > 0 && uses[node] != WAITING && uses[node] != INSIDE;
    }

    /** How long it thinks before it asks again. */
    long pause() {
        return think == 0 ? 0 : chance.nextLong(think + 1);
    }

    List<NodeId> waiting(NodeId[] ids) {
        var waiting = new ArrayList<NodeId>();
        Arrays.stream(ids).filter(id -> id != null && isWaiting(id.number())).forEach(waiting::add);
        return waiting;
    }
}
