package habemus.lockservice;

/**
 * What the lock table stores, for all principals or for one. As a limit: how much of it the table may store.
 *
 * @param sessions that are open, whether or not their clients are connected
 * @param names of locks, semaphores and elections in use; of a principal: those that its sessions hold or wait for
 * @param waiters places in queues
 * @param bytes of memory, as the lock table estimates them; equal on every node
 */
public record Usage(long sessions, long names, long waiters, long bytes) {

    public static final Usage NONE = new Usage(0, 0, 0, 0);

    /** As a limit: none. */
    public static final Usage UNLIMITED = new Usage(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    public static Usage ofNames(long names) {
        return new Usage(0, names, 0, 0);
    }

    public Usage plus(Usage other) {
        return new Usage(sessions + other.sessions, names + other.names, waiters + other.waiters, bytes + other.bytes);
    }

    public Usage minus(Usage other) {
        return new Usage(sessions - other.sessions, names - other.names, waiters - other.waiters, bytes - other.bytes);
    }
}
