package habemus.check.store;

/** A transition, and the index of the node that makes it. */
public record NodeTransition(int node, Transition transition) {}
