package habemus.protocol;

/** A Lamport time stamp; ties between nodes go to the lower number, so no two stamps are equal. */
public record Stamp(long time, NodeId node) implements Comparable<Stamp> {

    public boolean isBefore(Stamp other) {
        return compareTo(other) < 0;
    }

    /** One number that orders as stamps do. Good for 2^43 ticks: 278 years of a thousand a second. */
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
