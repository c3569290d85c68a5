package habemus.election;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * The weight of each vote in a weighted majority.
 *
 * @param listed the weights of n1, n2 …; nodes that are not listed have weight 1, and weight 0 is allowed
 */
public record VoteWeights(List<Long> listed) {

    public static final VoteWeights EQUAL = new VoteWeights(List.of());

    private static final long MAX_WEIGHT = 1_000_000_000;

    public VoteWeights {
        listed = List.copyOf(listed);
    }

    /**
     * All nodes.
     *
     * @throws IllegalArgumentException if there are more weights than nodes, or no majority is possible
     */
    public NodeSet voters(Neighbourhood neighbourhood) {
        var all = neighbourhood.peers().with(neighbourhood.self());
        int highest = all.toList().getLast().number();
        require(
                listed.size() <= highest,
                "the number of weights must be at most " + highest + " (the last node is n" + highest + "), was "
                        + listed.size());
        require(
                listed.stream().allMatch(weight -> weight >= 0 && weight <= MAX_WEIGHT),
                "each weight must be from 0 to " + MAX_WEIGHT + ", were " + this);
        require(sum(all) > 0, "at least one weight must be positive, were " + this);
        return all;
    }

    /** Whether these nodes have more than half of the weight. Any two majorities share a node. */
    public boolean isMajority(NodeSet nodes, NodeSet voters) {
        return 2 * sum(nodes) > sum(voters);
    }

    private long sum(NodeSet nodes) {
        long sum = 0;
        for (NodeId node : nodes) {
            sum += node.number() <= listed.size() ? listed.get(node.number() - 1) : 1;
        }
        return sum;
    }

    /** Parses the result of {@code toString}: {@code equal}, or numbers separated by commas. */
    public static VoteWeights parse(String text) {
        return text.equals("equal")
                ? EQUAL
                : new VoteWeights(Stream.of(text.split(",", -1))
                        .map(number -> Long.valueOf(number.trim()))
                        .toList());
    }

    @Override
    public String toString() {
        return listed.isEmpty()
                ? "equal"
                : String.join(",", listed.stream().map(String::valueOf).toList());
    }

    private static void require(boolean isValid, String error) {
        if (!isValid) {
            throw new IllegalArgumentException(error);
        }
    }
}
