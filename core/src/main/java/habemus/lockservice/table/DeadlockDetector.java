package habemus.lockservice.table;

import static java.util.Objects.requireNonNull;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Deadlock;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds deadlocks: cycles of sessions that wait for each other.
 *
 * <p>Not every waits-for cycle is a deadlock. Of several readers, one may wait for no other session and release, and
 * then the cycle is broken. So the detector works on a copy of the table. It expires all sessions that wait for no
 * other session, then those that are granted by that, and so on. The remaining sessions can never be granted.
 *
 * <p>A session that waits for itself is no deadlock, because its client may use it from several threads.
 */
final class DeadlockDetector {

    private DeadlockDetector() {}

    static List<Deadlock> detect(LockTable table) {
        var waits = new TreeMap<Long, NavigableMap<Long, Deadlock.Wait>>();
        var blocked = blocked(table);
        blocked.sessions().keys().forEach(session -> waits.put(session, waitsOf(blocked, session)));
        removeUnawaited(waits);
        var deadlocks = new ArrayList<Deadlock>();
        var reported = new TreeSet<Long>();
        for (long session : List.copyOf(waits.navigableKeySet())) {
            if (!reported.contains(session)) {
                var cycle = shortestCycle(waits, session);
                cycle.forEach(wait -> reported.add(wait.request().session()));
                if (!cycle.isEmpty()) {
                    deadlocks.add(new Deadlock(cycle));
                }
            }
        }
        return List.copyOf(deadlocks);
    }

    /** The table after all sessions that are not blocked have expired. */
    private static LockTable blocked(LockTable table) {
        var remaining = table;
        var unblocked = new ArrayDeque<>(unblockedSessions(remaining));
        while (!unblocked.isEmpty()) {
            remaining = without(remaining, unblocked.remove(), unblocked);
            if (unblocked.isEmpty()) {
                unblocked.addAll(unblockedSessions(remaining));
            }
        }
        return remaining;
    }

    private static List<Long> unblockedSessions(LockTable table) {
        return table.sessions().keys().stream()
                .filter(session -> waitsOf(table, session).isEmpty())
                .toList();
    }

    private static LockTable without(LockTable table, long session, Deque<Long> unblocked) {
        var applied = table.apply(CommandBatch.of(0, new Command.ExpireSession(session, Long.MAX_VALUE)));
        for (var notification : applied.notifications()) {
            if (notification instanceof Notification.Result(var next, var number, OperationResult.Granted granted)
                    && waitsOf(applied.table(), next).isEmpty()) {
                unblocked.add(next);
            }
        }
        return applied.table();
    }

    /** The waits of one session, by the session that blocks it. */
    private static NavigableMap<Long, Deadlock.Wait> waitsOf(LockTable table, long session) {
        var waits = new TreeMap<Long, Deadlock.Wait>();
        table.sessions().get(session).orElseThrow().acquires().forEach((number, state) -> {
            if (state instanceof AcquireState.Waiting waiting) {
                var request = new RequestId(session, number);
                waiting.shares()
                        .forEach(share -> blockersOf(table, waiting, share)
                                .filter(other -> other.session() != session)
                                .forEach(other ->
                                        waits.putIfAbsent(other.session(), wait(table, request, share.name(), other))));
            }
        });
        return waits;
    }

    /**
     * The holders, and the request ahead in the queue if it waits for another resource too. Other requests ahead wait
     * for the same holders.
     */
    private static Stream<RequestId> blockersOf(LockTable table, AcquireState.Waiting waiting, ResourceShare share) {
        var resource = table.resources().get(share.name()).orElseThrow();
        var ahead = resource.queue().lowerValue(waiting.queueKey());
        if (resource.hasCapacityFor(share)) {
            return ahead.stream();
        }
        return Stream.concat(
                resource.holders().keys().stream(),
                ahead
                        .filter(request -> table.acquireState(request)
                                        .orElseThrow()
                                        .shares()
                                        .size()
                                > 1)
                        .stream());
    }

    private static Deadlock.Wait wait(LockTable table, RequestId request, ResourceName resource, RequestId other) {
        return new Deadlock.Wait(client(table, request), request, resource, client(table, other), other);
    }

    private static ClientInfo client(LockTable table, RequestId request) {
        return table.sessions().get(request.session()).orElseThrow().client();
    }

    /** Removes the sessions for which no other session waits, repeatedly: they are in no cycle. */
    private static void removeUnawaited(NavigableMap<Long, NavigableMap<Long, Deadlock.Wait>> waits) {
        var awaited = new TreeMap<Long, Integer>();
        waits.values()
                .forEach(
                        blockers -> blockers.navigableKeySet().forEach(other -> awaited.merge(other, 1, Integer::sum)));
        var unawaited = new ArrayDeque<>(waits.navigableKeySet());
        unawaited.removeIf(awaited::containsKey);
        while (!unawaited.isEmpty()) {
            for (long other : requireNonNull(waits.remove(unawaited.remove())).navigableKeySet()) {
                if (awaited.merge(other, -1, Integer::sum) == 0) {
                    unawaited.add(other);
                }
            }
        }
    }

    /** The shortest cycle through a session, found by breadth-first search; empty if there is none. */
    private static List<Deadlock.Wait> shortestCycle(
            NavigableMap<Long, NavigableMap<Long, Deadlock.Wait>> waits, long session) {
        var paths = new ArrayDeque<List<Deadlock.Wait>>();
        var seen = new TreeSet<Long>();
        paths.add(List.of());
        while (!paths.isEmpty()) {
            var path = paths.remove();
            long last =
                    path.isEmpty() ? session : path.getLast().blockingRequest().session();
            for (var wait : waits.getOrDefault(last, new TreeMap<>()).values()) {
                long next = wait.blockingRequest().session();
                if (next == session || seen.add(next)) {
                    var extended = new ArrayList<>(path);
                    extended.add(wait);
                    if (next == session) {
                        return List.copyOf(extended);
                    }
                    paths.add(extended);
                }
            }
        }
        return List.of();
    }
}
