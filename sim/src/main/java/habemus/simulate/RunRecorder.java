package habemus.simulate;

import habemus.protocol.Envelope;
import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import habemus.world.MessageFault;
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

/** Records a run: counts messages and events, feeds the property monitors, writes the trace if there is one. */
final class RunRecorder {

    private static final long MIN_QUIET_MICROS = 15_000_000; // longer than any election takes
    private static final long MAX_SILENCE_MICROS = 60_000_000; // of a log that has not converged
    private static final int QUIET_TIMER_PERIODS = 4; // timeouts of the longest timer before a run is quiet
    private static final int QUIET_STEPS_PER_NODE = 100; // a run that waits for one distant timer is not quiet

    private final Problem problem;
    private final @Nullable MonitorSet monitors;
    private final MonitorSet progress; // of a replicated log: the monitors themselves, if there are any
    private final @Nullable Consumer<TraceEvent> trace;
    private final List<TraceEvent> held = new ArrayList<>(); // until the step that caused them is recorded
    private boolean holding;
    private final List<RunResult.GrantRecord> grants = new ArrayList<>();
    private final List<RunResult.LeaderAnnouncement> announcements = new ArrayList<>();
    private final List<RunResult.SuspicionChange> suspicionChanges = new ArrayList<>();
    private Class<?>[] types = {};
    private long[] counts = {};
    private final LogCoverage coverage = new LogCoverage();
    private final LogSummaryCollector log = new LogSummaryCollector();
    private boolean violated;
    private final Workload.Writing writing;
    private ProtectedResource resource;
    private long heartbeats;
    long steps;
    long idleSteps; // consecutive steps without scheduled inputs that did not change the state
    private long lastObservedAt; // time of the last observable event
    private long stepsSince; // steps since then
    private long longestTimer;
    long lastStepAt; // cancelled timers are not steps
    long entries;
    long elections;

    RunRecorder(
            Problem problem,
            @Nullable MonitorSet monitors,
            @Nullable Consumer<TraceEvent> trace,
            Workload.Writing writing) {
        this.problem = problem;
        this.monitors = monitors;
        progress = monitors != null ? monitors : MonitorSet.ofProgress();
        this.trace = trace;
        this.writing = writing;
        resource = ProtectedResource.initial(writing == Workload.Writing.FENCED);
    }

    boolean isTracing() {
        return trace != null;
    }

    boolean hasViolation() {
        return violated;
    }

    boolean hasMonitors() {
        return monitors != null;
    }

    /** Counts a message by the type of its content. */
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

    /** The end of a run without scheduled inputs and waiters, or null if the run is not quiescent yet. */
    RunResult.@Nullable End quiescentEnd(int nodes) {
        if (idleSteps > nodes && problem == Problem.MUTEX) {
            return RunResult.End.IDLE; // messages in flight have visited every node without effect
        }
        long timers = QUIET_TIMER_PERIODS * longestTimer;
        if (problem == Problem.LOG) {
            long silence = lastStepAt - lastObservedAt;
            boolean isQuiet = silence > timers && (progress.holds(Property.PROGRESS) || silence > MAX_SILENCE_MICROS);
            return isQuiet ? RunResult.End.QUIET : null;
        }
        long quiet = Math.max(MIN_QUIET_MICROS, timers);
        return stepsSince > (long) QUIET_STEPS_PER_NODE * nodes && lastStepAt - lastObservedAt > quiet
                ? RunResult.End.QUIET
                : null;
    }

    /** @param micros the longest time until the timeout */
    void onTimerSet(long micros) {
        longestTimer = Math.max(longestTimer, micros);
    }

    void observe(long at, ObservableEvent event) {
        lastObservedAt = at;
        stepsSince = 0;
        if (problem == Problem.LOG) {
            coverage.observe(event);
        }
        switch (event) {
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
        if (problem == Problem.LOG) {
            log.observe(event);
        }
        recordEvent(new TraceEvent.Observed(at, event));
        if (monitors != null) {
            for (Property property : monitors.observe(event)) {
                violated = true;
                recordEvent(new TraceEvent.Violated(at, property));
            }
        } else if (problem == Problem.LOG) {
            progress.observe(event);
        }
    }

    private void addSuspicionChange(RunResult.SuspicionChange change) {
        if (suspicionChanges.size() < RunResult.MAX_LISTED) {
            suspicionChanges.add(change);
        }
    }

    /** Records a write to the protected resource, if the workload has writes. */
    void recordResourceWrite(long at, NodeId node, long fence) {
        if (writing != Workload.Writing.NONE) {
            recordEvent(new TraceEvent.Wrote(at, node, fence, resource.accepts(fence)));
            resource = resource.afterWrite(fence);
        }
    }

    void recordEvent(TraceEvent event) {
        if (holding) {
            held.add(event);
        } else if (trace != null) {
            trace.accept(event);
        }
    }

    /**
     * Begins a step. The events that it causes are held until {@link #endStep}, because the step comes before them in
     * the trace.
     *
     * @param matters whether inputs are still scheduled or the step changes the state
     */
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

    /** The result of the run. */
    RunResult result(
            RunResult.End end,
            List<RunResult.Waiter> waiters,
            List<MessageFault> faultsWithoutEffect,
            @Nullable String bug) {
        boolean converged = switch (end) {
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
                waiters,
                coverage.counts(),
                resource,
                log.summary(),
                monitors == null ? 0 : monitors.largestBypass(),
                monitors == null ? Map.of() : monitors.verdicts(converged),
                faultsWithoutEffect,
                bug);
    }
}
