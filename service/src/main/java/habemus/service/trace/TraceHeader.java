package habemus.service.trace;

import habemus.protocol.NodeId;
import habemus.world.Problem;

/**
 * The first block of a trace file: which group and which node it is of.
 *
 * @param algorithm with its options, as on the command line
 * @param nodeCount size of the cluster
 */
public record TraceHeader(
        Problem problem, String group, String algorithm, int nodeCount, NodeId node, long incarnation) {

    public static final String FILE_SUFFIX = ".trace";
}
