package habemus.lockservice.table;

/**
 * The position of a request in its queues: higher rank first, then arrival order.
 *
 * @param rank of a candidate in an election; zero for other resources
 * @param index of the submitting command; equal in all queues of the request, so that two requests cannot deadlock
 */
public record QueueKey(int rank, long index) implements Comparable<QueueKey> {

    @Override
    public int compareTo(QueueKey other) {
        return rank != other.rank ? Integer.compare(other.rank, rank) : Long.compare(index, other.index);
    }

    /** Shapes a {@code PersistentSortedMap}: the Java library does not specify the hash code of a record. */
    @Override
    public int hashCode() {
        return 31 * rank + Long.hashCode(index);
    }
}
