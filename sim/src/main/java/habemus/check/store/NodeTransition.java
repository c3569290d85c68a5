package habemus.check.store;

/** Something that happened: a turn, and the index of the node that took it. */
public record NodeTransition(int node, Transition transition) {}
