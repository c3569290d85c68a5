package habemus.check;

import habemus.world.Property;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run that was made move by move.
 *
 * @param lines what happened, one move a microsecond
 * @param atRest whether nothing must happen after it
 * @param bug what should have been impossible and happened, which ended the run
 */
public record Played(Schedule schedule, List<TraceLine> lines, boolean atRest, Optional<String> bug) {

    public Played {
        lines = List.copyOf(lines);
    }

    /** The lines, which end with the violation of this even if only what comes after them for ever shows it. */
    List<TraceLine> violating(String name) {
        var untold = Property.find(name)
                .filter(property -> lines.stream()
                        .noneMatch(line ->
                                line instanceof TraceLine.Violated violated && violated.property() == property));
        var all = new ArrayList<>(lines);
        untold.ifPresent(
                property -> all.add(new TraceLine.Violated(lines.getLast().at(), property)));
        return all;
    }
}
