package habemus.world;

import habemus.protocol.NodeId;

/** A message that was sent and not yet delivered. Its number is unique within the run. */
public record InFlightMessage(long number, NodeId from, NodeId to, Object message) {}
