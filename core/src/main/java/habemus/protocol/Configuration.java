package habemus.protocol;

/**
 * The members of a cluster.
 *
 * @param voters the nodes that elect leaders and acknowledge entries
 * @param learners the nodes that receive the log and have no vote
 */
public record Configuration(NodeSet voters, NodeSet learners) {

    public NodeSet members() {
        return voters.with(learners);
    }

    @Override
    public String toString() {
        return learners.isEmpty() ? voters.toString() : voters + "+" + learners;
    }
}
