package habemus.lockservice.table;

/**
 * A place in line: who has the higher rank comes first, and then who came first.
 *
 * @param index of the command by which it was asked for: the same in every line, so that no two wait for each other
 */
public record QueueKey(int rank, long index) implements Comparable<QueueKey> {

    @Override
    public int compareTo(QueueKey other) {
        return rank != other.rank ? Integer.compare(other.rank, rank) : Long.compare(index, other.index);
    }
}
