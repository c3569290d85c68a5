package habemus.harness.site;

/** Which links between a process and the nodes are cut. */
public enum LinkCut {
    /** All links, in both directions. */
    ALL_NODES,
    /** The link to one node, in both directions. */
    ONE_NODE,
    /** The link to one node, in one direction. */
    ONE_WAY
}
