package habemus.check.liveness;

/** States by number, and the steps after each by their place. */
interface Digraph {

    /** More than any number of a state; a number that is no state's has no steps. */
    int size();

    /** How many steps lead from a state. */
    int degree(int state);

    /** Where one of them leads. */
    int target(int state, int step);
}
