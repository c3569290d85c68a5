package habemus.lab.matrix;

import habemus.check.BypassGrowth;
import habemus.check.model.Schedule;
import habemus.smallscope.SmallScopes;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The verdict on one property in a cell.
 *
 * @param property the name of the property, or {@code protocol-bug}
 * @param size the largest scope in which the property holds, or the scope of the counterexample
 * @param run a shortest counterexample; {@link Run#NONE} if there is none
 * @param bypassGrowth present if and only if the verdict is {@link CellVerdict#MEASURED}
 */
public record CellFinding(
        String property, CellVerdict verdict, SmallScopes.Size size, Run run, Optional<BypassGrowth> bypassGrowth) {

    /** A finding without a largest bypass. */
    public CellFinding(String property, CellVerdict verdict, SmallScopes.Size size, Run run) {
        this(property, verdict, size, run, Optional.empty());
    }

    /** Short runs first, and among these small scopes. */
    static final Comparator<CellFinding> SHORTEST_FIRST = Comparator.comparingInt(
                    (CellFinding finding) -> finding.run.steps)
            .thenComparing(
                    CellFinding::size,
                    Comparator.comparingInt(SmallScopes.Size::nodes).thenComparingInt(SmallScopes.Size::entries));

    /**
     * A run that can be replayed.
     *
     * @param loop the number of steps after which the others repeat forever; empty for a finite run
     */
    public record Run(int steps, Schedule schedule, OptionalInt loop) {

        static final Run NONE = new Run(0, Schedule.EMPTY, OptionalInt.empty());
    }
}
