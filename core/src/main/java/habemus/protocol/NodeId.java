package habemus.protocol;

/**
 * A node: its address, and its identity where algorithms compare identities. Shown as {@code n1}, {@code n2} …;
 * numbers may have gaps, as in the ring 17, 24, 1, 28.
 */
public record NodeId(int number) implements Comparable<NodeId> {

    /** So that a stamp fits a {@code long}; and a ring of a million fits a simulation. */
    public static final int LIMIT = 1 << 20;

    public NodeId {
        if (number < 1 || number >= LIMIT) {
            throw new IllegalArgumentException("a node's number is from 1 to " + (LIMIT - 1) + ", not " + number);
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
