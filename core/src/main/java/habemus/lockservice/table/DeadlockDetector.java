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
 * Finds deadlocks: sessions that wait for each other in a circle.
 *
 * <p>Not every circle is one: of several who share, one may wait for nobody and leave, and that is enough. So first all
 * are let go who wait for no other session, then those who are let in thereby, and so on. Who is left will never be let
 * in, unless a session does several things at a time; that it waits for itself is therefore no deadlock.
 */
final class DeadlockDetector {

    private DeadlockDetector() {}

    static List<Deadlock> detect(LockTable lockTable) {
        var waits = new TreeMap<Long, NavigableMap<Long, Deadlock.Wait>>();
        var stuck = stuck(lockTable);
        stuck.sessions().keys().forEach(session -> waits.put(session, waitsOf(stuck, session)));
        leaveOutBystanders(waits);
        var circles = new ArrayList<Deadlock>();
        var known = new TreeSet<Long>();
        for (long session : List.copyOf(waits.navigableKeySet())) {
            if (!known.contains(session)) {
                var circle = shortest(waits, session);
                circle.forEach(wait -> known.add(wait.request().session()));
                if (!circle.isEmpty()) {
                    circles.add(new Deadlock(circle));
                }
            }
        }
        return List.copyOf(circles);
    }

    /** What is left when everybody has gone who can. */
    private static LockTable stuck(LockTable lockTable) {
        var left = lockTable;
        var free = new ArrayDeque<>(freeIn(left));
        while (!free.isEmpty()) {
            left = without(left, free.remove(), free);
            if (free.isEmpty()) {
                free.addAll(freeIn(left));
            }
        }
        return left;
    }

    private static List<Long> freeIn(LockTable lockTable) {
        return lockTable.sessions().keys().stream()
                .filter(session -> waitsOf(lockTable, session).isEmpty())
                .toList();
    }

    private static LockTable without(LockTable lockTable, long session, Deque<Long> free) {
        var applyResult = lockTable.apply(CommandBatch.of(0, new Command.ExpireSession(session, Long.MAX_VALUE)));
        for (var notification : applyResult.notifications()) {
            if (notification instanceof Notification.Result(var next, var number, OperationResult.Granted granted)
                    && waitsOf(applyResult.lockTable(), next).isEmpty()) {
                free.add(next);
            }
        }
        return applyResult.lockTable();
    }

    /** Of one session, by the session that it waits for: who holds what it wants, or is before it in the line. */
    private static NavigableMap<Long, Deadlock.Wait> waitsOf(LockTable lockTable, long session) {
        var waits = new TreeMap<Long, Deadlock.Wait>();
        lockTable.sessions().get(session).orElseThrow().acquires().forEach((number, acquireState) -> {
            if (acquireState instanceof AcquireState.Waiting waiting) {
                var requestId = new RequestId(session, number);
                waiting.shares()
                        .forEach(resourceShare -> inTheWayOf(lockTable, waiting, resourceShare)
                                .filter(other -> other.session() != session)
                                .forEach(other -> waits.putIfAbsent(
                                        other.session(),
                                        wait(lockTable, requestId, resourceShare.resourceName(), other))));
            }
        });
        return waits;
    }

    /** Of those before it in the line only one that waits for something else too; others wait for the same holders. */
    private static Stream<RequestId> inTheWayOf(
            LockTable lockTable, AcquireState.Waiting waiting, ResourceShare resourceShare) {
        var resourceState =
                lockTable.resources().get(resourceShare.resourceName()).orElseThrow();
        var before = resourceState.queue().lowerValue(waiting.queueKey());
        if (resourceState.hasCapacityFor(resourceShare)) {
            return before.stream();
        }
        return Stream.concat(
                resourceState.holders().keys().stream(),
                before
                        .filter(requestId -> lockTable
                                        .acquireState(requestId)
                                        .orElseThrow()
                                        .shares()
                                        .size()
                                > 1)
                        .stream());
    }

    private static Deadlock.Wait wait(LockTable lockTable, RequestId requestId, ResourceName wanted, RequestId other) {
        return new Deadlock.Wait(person(lockTable, requestId), requestId, wanted, person(lockTable, other), other);
    }

    private static ClientInfo person(LockTable lockTable, RequestId requestId) {
        return lockTable.sessions().get(requestId.session()).orElseThrow().client();
    }

    /** Nobody waits for them, or only those for whom nobody does. */
    private static void leaveOutBystanders(NavigableMap<Long, NavigableMap<Long, Deadlock.Wait>> waits) {
        var awaited = new TreeMap<Long, Integer>();
        waits.values().forEach(each -> each.navigableKeySet().forEach(other -> awaited.merge(other, 1, Integer::sum)));
        var bystanders = new ArrayDeque<>(waits.navigableKeySet());
        bystanders.removeIf(awaited::containsKey);
        while (!bystanders.isEmpty()) {
            for (long other : requireNonNull(waits.remove(bystanders.remove())).navigableKeySet()) {
                if (awaited.merge(other, -1, Integer::sum) == 0) {
                    bystanders.add(other);
                }
            }
        }
    }

    /** The shortest way back to it; empty if there is none. */
    private static List<Deadlock.Wait> shortest(
            NavigableMap<Long, NavigableMap<Long, Deadlock.Wait>> waits, long session) {
        var ways = new ArrayDeque<List<Deadlock.Wait>>();
        var seen = new TreeSet<Long>();
        ways.add(List.of());
        while (!ways.isEmpty()) {
            var way = ways.remove();
            long at = way.isEmpty() ? session : way.getLast().blockingRequest().session();
            for (var wait : waits.getOrDefault(at, new TreeMap<>()).values()) {
                long next = wait.blockingRequest().session();
                if (next == session || seen.add(next)) {
                    var longer = new ArrayList<>(way);
                    longer.add(wait);
                    if (next == session) {
                        return List.copyOf(longer);
                    }
                    ways.add(longer);
                }
            }
        }
        return List.of();
    }
}
