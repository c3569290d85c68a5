package habemus.lab.mutation;

import habemus.check.model.Schedule;
import habemus.smallscope.GuaranteeScope;
import java.util.OptionalInt;

/**
 * What a mutant dies of: in this world, which the algorithm itself survives, by these moves.
 *
 * @param loop after how many moves the rest of them happens again and again, if the run has no end
 */
public record KillingRun(Mutant mutant, GuaranteeScope guaranteeScope, Schedule schedule, OptionalInt loop) {

    public int steps() {
        return schedule.size();
    }

    /** Whether no run of this world is shorter; of runs without end nobody knows. */
    public boolean isShortest() {
        return loop.isEmpty();
    }
}
