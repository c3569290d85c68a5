package habemus.check.liveness;

/**
 * Something that happens at some time if it can happen all the time: that a message arrives, that somebody who is
 * inside leaves, that an alarm rings, that a crash or a return is noticed, that links
 * are mended, that who stands still goes on.
 *
 * @param node the index of the node at which it happens
 * @param subject the link or the letter, or the event, or what happens that is none
 */
record FairnessObligation(int node, Object subject) {}
