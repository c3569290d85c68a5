package habemus.protocol;

import java.util.Comparator;
import java.util.List;

/**
 * A total order of the nodes by rank (their memory or bandwidth, for example), and by number if the ranks are equal.
 *
 * @param ranks the ranks of some nodes; all other nodes have rank zero
 * @param best the end of the order at which the best node stands
 */
public record Ranking(List<Rank> ranks, Best best) {

    public record Rank(NodeId node, long value) {}

    /** Whether the highest or the lowest rank is the best, and of equal ranks the highest or the lowest number. */
    public enum Best {
        HIGHEST,
        LOWEST
    }

    /** The node with the higher number is better. */
    public static final Ranking BY_NUMBER = new Ranking(List.of());

    /** The highest rank is the best. */
    public Ranking(List<Rank> ranks) {
        this(ranks, Best.HIGHEST);
    }

    /** Sorts the ranks by node for binary search: a ranking may have a million nodes. */
    public Ranking {
        ranks = ranks.stream().sorted(Comparator.comparing(Rank::node)).toList();
    }

    public Ranking withBest(Best next) {
        return new Ranking(ranks, next);
    }

    public boolean isBetter(NodeId node, NodeId other) {
        return best == Best.HIGHEST ? isHigher(node, other) : isHigher(other, node);
    }

    private boolean isHigher(NodeId node, NodeId other) {
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
        var iterator = nodes.iterator();
        var winner = iterator.next();
        while (iterator.hasNext()) {
            var node = iterator.next();
            winner = isBetter(node, winner) ? node : winner;
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
