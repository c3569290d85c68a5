package habemus.service.record;

import habemus.protocol.NodeId;
import habemus.world.Problem;

/**
 * Whose trace it is.
 *
 * @param recipe the algorithm with its options
 * @param nodes how many the cluster has
 */
public record TraceHead(Problem problem, String group, String recipe, int nodes, NodeId node, long incarnation) {}
