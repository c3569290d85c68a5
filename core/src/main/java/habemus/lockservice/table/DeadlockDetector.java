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
 * Finds deadlocks: cycles of owners that wait for each other. Most sessions are an owner of their own. Sessions of the
 * same owner, as of nested commands, end together: if one of them waits, none of them releases.
 *
 * <p>Not every waits-for cycle is a deadlock. Of several readers, one may wait for no other owner and release, and then
 * the cycle is broken. So the detector works on a copy of the table. It expires all owners that wait for no other
 * owner, then those that are granted by that, and so on. The remaining owners can never be granted.
 *
 * <p>An owner that waits for itself is no deadlock, because it may use its sessions from several threads or processes.
 */
final class DeadlockDetector {

    private final NavigableMap<Long, Long> owners = new TreeMap<>(); // by session, the first session of its owner
    private final NavigableMap<Long, List<Long>> sessions = new TreeMap<>(); // by owner

    private DeadlockDetector(LockTable table) {
        var firstSessions = new TreeMap<String, Long>();
        table.sessions().forEach((session, entry) -> {
            var name = entry.client().owner();
            long owner = name.isEmpty() ? session : firstSessions.computeIfAbsent(name, any -> session);
            owners.put(session, owner);
            sessions.computeIfAbsent(owner, any -> new ArrayList<>()).add(session);
        });
    }

    static List<Deadlock> detect(LockTable table) {
        return new DeadlockDetector(table).cycles(table);
    }

    private List<Deadlock> cycles(LockTable table) {
        var waits = new TreeMap<Long, NavigableMap<Long, Deadlock.Wait>>();
        var blocked = blocked(table);
        remainingOwners(blocked).forEach(owner -> waits.put(owner, waitsOf(blocked, owner)));
        removeUnawaited(waits);
        var deadlocks = new ArrayList<Deadlock>();
        var reported = new TreeSet<Long>();
        for (long owner : List.copyOf(waits.navigableKeySet())) {
            if (!reported.contains(owner)) {
                var cycle = shortestCycle(waits, owner);
                cycle.forEach(wait -> reported.add(ownerOf(wait.request())));
                if (!cycle.isEmpty()) {
                    deadlocks.add(new Deadlock(cycle));
                }
            }
        }
        return List.copyOf(deadlocks);
    }

    private long ownerOf(RequestId request) {
        return requireNonNull(owners.get(request.session()));
    }

    private List<Long> remainingOwners(LockTable table) {
        return sessions.navigableKeySet().stream()
                .filter(table.sessions()::contains)
                .toList();
    }

    /** The table after all owners that are not blocked have expired. */
    private LockTable blocked(LockTable table) {
        var remaining = table;
        var unblocked = new ArrayDeque<>(unblockedOwners(remaining));
        while (!unblocked.isEmpty()) {
            remaining = without(remaining, unblocked.remove(), unblocked);
            if (unblocked.isEmpty()) {
                unblocked.addAll(unblockedOwners(remaining));
            }
        }
        return remaining;
    }

    private List<Long> unblockedOwners(LockTable table) {
        return remainingOwners(table).stream()
                .filter(owner -> waitsOf(table, owner).isEmpty())
                .toList();
    }

    private LockTable without(LockTable table, long owner, Deque<Long> unblocked) {
        var expired = requireNonNull(sessions.get(owner)).stream()
                .map(session -> (Command) new Command.ExpireSession(session, Long.MAX_VALUE))
                .toArray(Command[]::new);
        var applied = table.apply(CommandBatch.of(0, expired));
        for (var notification : applied.notifications()) {
            if (notification instanceof Notification.Result(var session, var number, OperationResult.Granted granted)) {
                long next = requireNonNull(owners.get(session));
                if (applied.table().sessions().contains(next)
                        && waitsOf(applied.table(), next).isEmpty()) {
                    unblocked.add(next);
                }
            }
        }
        return applied.table();
    }

    /** The waits of one owner, by the owner that blocks it. */
    private NavigableMap<Long, Deadlock.Wait> waitsOf(LockTable table, long owner) {
        var waits = new TreeMap<Long, Deadlock.Wait>();
        for (long session : requireNonNull(sessions.get(owner))) {
            table.sessions().get(session).orElseThrow().acquires().forEach((number, state) -> {
                if (state instanceof AcquireState.Waiting waiting) {
                    var request = new RequestId(session, number);
                    waiting.shares()
                            .forEach(share -> blockersOf(table, waiting, share)
                                    .filter(other -> ownerOf(other) != owner)
                                    .forEach(other -> waits.putIfAbsent(
                                            ownerOf(other), wait(table, request, share.name(), other))));
                }
            });
        }
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

    /** Removes the owners for which no other owner waits, repeatedly: they are in no cycle. */
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

    /** The shortest cycle through an owner, found by breadth-first search; empty if there is none. */
    private List<Deadlock.Wait> shortestCycle(NavigableMap<Long, NavigableMap<Long, Deadlock.Wait>> waits, long owner) {
        var paths = new ArrayDeque<List<Deadlock.Wait>>();
        var seen = new TreeSet<Long>();
        paths.add(List.of());
        while (!paths.isEmpty()) {
            var path = paths.remove();
            long last = path.isEmpty() ? owner : ownerOf(path.getLast().blockingRequest());
            for (var wait : waits.getOrDefault(last, new TreeMap<>()).values()) {
                long next = ownerOf(wait.blockingRequest());
                if (next == owner || seen.add(next)) {
                    var extended = new ArrayList<>(path);
                    extended.add(wait);
                    if (next == owner) {
                        return List.copyOf(extended);
                    }
                    paths.add(extended);
                }
            }
        }
        return List.of();
    }
}
