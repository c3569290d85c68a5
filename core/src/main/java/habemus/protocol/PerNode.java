package habemus.protocol;

/** What a state holds about one node. A list of these is ordered by node, so that the order says nothing. */
public interface PerNode {

    NodeId node();
}
