package habemus.check.store;

import habemus.check.model.ActiveFaults;
import habemus.check.model.FaultBudget;
import habemus.check.model.NodePermutation;
import habemus.check.model.RefutedAssumptions;
import habemus.check.model.Scope;
import habemus.protocol.NodeId;
import habemus.world.MembershipHistory;
import habemus.world.MonitorSet;
import habemus.world.ObservableEvent;
import habemus.world.Property;
import habemus.world.PropertyMonitor;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The interned parts of a state that belong to no node: monitor states, remaining fault budgets, active faults. Any
 * thread may look up a known value at any time; one thread at a time computes new ones.
 */
public final class GlobalStateTable {

    /** The monitor state of a property that was violated before: the run is not monitored for it any more. */
    private static final String VIOLATED = "violated";

    /** Returned in place of a global state if the budget or the active faults do not allow an effect. */
    public static final int BUDGET_EXHAUSTED = -1;

    /** The approximate sizes of a global state and of an effect on the heap. */
    private static final long GLOBAL_STATE_BYTES = 240;

    private static final long EFFECT_BYTES = 100;

    /**
     * @param remainingBudget how often each kind of fault may still happen, by ordinal of {@link FaultBudget}
     * @param activeFaults the current partition and the paused nodes
     */
    private record GlobalState(List<Object> monitorStates, List<Integer> remainingBudget, ActiveFaults activeFaults) {}

    private record GlobalEffect(List<ObservableEvent> events, List<FaultBudget> charges) {}

    private final List<Property> properties;
    private final List<NodeId> nodes;
    private final List<PropertyMonitor<Object>> monitors = new ArrayList<>();
    private final Interner<GlobalState> globalStates = new Interner<>();
    private final Interner<GlobalEffect> effects = new Interner<>();
    private final LongIntMap successors = new LongIntMap(); // the global state + 1; zero if the budget is exhausted
    private final LongIntMap permuted = new LongIntMap();
    private final List<int[]> unverified = new ArrayList<>(); // global state and effect, since the last verification
    private volatile long[] violations = new long[1 << 10];
    private volatile ActiveFaults[] activeFaults = new ActiveFaults[1 << 10];

    public GlobalStateTable(Scope scope, List<Property> properties) {
        this.properties = properties;
        nodes = scope.topology().nodes();
        var world = World.of(scope.topology()).withRanking(scope.ranking()).withJoiners(scope.joiners(), Duration.ZERO);
        properties.forEach(property -> monitors.add(erased(MonitorSet.monitor(property, world, scope.bypassBound()))));
        effects.intern(new GlobalEffect(List.of(), List.of()));
        var remaining = Arrays.stream(FaultBudget.values())
                .map(faultBudget -> faultBudget.initial(scope))
                .toList();
        intern(new GlobalState(
                monitors.stream().map(PropertyMonitor::initialState).toList(), remaining, ActiveFaults.NONE));
    }

    @SuppressWarnings("unchecked") // a monitor only gets states that it returned
    private static PropertyMonitor<Object> erased(PropertyMonitor<?> propertyMonitor) {
        return (PropertyMonitor<Object>) propertyMonitor;
    }

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

    /** The properties whose bit is set. */
    public List<Property> properties(int bits) {
        return properties.stream()
                .filter(property -> (bits & 1 << properties.indexOf(property)) != 0)
                .toList();
    }

    /** The id of an effect; zero if there are no events and no charges. */
    synchronized int effect(List<ObservableEvent> events, List<FaultBudget> charges) {
        return effects.intern(new GlobalEffect(events, charges));
    }

    /** The global state after an effect, or {@link #BUDGET_EXHAUSTED}. */
    public int after(int global, int effectId) {
        if (effectId == 0) {
            return global;
        }
        int known = successors.get((long) global << 32 | effectId);
        return (known != LongIntMap.ABSENT ? known : computeAfter(global, effectId)) - 1;
    }

    /** A bit for each property that was violated on the way, by its index in the list of properties. */
    public int violated(int global) {
        return (int) (violations[global] >>> 32);
    }

    /** A bit for each property that is violated if the run ends here. */
    public int violatedIfQuiescent(int global) {
        return (int) violations[global];
    }

    /** Whether a partition drops messages between two nodes, given by index. */
    public boolean isCut(int global, int from, int to) {
        return activeFaults[global].separates(nodes.get(from), nodes.get(to));
    }

    public boolean isPaused(int global, int node) {
        return activeFaults[global].paused().contains(nodes.get(node));
    }

    public MembershipHistory history(int global) {
        return activeFaults[global].history();
    }

    public synchronized int permutedEffect(NodePermutation permutation, int effectId) {
        var effect = effects.get(effectId);
        return effects.intern(new GlobalEffect(permutation.permuted(effect.events), effect.charges));
    }

    /** @param index the index of the permutation in the group */
    public int permuted(NodePermutation permutation, int index, int global) {
        int known = permuted.get((long) index << 32 | global);
        return known != LongIntMap.ABSENT ? known : computePermuted(permutation, index, global);
    }

    private synchronized int computePermuted(NodePermutation permutation, int index, int global) {
        long key = (long) index << 32 | global;
        int known = permuted.get(key);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        var from = globalStates.get(global);
        return permuted.put(
                key,
                intern(new GlobalState(
                        permutation.permuted(from.monitorStates),
                        from.remainingBudget,
                        permutation.permuted(from.activeFaults))));
    }

    /** Refutes the permutations under which a monitor or a budget behaves differently in a newly visited state. */
    public synchronized void verifySymmetry(List<NodePermutation> group, RefutedAssumptions refuted) {
        var visited = List.copyOf(unverified);
        for (int i = 1; i < group.size(); i++) {
            var permutation = group.get(i);
            for (int[] pair : visited) {
                if (refuted.allows(permutation) && !isPreserved(permutation, i, pair)) {
                    refuted.refute(permutation);
                }
            }
        }
        unverified.clear();
    }

    private boolean isPreserved(NodePermutation permutation, int index, int[] pair) {
        int after = after(pair[0], pair[1]);
        int other = after(permuted(permutation, index, pair[0]), permutedEffect(permutation, pair[1]));
        if (after == BUDGET_EXHAUSTED || other == BUDGET_EXHAUSTED) {
            return after == other;
        }
        return permuted(permutation, index, after) == other && violations[after] == violations[other];
    }

    private synchronized int computeAfter(int global, int effectId) {
        long key = (long) global << 32 | effectId;
        int known = successors.get(key);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        var from = globalStates.get(global);
        var effect = effects.get(effectId);
        var remaining = new ArrayList<>(from.remainingBudget);
        for (FaultBudget faultBudget : effect.charges) {
            int count = remaining.get(faultBudget.ordinal());
            remaining.set(faultBudget.ordinal(), count == Scope.UNBOUNDED ? count : count - 1);
        }
        boolean isAllowed = remaining.stream().allMatch(count -> count >= 0) && from.activeFaults.allows(effect.events);
        int after = isAllowed
                ? 1
                        + intern(new GlobalState(
                                monitorStatesAfter(from.monitorStates, effect.events),
                                List.copyOf(remaining),
                                from.activeFaults.after(effect.events)))
                : 0;
        successors.put(key, after);
        unverified.add(new int[] {global, effectId});
        return after;
    }

    private List<Object> monitorStatesAfter(List<Object> before, List<ObservableEvent> events) {
        var after = new ArrayList<>(before);
        for (ObservableEvent observableEvent : events) {
            for (int j = 0; j < after.size(); j++) {
                var propertyMonitor = monitors.get(j);
                if (!VIOLATED.equals(after.get(j))) {
                    var monitorState = propertyMonitor.next(after.get(j), observableEvent);
                    boolean always = properties.get(j).when() == Property.When.ALWAYS;
                    after.set(j, always && !propertyMonitor.holds(monitorState) ? VIOLATED : monitorState);
                }
            }
        }
        return List.copyOf(after);
    }

    private int intern(GlobalState globalState) {
        int id = globalStates.intern(globalState);
        if (id == violations.length) {
            violations = Arrays.copyOf(violations, 2 * id);
            activeFaults = Arrays.copyOf(activeFaults, 2 * id);
        }
        long violated = 0;
        long ifQuiescent = 0;
        for (int j = 0; j < monitors.size(); j++) {
            var monitorState = globalState.monitorStates.get(j);
            if (VIOLATED.equals(monitorState)) {
                violated |= 1L << j;
            } else if (properties.get(j).when() != Property.When.ALWAYS
                    && !monitors.get(j).holds(monitorState)) {
                ifQuiescent |= 1L << j;
            }
        }
        activeFaults[id] = globalState.activeFaults;
        violations[id] = violated << 32 | ifQuiescent;
        return id;
    }
}
