package habemus.protocol;

/** A Lamport timestamp. Ties go to the lower node number, so stamps of different nodes are never equal. */
public record Stamp(long time, NodeId node) implements Comparable<Stamp> {

    public boolean isBefore(Stamp other) {
        return compareTo(other) < 0;
    }

    /** A number with the same order as the stamps. Valid up to time 2^43: 278 years at 1,000 ticks a second. */
    public long asFence() {
        return time * NodeId.LIMIT + node.number();
    }

    @Override
    public int compareTo(Stamp other) {
        int byTime = Long.compare(time, other.time);
        return byTime != 0 ? byTime : node.compareTo(other.node);
    }

    @Override
    public String toString() {
        return time + "@" + node;
    }
}
