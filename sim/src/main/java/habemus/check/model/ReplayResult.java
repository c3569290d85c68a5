package habemus.check.model;

import habemus.world.Property;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run that was made move by move.
 *
 * @param trace what happened, one move a microsecond
 * @param quiescent whether nothing must happen after it
 * @param bug what should have been impossible and happened, which ended the run
 */
public record ReplayResult(Schedule schedule, List<TraceEvent> trace, boolean quiescent, Optional<String> bug) {

    public ReplayResult {
        trace = List.copyOf(trace);
    }

    /** The lines, which end with the violation of this even if only what comes after them for ever shows it. */
    public List<TraceEvent> traceWithViolation(String name) {
        var untold = Property.find(name)
                .filter(property -> trace.stream()
                        .noneMatch(line ->
                                line instanceof TraceEvent.Violated violated && violated.property() == property));
        var all = new ArrayList<>(trace);
        untold.ifPresent(
                property -> all.add(new TraceEvent.Violated(trace.getLast().at(), property)));
        return all;
    }
}
