package habemus.service.trace;

import habemus.protocol.NodeId;
import habemus.world.Problem;

/**
 * Whose trace it is.
 *
 * @param algorithm the algorithm with its options
 * @param nodeCount how many the cluster has
 */
public record TraceHeader(
        Problem problem, String group, String algorithm, int nodeCount, NodeId node, long incarnation) {}
