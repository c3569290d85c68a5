package habemus.check.model;

import habemus.world.Property;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result of playing a schedule.
 *
 * @param trace the events of the run, one move a microsecond
 * @param quiescent whether the run may end after the last move
 * @param bug the message of the failed step that ended the run
 */
public record ReplayResult(Schedule schedule, List<TraceEvent> trace, boolean quiescent, Optional<String> bug) {

    public ReplayResult {
        trace = List.copyOf(trace);
    }

    /** The trace, with the violation as the last event even if only the endless continuation shows it. */
    public List<TraceEvent> traceWithViolation(String name) {
        var missing = Property.find(name)
                .filter(property -> trace.stream()
                        .noneMatch(event ->
                                event instanceof TraceEvent.Violated violated && violated.property() == property));
        var all = new ArrayList<>(trace);
        missing.ifPresent(
                property -> all.add(new TraceEvent.Violated(trace.getLast().at(), property)));
        return all;
    }
}
