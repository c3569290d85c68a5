package habemus.check.liveness;

import java.util.List;
import java.util.Set;

/**
 * What the world owes a run: whatever is due for ever is done at some time. Dice are not the world's: rolled for ever
 * in a state, they fall in every way.
 */
interface FairnessConstraint {

    /** What is due in a state. */
    Set<FairnessObligation> obligations(int state);

    /** What a step does of that, or puts off for a good reason. */
    Set<FairnessObligation> discharged(int state, int step);

    /** The steps of a state among which dice choose, for each roll that the world may choose; single steps left out. */
    List<int[]> randomChoices(int state);
}
