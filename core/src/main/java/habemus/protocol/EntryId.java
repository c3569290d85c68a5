package habemus.protocol;

/** The index and the term of a log entry: together they identify it, and everything before it (log matching). */
public record EntryId(long index, long term) implements Comparable<EntryId> {

    /** Raft's order of logs by their last entry: the later term wins, then the longer log. */
    @Override
    public int compareTo(EntryId other) {
        return term != other.term ? Long.compare(term, other.term) : Long.compare(index, other.index);
    }

    @Override
    public String toString() {
        return index + "@" + term;
    }
}
