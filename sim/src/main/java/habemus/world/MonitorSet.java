package habemus.world;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The judges of one run, and what each has seen so far. */
public final class MonitorSet {

    private final List<PropertyMonitor<Object>> propertyMonitors = new ArrayList<>();
    private final Object[] states;
    private final boolean[] violated;
    private final OptionalInt bypassBound;
    private final boolean causal;

    /** @param bypassBound how often one who waits may be passed, if there is such a bound */
    public MonitorSet(Problem problem, World world, OptionalInt bypassBound) {
        this(Property.of(problem), world, bypassBound);
    }

    /** One that judges only these. */
    public MonitorSet(List<Property> properties, World world, OptionalInt bypassBound) {
        this.bypassBound = bypassBound;
        causal = world.topology().highestNumber() <= CausalityTracker.MAX_NODES;
        properties.forEach(property -> propertyMonitors.add(erased(monitor(property, world, bypassBound))));
        states = propertyMonitors.stream().map(PropertyMonitor::initialState).toArray();
        violated = new boolean[states.length];
    }

    /** The judge of one property, as a pure machine. */
    public static PropertyMonitor<?> monitor(Property property, World world, OptionalInt bypassBound) {
        return switch (property) {
            case MUTUAL_EXCLUSION -> new MutexMonitors.MutualExclusion();
            case DEADLOCK_FREEDOM -> new MutexMonitors.DeadlockFreedom();
            case NO_STARVATION -> new MutexMonitors.NoStarvation();
            case HAPPENED_BEFORE_ORDER -> new MutexMonitors.HappenedBeforeOrder();
            case BOUNDED_WAITING -> new MutexMonitors.BoundedWaiting(bypassBound.orElse(Integer.MAX_VALUE));
            case FENCES_GROW -> new MutexMonitors.FencesGrow();
            case NOTIFIED_BEFORE_REGRANTED -> new MutexMonitors.NotifiedBeforeRegranted();
            case TERMINATION -> new ElectionMonitors.Termination();
            case UNIQUENESS -> new ElectionMonitors.Uniqueness();
            case ONE_LEADER_PER_TERM -> new ElectionMonitors.OneLeaderPerTerm();
            case AGREEMENT -> new ElectionMonitors.Agreement(world.topology().size());
            case BEST_WINS -> new ElectionMonitors.BestWins(world);
            case STABILITY -> new ElectionMonitors.Stability();
            case COMPLETENESS -> new DetectorMonitors.Completeness(world.topology());
            case ACCURACY -> new DetectorMonitors.Accuracy(world.topology());
            case EVENTUAL_ACCURACY -> new DetectorMonitors.EventualAccuracy();
        };
    }

    @SuppressWarnings("unchecked") // a judge is only ever shown a mind of its own making
    private static PropertyMonitor<Object> erased(PropertyMonitor<?> propertyMonitor) {
        return (PropertyMonitor<Object>) propertyMonitor;
    }

    /** Shows the judges what happened; tells the properties that it has just violated. */
    public List<Property> observe(ObservableEvent event) {
        List<Property> violations = List.of();
        for (int j = 0; j < states.length; j++) {
            var propertyMonitor = propertyMonitors.get(j);
            states[j] = propertyMonitor.next(states[j], event);
            if (!violated[j]
                    && propertyMonitor.property().when() == Property.When.ALWAYS
                    && !propertyMonitor.holds(states[j])) {
                violated[j] = true;
                violations = append(violations, propertyMonitor.property());
            }
        }
        return violations;
    }

    private static List<Property> append(List<Property> some, Property one) {
        var more = new ArrayList<>(some);
        more.add(one);
        return more;
    }

    /** @param ended whether nothing more will happen, or it has been given time enough to settle */
    public Map<Property, Verdict> verdicts(boolean ended) {
        var verdicts = new EnumMap<Property, Verdict>(Property.class);
        for (int j = 0; j < states.length; j++) {
            var property = propertyMonitors.get(j).property();
            boolean holds = !violated[j] && propertyMonitors.get(j).holds(states[j]);
            boolean open = property.when() == Property.When.EVENTUALLY && !ended
                    || property == Property.BOUNDED_WAITING && bypassBound.isEmpty()
                    || property == Property.HAPPENED_BEFORE_ORDER && !causal;
            verdicts.put(property, open ? Verdict.OPEN : holds ? Verdict.HOLDS : Verdict.VIOLATED);
        }
        return verdicts;
    }

    /** How often one who waited was passed at most. */
    public int largestBypass() {
        for (Object mind : states) {
            if (mind instanceof MutexMonitors.BoundedWaiting.MonitorState waiting) {
                return waiting.largest();
            }
        }
        return 0;
    }
}
