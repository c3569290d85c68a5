package habemus.check;

import java.util.Set;

/** What the world owes a run: whatever is due for ever is done at some time. */
interface Fairness {

    /** What is due in a state. */
    Set<Duty> due(int state);

    /** What a step does of that, or puts off for a good reason. */
    Set<Duty> done(int state, int step);
}
