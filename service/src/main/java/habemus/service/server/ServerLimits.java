package habemus.service.server;

import habemus.lockservice.Quotas;
import habemus.lockservice.Usage;
import java.time.Duration;

/**
 * The limits of one node. The node rejects requests beyond them; grants that exist are not affected.
 *
 * @param connections open at the same time
 * @param sessions whose client is connected to this node
 * @param waitersPerResource in the queue of one lock, semaphore or election
 * @param acquiresPerSession that a session holds or waits for
 * @param requestWindow requests of a session from the oldest without a result to the newest
 * @param sharesPerRequest of one acquire, such as the locks of a multi-lock
 * @param nameLength in characters, of a resource or a client
 * @param minLease the shortest lease of a session
 * @param maxLease the longest lease of a session
 * @param quotas of the whole lock table, which the leader sets
 */
public record ServerLimits(
        int connections,
        int sessions,
        int waitersPerResource,
        int acquiresPerSession,
        int requestWindow,
        int sharesPerRequest,
        int nameLength,
        Duration minLease,
        Duration maxLease,
        Quotas quotas) {

    /** The same for every heap. */
    public static final ServerLimits DEFAULT = new ServerLimits(
            25_000,
            20_000,
            10_000,
            10_000,
            10_000,
            100,
            200,
            Duration.ofSeconds(1),
            Duration.ofMinutes(10),
            quotasFor(1L << 32));

    /**
     * The share of the heap that the lock table may use. At a start, the node needs several times the memory of its
     * table: for the bytes of the snapshot, for the values read from them, and for the table itself.
     */
    private static final int HEAP_PART = 5;

    /**
     * {@return the default quotas of a node with this heap} A principal may use half of each quota.
     *
     * @param heapBytes the largest size of the heap
     */
    public static Quotas quotasFor(long heapBytes) {
        return new Quotas(
                new Usage(200_000, 4_000_000, 2_000_000, heapBytes / HEAP_PART),
                new Usage(100_000, 2_000_000, 1_000_000, heapBytes / HEAP_PART / 2));
    }

    public ServerLimits withConnections(int max) {
        return new ServerLimits(
                max,
                sessions,
                waitersPerResource,
                acquiresPerSession,
                requestWindow,
                sharesPerRequest,
                nameLength,
                minLease,
                maxLease,
                quotas);
    }

    public ServerLimits withWaitersPerResource(int max) {
        return new ServerLimits(
                connections,
                sessions,
                max,
                acquiresPerSession,
                requestWindow,
                sharesPerRequest,
                nameLength,
                minLease,
                maxLease,
                quotas);
    }

    public ServerLimits withAcquiresPerSession(int max) {
        return new ServerLimits(
                connections,
                sessions,
                waitersPerResource,
                max,
                requestWindow,
                sharesPerRequest,
                nameLength,
                minLease,
                maxLease,
                quotas);
    }

    public ServerLimits withLeases(Duration min, Duration max) {
        return new ServerLimits(
                connections,
                sessions,
                waitersPerResource,
                acquiresPerSession,
                requestWindow,
                sharesPerRequest,
                nameLength,
                min,
                max,
                quotas);
    }

    public ServerLimits withQuotas(Quotas newQuotas) {
        return new ServerLimits(
                connections,
                sessions,
                waitersPerResource,
                acquiresPerSession,
                requestWindow,
                sharesPerRequest,
                nameLength,
                minLease,
                maxLease,
                newQuotas);
    }
}
