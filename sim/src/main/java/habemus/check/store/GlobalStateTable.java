package habemus.check.store;

import habemus.check.model.ActiveFaults;
import habemus.check.model.FaultBudget;
import habemus.check.model.NodePermutation;
import habemus.check.model.RefutedAssumptions;
import habemus.check.model.Scope;
import habemus.protocol.NodeId;
import habemus.world.MonitorSet;
import habemus.world.ObservableEvent;
import habemus.world.Property;
import habemus.world.PropertyMonitor;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What belongs to no node, as one number: what the judges have in mind, and how often each thing may still happen.
 * Anybody may look something up at any time; what was never asked before is worked out by one thread at a time.
 */
public final class GlobalStateTable {

    /** What a judge has in mind once its property is violated: in this run there is nothing left to judge. */
    private static final String VIOLATED = "violated";

    /** It cannot be paid for. */
    public static final int BUDGET_EXHAUSTED = -1;

    /** About what one of them takes, in bytes: with all else it comes near to what the heap shows. */
    private static final long GLOBAL_STATE_BYTES = 240;

    private static final long EFFECT_BYTES = 100;

    /**
     * @param remainingBudget how often each {@link FaultBudget} may still be paid
     * @param activeFaults what is cut, and who stands still
     */
    private record GlobalState(List<Object> monitorStates, List<Integer> remainingBudget, ActiveFaults activeFaults) {}

    private record GlobalEffect(List<ObservableEvent> events, List<FaultBudget> charges) {}

    private final List<Property> properties;
    private final List<NodeId> nodes;
    private final List<PropertyMonitor<Object>> monitors = new ArrayList<>();
    private final Interner<GlobalState> globalStates = new Interner<>();
    private final Interner<GlobalEffect> effects = new Interner<>();
    private final LongIntMap successors = new LongIntMap(); // one more than the number; zero is too dear
    private final LongIntMap permuted = new LongIntMap();
    private final List<int[]> unverified = new ArrayList<>(); // what was worked out since it was compared
    private volatile long[] violations = new long[1 << 10];
    private volatile ActiveFaults[] activeFaults = new ActiveFaults[1 << 10];

    public GlobalStateTable(Scope scope, List<Property> properties) {
        this.properties = properties;
        nodes = scope.topology().nodes();
        var world = World.of(scope.topology()).withRanking(scope.ranking());
        properties.forEach(property -> monitors.add(erased(MonitorSet.monitor(property, world, scope.bypassBound()))));
        effects.intern(new GlobalEffect(List.of(), List.of()));
        var left = Arrays.stream(FaultBudget.values())
                .map(faultBudget -> faultBudget.initial(scope))
                .toList();
        intern(new GlobalState(
                monitors.stream().map(PropertyMonitor::initialState).toList(), left, ActiveFaults.NONE));
    }

    @SuppressWarnings("unchecked") // a judge is only ever shown a mind of its own making
    private static PropertyMonitor<Object> erased(PropertyMonitor<?> propertyMonitor) {
        return (PropertyMonitor<Object>) propertyMonitor;
    }

    /** About what it takes, all in. */
    public synchronized long bytes() {
        return globalStates.bytes()
                + GLOBAL_STATE_BYTES * globalStates.size()
                + effects.bytes()
                + EFFECT_BYTES * effects.size()
                + successors.bytes()
                + 8L * violations.length;
    }

    boolean isMonitored(Property property) {
        return properties.contains(property);
    }

    /** The properties of which the bit is set. */
    public List<Property> properties(int bits) {
        return properties.stream()
                .filter(property -> (bits & 1 << properties.indexOf(property)) != 0)
                .toList();
    }

    /** Zero if nothing is seen and nothing is to be paid. */
    synchronized int effect(List<ObservableEvent> seen, List<FaultBudget> faultBudgets) {
        return effects.intern(new GlobalEffect(seen, faultBudgets));
    }

    /** The number after this, or {@link #BUDGET_EXHAUSTED}. */
    public int after(int global, int account) {
        if (account == 0) {
            return global;
        }
        int known = successors.get((long) global << 32 | account);
        return (known != LongIntMap.ABSENT ? known : computeAfter(global, account)) - 1;
    }

    /** A bit for each property that was violated on the way, by its place in the list. */
    public int violated(int global) {
        return (int) (violations[global] >>> 32);
    }

    /** A bit for each property that is violated if nothing ever happens again. */
    public int violatedIfQuiescent(int global) {
        return (int) violations[global];
    }

    /** Whether messages from one to the other do not arrive now; both by index. */
    public boolean isCut(int global, int from, int to) {
        return activeFaults[global].separates(nodes.get(from), nodes.get(to));
    }

    /** Whether a node, given by index, stands still now. */
    public boolean isPaused(int global, int node) {
        return activeFaults[global].paused().contains(nodes.get(node));
    }

    /** The account under other names. */
    public synchronized int permutedEffect(NodePermutation nodePermutation, int account) {
        var effect = effects.get(account);
        return effects.intern(new GlobalEffect(nodePermutation.permuted(effect.events), effect.charges));
    }

    /** @param place of the renaming in the group */
    public int permuted(NodePermutation nodePermutation, int place, int global) {
        int known = permuted.get((long) place << 32 | global);
        return known != LongIntMap.ABSENT ? known : computePermuted(nodePermutation, place, global);
    }

    private synchronized int computePermuted(NodePermutation nodePermutation, int place, int global) {
        long key = (long) place << 32 | global;
        int known = permuted.get(key);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        var from = globalStates.get(global);
        return permuted.put(
                key,
                intern(new GlobalState(
                        nodePermutation.permuted(from.monitorStates),
                        from.remainingBudget,
                        nodePermutation.permuted(from.activeFaults))));
    }

    /** Doubts renamings that a judge has noticed since the last time. */
    public synchronized void verifySymmetry(List<NodePermutation> group, RefutedAssumptions refutedAssumptions) {
        var some = List.copyOf(unverified);
        for (int i = 1; i < group.size(); i++) {
            var nodePermutation = group.get(i);
            for (int[] pair : some) {
                if (refutedAssumptions.allows(nodePermutation) && !isPreserved(nodePermutation, i, pair)) {
                    refutedAssumptions.add(nodePermutation);
                }
            }
        }
        unverified.clear();
    }

    private boolean isPreserved(NodePermutation nodePermutation, int place, int[] pair) {
        int after = after(pair[0], pair[1]);
        int other = after(permuted(nodePermutation, place, pair[0]), permutedEffect(nodePermutation, pair[1]));
        if (after == BUDGET_EXHAUSTED || other == BUDGET_EXHAUSTED) {
            return after == other;
        }
        return permuted(nodePermutation, place, after) == other && violations[after] == violations[other];
    }

    private synchronized int computeAfter(int global, int account) {
        long key = (long) global << 32 | account;
        int known = successors.get(key);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        var from = globalStates.get(global);
        var effect = effects.get(account);
        var left = new ArrayList<>(from.remainingBudget);
        for (FaultBudget faultBudget : effect.charges) {
            int rest = left.get(faultBudget.ordinal());
            left.set(faultBudget.ordinal(), rest == Scope.UNBOUNDED ? rest : rest - 1);
        }
        boolean affordable = left.stream().allMatch(rest -> rest >= 0) && from.activeFaults.allows(effect.events);
        int after = affordable
                ? 1
                        + intern(new GlobalState(
                                monitorStatesAfter(from.monitorStates, effect.events),
                                List.copyOf(left),
                                from.activeFaults.after(effect.events)))
                : 0;
        successors.put(key, after);
        unverified.add(new int[] {global, account});
        return after;
    }

    private List<Object> monitorStatesAfter(List<Object> minds, List<ObservableEvent> seen) {
        var after = new ArrayList<>(minds);
        for (ObservableEvent observableEvent : seen) {
            for (int j = 0; j < after.size(); j++) {
                var propertyMonitor = monitors.get(j);
                if (!VIOLATED.equals(after.get(j))) {
                    var mind = propertyMonitor.next(after.get(j), observableEvent);
                    boolean always = properties.get(j).when() == Property.When.ALWAYS;
                    after.set(j, always && !propertyMonitor.holds(mind) ? VIOLATED : mind);
                }
            }
        }
        return List.copyOf(after);
    }

    private int intern(GlobalState globalState) {
        int number = globalStates.intern(globalState);
        if (number == violations.length) {
            violations = Arrays.copyOf(violations, 2 * number);
            activeFaults = Arrays.copyOf(activeFaults, 2 * number);
        }
        long violated = 0;
        long atRest = 0;
        for (int j = 0; j < monitors.size(); j++) {
            var mind = globalState.monitorStates.get(j);
            if (VIOLATED.equals(mind)) {
                violated |= 1L << j;
            } else if (properties.get(j).when() == Property.When.EVENTUALLY
                    && !monitors.get(j).holds(mind)) {
                atRest |= 1L << j;
            }
        }
        activeFaults[number] = globalState.activeFaults;
        violations[number] = violated << 32 | atRest;
        return number;
    }
}
