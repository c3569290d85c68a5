package habemus.world;

import habemus.protocol.EntryId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The property monitors of one run and their current states. */
public final class MonitorSet {

    private final List<PropertyMonitor<Object>> monitors;
    private final Object[] states;
    private final boolean[] violated;
    private final OptionalInt bypassBound;
    private final boolean causal;

    /** @param bypassBound how often other nodes may enter while one node waits, if the algorithm has such a bound */
    public MonitorSet(Problem problem, World world, OptionalInt bypassBound) {
        this(Property.of(problem), world, bypassBound);
    }

    /** Monitors these properties only. */
    public MonitorSet(List<Property> properties, World world, OptionalInt bypassBound) {
        this(
                properties.stream()
                        .<PropertyMonitor<?>>map(property -> monitor(property, world, bypassBound))
                        .toList(),
                bypassBound,
                world.topology().highestNumber() <= CausalityTracker.MAX_NODES);
    }

    private MonitorSet(List<PropertyMonitor<?>> monitors, OptionalInt bypassBound, boolean causal) {
        this.monitors = monitors.stream().map(MonitorSet::erased).toList();
        this.bypassBound = bypassBound;
        this.causal = causal;
        states = this.monitors.stream().map(PropertyMonitor::initialState).toArray();
        violated = new boolean[states.length];
    }

    /** Monitors only the progress of a replicated log, which needs nothing of the world. */
    public static MonitorSet ofProgress() {
        return new MonitorSet(List.of(new LogProgress()), OptionalInt.empty(), false);
    }

    /**
     * Monitors the safety of a log that was not observed from its first entry on.
     *
     * @param base the last entry that is unknown
     */
    public static MonitorSet ofRecordedLog(EntryId base, SnapshotCheck snapshotCheck) {
        var first = LogMonitors.startingAfter(base);
        return new MonitorSet(
                List.of(
                        new LogMonitors.ElectionSafety(),
                        new LogMonitors.LeaderAppendOnly(),
                        new LogMonitors.LogMatching(),
                        new LogMonitors.LeaderCompleteness(first),
                        new LogMonitors.StateMachineSafety(first, snapshotCheck),
                        new LogMonitors.CommittedStays(first),
                        new ConfigurationSafety(),
                        new LogMonitors.OneApplication()),
                OptionalInt.empty(),
                false);
    }

    /** Creates the monitor of one property. */
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
            case AGREEMENT ->
                new ElectionMonitors.Agreement(
                        world.topology().size() - world.joiners().size());
            case BEST_WINS -> new ElectionMonitors.BestWins(world);
            case STABILITY -> new ElectionMonitors.Stability();
            case COMPLETENESS -> new DetectorMonitors.Completeness(world.topology());
            case ACCURACY -> new DetectorMonitors.Accuracy(world.topology());
            case EVENTUAL_ACCURACY -> new DetectorMonitors.EventualAccuracy();
            case ELECTION_SAFETY -> new LogMonitors.ElectionSafety();
            case LEADER_APPEND_ONLY -> new LogMonitors.LeaderAppendOnly();
            case LOG_MATCHING -> new LogMonitors.LogMatching();
            case LEADER_COMPLETENESS -> new LogMonitors.LeaderCompleteness(LogMonitors.EMPTY);
            case STATE_MACHINE_SAFETY -> new LogMonitors.StateMachineSafety(LogMonitors.EMPTY, LogClient::isStateAt);
            case COMMITTED_STAYS -> new LogMonitors.CommittedStays(LogMonitors.EMPTY);
            case ACKNOWLEDGED_STAYS -> new LogMonitors.AcknowledgedStays();
            case READS_ARE_LINEARIZABLE -> new LogMonitors.ReadsAreLinearizable();
            case CONFIGURATION_SAFETY -> new ConfigurationSafety();
            case ONE_APPLICATION -> new LogMonitors.OneApplication();
            case LEADER_STABILITY -> new LeaderStability();
            case PROGRESS -> new LogProgress();
            case NO_LOST_UPDATE -> new ThreadMonitors.NoLostUpdate();
            case NO_LOST_WAKEUP -> new ThreadMonitors.NoLostWakeup();
            case LINEARIZABLE -> new Linearizability();
        };
    }

    @SuppressWarnings("unchecked") // each monitor only ever gets its own states
    private static PropertyMonitor<Object> erased(PropertyMonitor<?> monitor) {
        return (PropertyMonitor<Object>) monitor;
    }

    /** Passes the event to every monitor. Returns the {@code ALWAYS} properties that this event violates first. */
    public List<Property> observe(ObservableEvent event) {
        var violations = new ArrayList<Property>();
        for (int j = 0; j < states.length; j++) {
            var monitor = monitors.get(j);
            states[j] = monitor.next(states[j], event);
            if (!violated[j] && monitor.property().when() == Property.When.ALWAYS && !monitor.holds(states[j])) {
                violated[j] = true;
                violations.add(monitor.property());
            }
        }
        return violations;
    }

    /** Whether a monitored property holds in the current states. */
    public boolean holds(Property property) {
        for (int j = 0; j < states.length; j++) {
            if (monitors.get(j).property() == property) {
                return !violated[j] && monitors.get(j).holds(states[j]);
            }
        }
        throw new IllegalArgumentException(property + " is not monitored");
    }

    /** @param ended whether no further event can occur, or the run has had enough time to converge */
    public Map<Property, Verdict> verdicts(boolean ended) {
        var verdicts = new EnumMap<Property, Verdict>(Property.class);
        for (int j = 0; j < states.length; j++) {
            var property = monitors.get(j).property();
            boolean holds = !violated[j] && monitors.get(j).holds(states[j]);
            boolean open = property.when() != Property.When.ALWAYS && !ended
                    || property == Property.BOUNDED_WAITING && bypassBound.isEmpty()
                    || property == Property.HAPPENED_BEFORE_ORDER && !causal;
            verdicts.put(property, open ? Verdict.OPEN : holds ? Verdict.HOLDS : Verdict.VIOLATED);
        }
        return verdicts;
    }

    /** The largest number of entries by other nodes while one node waited. */
    public int largestBypass() {
        for (Object state : states) {
            if (state instanceof MutexMonitors.BoundedWaiting.MonitorState waiting) {
                return waiting.largestBypass();
            }
        }
        return 0;
    }
}
