package habemus.service.server;

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
        Duration maxLease) {

    public static final ServerLimits DEFAULT = new ServerLimits(
            25_000, 20_000, 10_000, 10_000, 10_000, 100, 200, Duration.ofSeconds(1), Duration.ofMinutes(10));

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
                maxLease);
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
                maxLease);
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
                maxLease);
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
                max);
    }
}
