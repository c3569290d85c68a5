package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.InFlightMessage;
import habemus.world.MonitorSet;
import habemus.world.ObservableEvent;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Computes the result of a recorded run from its trace: counts messages and events, evaluates the properties. */
public final class TraceStatistics {

    private final Problem problem;
    private final RunRecorder recorder;
    private final TreeSet<NodeId> waiting = new TreeSet<>();
    private final Map<NodeId, Object> states = new HashMap<>();

    public TraceStatistics(Problem problem, MonitorSet monitors) {
        this.problem = problem;
        recorder = new RunRecorder(problem, monitors, null, Workload.Writing.NONE);
    }

    /** @param bug the message of the bug that ended the run, or null */
    public RunResult evaluate(List<TraceEvent> trace, RunResult.End end, @Nullable String bug) {
        for (TraceEvent traceEvent : trace) {
            switch (traceEvent) {
                case TraceEvent.NodeStep step -> {
                    recorder.beginStep(step.at(), true);
                    states.put(step.node(), step.state());
                    step.sent().stream().map(InFlightMessage::message).forEach(recorder::count);
                }
                case TraceEvent.Observed(var at, var event) -> {
                    recorder.observe(at, event);
                    updateWaiting(event);
                }
                default -> {}
            }
        }
        var waiters = waiting.stream()
                .map(node -> new RunResult.Waiter(node, states.getOrDefault(node, "")))
                .toList();
        return recorder.result(end, waiters, List.of(), bug);
    }

    private void updateWaiting(ObservableEvent event) {
        switch (event) {
            case ObservableEvent.Requested(var node, var behind)
            when problem == Problem.MUTEX || problem == Problem.THREADS -> waiting.add(node);
            case ObservableEvent.Entered(var node, var fence) -> waiting.remove(node);
            case ObservableEvent.EnteredShared(var node, var limit) -> waiting.remove(node);
            case ObservableEvent.Crashed(var node, var asking) -> waiting.remove(node);
            case ObservableEvent.Left(var node, var asking) -> waiting.remove(node);
            default -> {}
        }
    }
}
