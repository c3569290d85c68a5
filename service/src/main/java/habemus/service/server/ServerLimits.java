package habemus.service.server;

import java.time.Duration;

/**
 * How much of everything one node serves. What is beyond is refused, with a word that says so; nothing that was
 * promised before is touched.
 *
 * @param connections that are open at the same time
 * @param sessions that clients of this node have
 * @param waitersPerResource in the line of one lock
 * @param acquiresPerSession that one session has: what it holds and what it waits for
 * @param requestWindow requests of a session from the first whose answer it does not have to the last
 * @param sharesPerRequest of one request
 * @param nameLength characters of a name, of a lock or a person
 * @param minLease the shortest lease
 * @param maxLease the longest
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

    public ServerLimits withSessions(int most) {
        return new ServerLimits(
                connections,
                most,
                waitersPerResource,
                acquiresPerSession,
                requestWindow,
                sharesPerRequest,
                nameLength,
                minLease,
                maxLease);
    }

    public ServerLimits withConnections(int most) {
        return new ServerLimits(
                most,
                sessions,
                waitersPerResource,
                acquiresPerSession,
                requestWindow,
                sharesPerRequest,
                nameLength,
                minLease,
                maxLease);
    }

    public ServerLimits withWaitersPerResource(int most) {
        return new ServerLimits(
                connections,
                sessions,
                most,
                acquiresPerSession,
                requestWindow,
                sharesPerRequest,
                nameLength,
                minLease,
                maxLease);
    }

    public ServerLimits withAcquiresPerSession(int most) {
        return new ServerLimits(
                connections,
                sessions,
                waitersPerResource,
                most,
                requestWindow,
                sharesPerRequest,
                nameLength,
                minLease,
                maxLease);
    }

    public ServerLimits withLeases(Duration shortest, Duration longest) {
        return new ServerLimits(
                connections,
                sessions,
                waitersPerResource,
                acquiresPerSession,
                requestWindow,
                sharesPerRequest,
                nameLength,
                shortest,
                longest);
    }
}
