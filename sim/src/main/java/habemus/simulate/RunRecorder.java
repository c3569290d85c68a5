package habemus.simulate;

import habemus.protocol.Envelope;
import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import habemus.world.MonitorSet;
import habemus.world.ObservableEvent;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.ProtectedResource;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who watches a run: counts it, shows it to the judges, and writes it down if asked to. */
final class RunRecorder {

    private static final long MIN_QUIET_MICROS = 15_000_000; // longer than anybody should need to make up its mind
    private static final int QUIET_TIMER_PERIODS = 4; // the longest one may ring so often before all is quiet
    private static final int QUIET_STEPS_PER_NODE = 100; // of each node: a single alarm that is far away is not quiet

    private final Problem problem;
    private final @Nullable MonitorSet monitorSet;
    private final @Nullable Consumer<TraceEvent> trace;
    private final List<TraceEvent> held = new ArrayList<>(); // until the step that caused them is written
    private boolean holding;
    private final List<RunResult.GrantRecord> grants = new ArrayList<>();
    private final List<RunResult.LeaderAnnouncement> announcements = new ArrayList<>();
    private final List<RunResult.SuspicionChange> suspicionChanges = new ArrayList<>();
    private Class<?>[] types = {};
    private long[] counts = {};
    private boolean violated;
    private final Workload.Writing writing;
    private ProtectedResource protectedResource;
    private long heartbeats;
    long steps;
    long idleSteps; // how many steps in a row were made with nothing planned, and left their node as it was
    private long lastObservedAt; // when something was seen from outside
    private long stepsSince; // how many were made since then
    private long longestTimer; // that was set so far
    long lastStepAt; // when it was made; alarms that were calmed are no steps
    long entries;
    long elections;

    RunRecorder(
            Problem problem,
            @Nullable MonitorSet monitorSet,
            @Nullable Consumer<TraceEvent> trace,
            Workload.Writing writing) {
        this.problem = problem;
        this.monitorSet = monitorSet;
        this.trace = trace;
        this.writing = writing;
        protectedResource = ProtectedResource.initial(writing == Workload.Writing.FENCED);
    }

    boolean isTracing() {
        return trace != null;
    }

    boolean hasViolation() {
        return violated;
    }

    boolean hasMonitors() {
        return monitorSet != null;
    }

    /** A message counts as what it carries. */
    void count(Object message) {
        var content = Envelope.unwrap(message);
        if (content instanceof PeriodicMessage) {
            heartbeats++;
        } else {
            count(content.getClass());
        }
    }

    private void count(Class<?> type) {
        for (int i = 0; i < types.length; i++) {
            if (types[i] == type) {
                counts[i]++;
                return;
            }
        }
        types = Arrays.copyOf(types, types.length + 1);
        counts = Arrays.copyOf(counts, counts.length + 1);
        types[types.length - 1] = type;
        counts[counts.length - 1] = 1;
    }

    private Map<String, Long> counts() {
        var byName = new TreeMap<String, Long>();
        for (int i = 0; i < types.length; i++) {
            byName.merge(types[i].getSimpleName(), counts[i], Long::sum);
        }
        return byName;
    }

    /** How a run is about to end in which nothing is planned and nobody waits; nothing if it goes on. */
    RunResult.@Nullable End quiescentEnd(int nodes) {
        if (idleSteps > nodes && problem == Problem.MUTEX) {
            return RunResult.End.IDLE; // what is under way has come by everybody, and changes nothing
        }
        long quiet = Math.max(MIN_QUIET_MICROS, QUIET_TIMER_PERIODS * longestTimer);
        return stepsSince > (long) QUIET_STEPS_PER_NODE * nodes && lastStepAt - lastObservedAt > quiet
                ? RunResult.End.QUIET
                : null;
    }

    /** Somebody has set an alarm that rings after so long at most. */
    void onTimerSet(long micros) {
        longestTimer = Math.max(longestTimer, micros);
    }

    void observe(long at, ObservableEvent seen) {
        lastObservedAt = at;
        stepsSince = 0;
        switch (seen) {
            case ObservableEvent.Entered(var node, var fence) -> {
                if (entries++ < RunResult.MAX_LISTED) {
                    grants.add(new RunResult.GrantRecord(node, fence, at));
                }
            }
            case ObservableEvent.LeaderAnnounced(var node, var leader, var term) -> {
                if (elections++ < RunResult.MAX_LISTED) {
                    announcements.add(new RunResult.LeaderAnnouncement(node, leader, term, at));
                }
            }
            case ObservableEvent.Suspected(var node, var peer) ->
                addSuspicionChange(new RunResult.SuspicionChange(node, peer, true, at));
            case ObservableEvent.Restored(var node, var peer) ->
                addSuspicionChange(new RunResult.SuspicionChange(node, peer, false, at));
            default -> {}
        }
        recordEvent(new TraceEvent.Observed(at, seen));
        if (monitorSet != null) {
            for (Property property : monitorSet.observe(seen)) {
                violated = true;
                recordEvent(new TraceEvent.Violated(at, property));
            }
        }
    }

    private void addSuspicionChange(RunResult.SuspicionChange suspicionChange) {
        if (suspicionChanges.size() < RunResult.MAX_LISTED) {
            suspicionChanges.add(suspicionChange);
        }
    }

    /** The node writes to the resource, if there is one. */
    void recordResourceWrite(long at, NodeId node, long fence) {
        if (writing != Workload.Writing.NONE) {
            recordEvent(new TraceEvent.Wrote(at, node, fence, protectedResource.accepts(fence)));
            protectedResource = protectedResource.afterWrite(fence);
        }
    }

    void recordEvent(TraceEvent line) {
        if (holding) {
            held.add(line);
        } else if (trace != null) {
            trace.accept(line);
        }
    }

    /** What is written from now on is the consequence of a step that is written later, but belongs before it. */
    void beginStep(long at, boolean matters) {
        steps++;
        stepsSince++;
        idleSteps = matters ? 0 : idleSteps + 1;
        lastStepAt = at;
        holding = trace != null;
    }

    void endStep(TraceEvent step) {
        holding = false;
        recordEvent(step);
        held.forEach(this::recordEvent);
        held.clear();
    }

    /** What became of it all. */
    RunResult result(RunResult.End end, List<RunResult.Waiter> waiter, @Nullable String bug) {
        boolean settled = switch (end) {
            case REST, IDLE, QUIET, SETTLED -> true;
            case LIMIT, VIOLATION, LAST_MOVE, BUG -> false;
        };
        var byName = counts();
        return new RunResult(
                end,
                lastStepAt,
                steps,
                byName.values().stream().mapToLong(Long::longValue).sum(),
                byName,
                heartbeats,
                entries,
                elections,
                List.copyOf(grants),
                List.copyOf(announcements),
                List.copyOf(suspicionChanges),
                waiter,
                protectedResource,
                monitorSet == null ? 0 : monitorSet.largestBypass(),
                monitorSet == null ? Map.of() : monitorSet.verdicts(settled),
                bug);
    }
}
