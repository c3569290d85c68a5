package habemus.check.liveness;

/**
 * Something that happens at some time if it is possible all the time. A message is delivered, a holder releases the
 * lock, a timer fires. A detector reports a crash or a restart, a partition heals, a paused node resumes.
 *
 * @param node the index of the node at which it happens
 * @param subject the sender of the link or the message, or the event, or the kind of an action without an event
 */
record FairnessObligation(int node, Object subject) {}
