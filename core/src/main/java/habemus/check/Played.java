package habemus.check;

import habemus.world.TraceLine;
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
}
