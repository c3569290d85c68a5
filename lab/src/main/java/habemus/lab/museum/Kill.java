package habemus.lab.museum;

import habemus.check.Schedule;
import habemus.small.PromisedWorld;
import java.util.OptionalInt;

/**
 * What a mutant dies of: in this world, which the algorithm itself survives, by these moves.
 *
 * @param loop after how many moves the rest of them happens again and again, if the run has no end
 */
public record Kill(Mutant mutant, PromisedWorld world, Schedule schedule, OptionalInt loop) {

    public int steps() {
        return schedule.size();
    }

    /** Whether no run of this world is shorter; of runs without end nobody knows. */
    public boolean isShortest() {
        return loop.isEmpty();
    }
}
