package habemus.check.liveness;

import java.util.List;
import java.util.Set;

/**
 * Which endless runs count: an obligation that lasts forever is discharged at some time. Random draws that are repeated
 * forever in a state have every outcome at some time.
 */
interface FairnessConstraint {

    /** The obligations of a state. */
    Set<FairnessObligation> obligations(int state);

    /** The obligations that an edge discharges, or ends for another reason. */
    Set<FairnessObligation> discharged(int state, int edge);

    /** The groups of edges between which a random draw chooses; edges without a draw are left out. */
    List<int[]> randomChoices(int state);
}
