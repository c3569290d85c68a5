package habemus.lab.matrix;

import habemus.check.model.Schedule;
import habemus.smallscope.SmallScopes;
import java.util.Comparator;
import java.util.OptionalInt;

/**
 * What was found of a property in a cell.
 *
 * @param property its name, or that of a bug
 * @param size of the world: the largest in which it holds, or the one of the run
 * @param run the shortest that shows it; empty if none does
 */
public record CellFinding(String property, CellVerdict cellVerdict, SmallScopes.Size size, Run run) {

    /** Those of short runs first, and of these those of small worlds. */
    static final Comparator<CellFinding> SHORTEST_FIRST = Comparator.comparingInt(
                    (CellFinding cellFinding) -> cellFinding.run.steps)
            .thenComparing(
                    CellFinding::size,
                    Comparator.comparingInt(SmallScopes.Size::nodes).thenComparingInt(SmallScopes.Size::entries));

    /**
     * A run, to be played again.
     *
     * @param loop after how many steps the rest of it happens again and again, for ever
     */
    public record Run(int steps, Schedule schedule, OptionalInt loop) {

        static final Run NONE = new Run(0, Schedule.EMPTY, OptionalInt.empty());
    }
}
