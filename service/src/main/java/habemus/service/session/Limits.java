package habemus.service.session;

import java.time.Duration;

/**
 * How much of everything one node serves. What is beyond is refused, with a word that says so; nothing that was
 * promised before is touched.
 *
 * @param connections that are open at the same time
 * @param sessions that clients of this node have
 * @param waiters in the line of one lock
 * @param claims that one session has: what it holds and what it waits for
 * @param window requests of a session from the first whose answer it does not have to the last
 * @param wants of one request
 * @param name characters of a name, of a lock or a person
 * @param leaseMin the shortest lease
 * @param leaseMax the longest
 */
public record Limits(
        int connections,
        int sessions,
        int waiters,
        int claims,
        int window,
        int wants,
        int name,
        Duration leaseMin,
        Duration leaseMax) {

    public static final Limits STANDARD =
            new Limits(25_000, 20_000, 10_000, 10_000, 10_000, 100, 200, Duration.ofSeconds(1), Duration.ofMinutes(10));

    public Limits sessions(int most) {
        return new Limits(connections, most, waiters, claims, window, wants, name, leaseMin, leaseMax);
    }

    public Limits connections(int most) {
        return new Limits(most, sessions, waiters, claims, window, wants, name, leaseMin, leaseMax);
    }

    public Limits waiters(int most) {
        return new Limits(connections, sessions, most, claims, window, wants, name, leaseMin, leaseMax);
    }

    public Limits claims(int most) {
        return new Limits(connections, sessions, waiters, most, window, wants, name, leaseMin, leaseMax);
    }

    public Limits leases(Duration shortest, Duration longest) {
        return new Limits(connections, sessions, waiters, claims, window, wants, name, shortest, longest);
    }
}
