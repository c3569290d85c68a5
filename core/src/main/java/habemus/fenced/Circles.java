package habemus.fenced;

import static java.util.Objects.requireNonNull;

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
final class Circles {

    private Circles() {}

    static List<Deadlock> in(Table table) {
        var waits = new TreeMap<Long, NavigableMap<Long, Deadlock.Wait>>();
        var stuck = stuck(table);
        stuck.sessions().keys().forEach(session -> waits.put(session, waitsOf(stuck, session)));
        leaveOutBystanders(waits);
        var circles = new ArrayList<Deadlock>();
        var known = new TreeSet<Long>();
        for (long session : List.copyOf(waits.navigableKeySet())) {
            if (!known.contains(session)) {
                var circle = shortest(waits, session);
                circle.forEach(wait -> known.add(wait.claim().session()));
                if (!circle.isEmpty()) {
                    circles.add(new Deadlock(circle));
                }
            }
        }
        return List.copyOf(circles);
    }

    /** What is left when everybody has gone who can. */
    private static Table stuck(Table table) {
        var left = table;
        var free = new ArrayDeque<>(freeIn(left));
        while (!free.isEmpty()) {
            left = without(left, free.remove(), free);
            if (free.isEmpty()) {
                free.addAll(freeIn(left));
            }
        }
        return left;
    }

    private static List<Long> freeIn(Table table) {
        return table.sessions().keys().stream()
                .filter(session -> waitsOf(table, session).isEmpty())
                .toList();
    }

    private static Table without(Table table, long session, Deque<Long> free) {
        var applied = table.apply(Entry.of(0, new Command.Expire(session, Long.MAX_VALUE)));
        for (var news : applied.news()) {
            if (news instanceof News.Answered(var next, var number, Answer.Granted granted)
                    && waitsOf(applied.table(), next).isEmpty()) {
                free.add(next);
            }
        }
        return applied.table();
    }

    /** Of one session, by the session that it waits for: who holds what it wants, or is before it in the line. */
    private static NavigableMap<Long, Deadlock.Wait> waitsOf(Table table, long session) {
        var waits = new TreeMap<Long, Deadlock.Wait>();
        table.sessions().get(session).orElseThrow().bids().forEach((number, bid) -> {
            if (bid instanceof Bid.Waiting waiting) {
                var claim = new Claim(session, number);
                waiting.wants()
                        .forEach(want -> inTheWayOf(table, waiting, want)
                                .filter(other -> other.session() != session)
                                .forEach(other ->
                                        waits.putIfAbsent(other.session(), wait(table, claim, want.name(), other))));
            }
        });
        return waits;
    }

    /** Of those before it in the line only one that waits for something else too; others wait for the same holders. */
    private static Stream<Claim> inTheWayOf(Table table, Bid.Waiting waiting, Want want) {
        var lock = table.locks().get(want.name()).orElseThrow();
        var before = lock.line().before(waiting.turn());
        if (lock.hasRoomFor(want)) {
            return before.stream();
        }
        return Stream.concat(
                lock.holders().keys().stream(),
                before.filter(claim -> table.bid(claim).orElseThrow().wants().size() > 1).stream());
    }

    private static Deadlock.Wait wait(Table table, Claim claim, Name wanted, Claim other) {
        return new Deadlock.Wait(person(table, claim), claim, wanted, person(table, other), other);
    }

    private static Person person(Table table, Claim claim) {
        return table.sessions().get(claim.session()).orElseThrow().person();
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
            long at = way.isEmpty() ? session : way.getLast().heldBy().session();
            for (var wait : waits.getOrDefault(at, new TreeMap<>()).values()) {
                long next = wait.heldBy().session();
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
