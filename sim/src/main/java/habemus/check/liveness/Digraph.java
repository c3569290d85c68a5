package habemus.check.liveness;

/** A directed graph of states, given by number. */
interface Digraph {

    /** A bound on the numbers; a number below it without a state has no edges. */
    int size();

    /** The number of edges from a state. */
    int degree(int state);

    /** The target of an edge, given by its index among the edges of the state. */
    int target(int state, int edge);
}
