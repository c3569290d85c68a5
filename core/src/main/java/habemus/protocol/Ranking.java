package habemus.protocol;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * A total order of the nodes. The node with the higher rank (its memory or bandwidth, for example) is better. Of two
 * nodes with the same rank the one with the higher number is better.
 *
 * @param ranks the ranks of some nodes; all other nodes have rank zero
 */
public record Ranking(List<Rank> ranks) {

    public record Rank(NodeId node, long value) {}

    /** The node with the higher number is better. */
    public static final Ranking BY_NUMBER = new Ranking(List.of());

    /** Sorts the ranks by node for binary search: a ranking may have a million nodes. */
    public Ranking {
        ranks = ranks.stream().sorted(Comparator.comparing(Rank::node)).toList();
    }

    public boolean isBetter(NodeId node, NodeId other) {
        int byRank = ranks.isEmpty() ? 0 : Long.compare(rank(node), rank(other));
        return byRank != 0 ? byRank > 0 : node.isAbove(other);
    }

    /** The nodes among {@code nodes} that are better than {@code self}. */
    public NodeSet betterThan(NodeId self, NodeSet nodes) {
        var better = nodes;
        for (NodeId node : nodes) {
            better = isBetter(node, self) ? better : better.without(node);
        }
        return better;
    }

    /** The nodes among {@code nodes} that are worse than {@code self}. */
    public NodeSet worseThan(NodeId self, NodeSet nodes) {
        return nodes.without(self).without(betterThan(self, nodes));
    }

    /** @param nodes at least one node */
    public NodeId best(NodeSet nodes) {
        return extreme(nodes, this::isBetter);
    }

    /** @param nodes at least one node */
    public NodeId worst(NodeSet nodes) {
        return extreme(nodes, (node, worst) -> isBetter(worst, node));
    }

    private static NodeId extreme(NodeSet nodes, BiPredicate<NodeId, NodeId> beats) {
        var iterator = nodes.iterator();
        var winner = iterator.next();
        while (iterator.hasNext()) {
            var node = iterator.next();
            winner = beats.test(node, winner) ? node : winner;
        }
        return winner;
    }

    private long rank(NodeId node) {
        int from = 0;
        int to = ranks.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (node.isAbove(ranks.get(middle).node())) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from < ranks.size() && ranks.get(from).node().equals(node)
                ? ranks.get(from).value()
                : 0;
    }
}
