package habemus.lab.mutation;

import habemus.check.model.Schedule;
import habemus.smallscope.SmallScope;
import java.util.OptionalInt;

/**
 * A run that kills a mutant: a schedule in a scope in which the original algorithm violates nothing.
 *
 * @param loop the number of moves after which the others repeat forever; empty for a finite run
 */
public record KillingRun(Mutant mutant, SmallScope smallScope, Schedule schedule, OptionalInt loop) {

    public int steps() {
        return schedule.size();
    }

    /** Whether no killing run in this scope is shorter. Unknown for infinite runs, so false. */
    public boolean isShortest() {
        return loop.isEmpty();
    }
}
