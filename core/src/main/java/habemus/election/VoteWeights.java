package habemus.election;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * How much each vote counts.
 *
 * @param listed those of n1, n2 …; whoever is not listed weighs 1, and who weighs 0 may vote, which counts for nothing
 */
public record VoteWeights(List<Long> listed) {

    public static final VoteWeights EQUAL = new VoteWeights(List.of());

    private static final long MAX_WEIGHT = 1_000_000_000;

    public VoteWeights {
        listed = List.copyOf(listed);
    }

    /**
     * Everybody there.
     *
     * @throws IllegalArgumentException if there are more weights than nodes, or weights that make no majority
     */
    public NodeSet voters(Neighbourhood neighbourhood) {
        var all = neighbourhood.peers().with(neighbourhood.self());
        int highest = all.toList().getLast().number();
        require(listed.size() <= highest, listed.size() + " weights, but the last node is n" + highest);
        require(
                listed.stream().allMatch(weight -> weight >= 0 && weight <= MAX_WEIGHT),
                "a weight is from 0 to " + MAX_WEIGHT + ", unlike one of " + this);
        require(sum(all) > 0, "somebody must have a weight, or nobody can be elected");
        return all;
    }

    /** Whether these weigh more than half, so that any two majorities share somebody. */
    public boolean isMajority(NodeSet some, NodeSet voters) {
        return 2 * sum(some) > sum(voters);
    }

    private long sum(NodeSet some) {
        long sum = 0;
        for (NodeId node : some) {
            sum += node.number() <= listed.size() ? listed.get(node.number() - 1) : 1;
        }
        return sum;
    }

    /** What {@code toString} writes: {@code equal}, or numbers between commas. */
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

    private static void require(boolean sensible, String otherwise) {
        if (!sensible) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
