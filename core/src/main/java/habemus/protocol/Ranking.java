package habemus.protocol;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Who is better: the node with the higher rank (its memory, its bandwidth, whatever was measured), and of two with
 * the same rank the one with the higher number. So no two nodes are equally good.
 *
 * @param ranks of those that have one; the others have rank zero
 */
public record Ranking(List<Rank> ranks) {

    public record Rank(NodeId node, long value) {}

    /** The higher number is better. */
    public static final Ranking BY_NUMBER = new Ranking(List.of());

    /** In the order of the nodes, so that one of a million is found soon. */
    public Ranking {
        ranks = ranks.stream().sorted(Comparator.comparing(Rank::node)).toList();
    }

    public boolean isBetter(NodeId one, NodeId other) {
        int byRank = ranks.isEmpty() ? 0 : Long.compare(rank(one), rank(other));
        return byRank != 0 ? byRank > 0 : one.isAbove(other);
    }

    /** Those of {@code nodes} that are better than {@code self}. */
    public NodeSet betterThan(NodeId self, NodeSet nodes) {
        var above = nodes;
        for (NodeId node : nodes) {
            above = isBetter(node, self) ? above : above.without(node);
        }
        return above;
    }

    /** Those of {@code nodes} that are worse than {@code self}. */
    public NodeSet worseThan(NodeId self, NodeSet nodes) {
        return nodes.without(self).without(betterThan(self, nodes));
    }

    /** @param nodes at least one */
    public NodeId best(NodeSet nodes) {
        return extreme(nodes, this::isBetter);
    }

    /** @param nodes at least one */
    public NodeId worst(NodeSet nodes) {
        return extreme(nodes, (node, worst) -> isBetter(worst, node));
    }

    private static NodeId extreme(NodeSet nodes, BiPredicate<NodeId, NodeId> before) {
        var all = nodes.iterator();
        var first = all.next();
        while (all.hasNext()) {
            var node = all.next();
            first = before.test(node, first) ? node : first;
        }
        return first;
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
