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

/** Counts and judges a run that was made elsewhere, from what is told of it. */
public final class TraceStatistics {

    private final Problem problem;
    private final RunRecorder runRecorder;
    private final TreeSet<NodeId> waiting = new TreeSet<>();
    private final Map<NodeId, Object> states = new HashMap<>();

    public TraceStatistics(Problem problem, MonitorSet monitorSet) {
        this.problem = problem;
        runRecorder = new RunRecorder(problem, monitorSet, null, Workload.Writing.NONE);
    }

    /** Of a run that has ended so, maybe by a bug. */
    public RunResult evaluate(List<TraceEvent> lines, RunResult.End end, @Nullable String bug) {
        for (TraceEvent line : lines) {
            switch (line) {
                case TraceEvent.NodeStep nodeStep -> {
                    runRecorder.beginStep(nodeStep.at(), true);
                    states.put(nodeStep.node(), nodeStep.state());
                    nodeStep.sent().stream().map(InFlightMessage::message).forEach(runRecorder::count);
                }
                case TraceEvent.Observed(var at, var observableEvent) -> {
                    runRecorder.observe(at, observableEvent);
                    updateWaiting(observableEvent);
                }
                default -> {}
            }
        }
        var left = waiting.stream()
                .map(node -> new RunResult.Waiter(node, states.getOrDefault(node, "")))
                .toList();
        return runRecorder.result(end, left, bug);
    }

    private void updateWaiting(ObservableEvent seen) {
        switch (seen) {
            case ObservableEvent.Requested(var node, var behind) when problem == Problem.MUTEX -> waiting.add(node);
            case ObservableEvent.Entered(var node, var fence) -> waiting.remove(node);
            case ObservableEvent.Crashed(var node, var asking) -> waiting.remove(node);
            default -> {}
        }
    }
}
