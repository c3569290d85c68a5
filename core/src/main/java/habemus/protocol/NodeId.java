package habemus.protocol;

/**
 * The address of a node, and its identity where algorithms compare identities. Shown as {@code n1}, {@code n2} ….
 * Numbers may have gaps, as in the ring 17, 24, 1, 28.
 */
public record NodeId(int number) implements Comparable<NodeId> {

    /** Exclusive. A stamp fits into a {@code long}, and a simulated ring may have a million nodes. */
    public static final int LIMIT = 1 << 20;

    public NodeId {
        if (number < 1 || number >= LIMIT) {
            throw new IllegalArgumentException("a node number must be from 1 to " + (LIMIT - 1) + ", was " + number);
        }
    }

    public boolean isAbove(NodeId other) {
        return number > other.number;
    }

    @Override
    public int compareTo(NodeId other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return "n" + number;
    }
}
