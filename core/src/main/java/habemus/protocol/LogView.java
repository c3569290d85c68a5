package habemus.protocol;

/**
 * What the property monitors see of a node of a replicated log.
 *
 * @param leads whether the node leads this term
 * @param commitIndex the last entry that the node knows to be committed
 * @param syncedIndex the last entry that a crash cannot take from its disk
 * @param snapshot the state of the application at the base of the log
 */
public record LogView(
        long term, boolean leads, PersistentLog log, long commitIndex, long syncedIndex, ByteString snapshot) {

    public boolean isSynced() {
        return syncedIndex == log.lastIndex();
    }

    @Override
    public String toString() {
        return (leads ? "leader " : "") + "term " + term + " " + log + " commit " + commitIndex;
    }
}
