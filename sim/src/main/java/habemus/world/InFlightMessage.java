package habemus.world;

import habemus.protocol.NodeId;

/** One message under way. Its number tells it from every other one of the run. */
public record InFlightMessage(long number, NodeId from, NodeId to, Object message) {}
