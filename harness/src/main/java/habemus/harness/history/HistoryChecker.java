package habemus.harness.history;

import habemus.client.LossReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks the histories of all clients of the lock service together. A pure function from histories to violations.
 *
 * <p>A client holds a lock from the event of the grant to its release, to the notification of its loss, or to its last
 * event. A paused client may be notified late; that is no violation. But it must never find a grant valid that
 * another client has already, paused or not, since it compares the lease with its clock.
 */
public final class HistoryChecker {

    /** The guarantees that are checked. */
    public enum Rule {
        NO_DOUBLE_GRANT("two exclusive grants of a lock never have the same fence"),
        NO_DOUBLE_WRITE(
                "the resource accepts no write with a stale fence, and no writes of two clients with one fence"),
        FENCES_GROW_WITH_TIME("an acquire that starts after a grant gets a larger fence: no grant was forgotten"),
        NEVER_VALID_TWICE("no client finds its grant valid while another client holds the lock"),
        NOTIFIED_BEFORE_REGRANT(
                "a client is notified of a loss before another client gets the lock, unless it was paused"),
        RENEWED_SESSION_KNOWN("the service knows every session that was renewed"),
        ELECTED_THEN_DEPOSED("a candidate is elected and deposed in turn, with the same term, and terms grow");

        private final String description;

        Rule(String description) {
            this.description = description;
        }

        public String description() {
            return description;
        }
    }

    public record Violation(Rule rule, String description) {}

    /** @param lateNotifications how often a client was notified late because it was paused */
    public record Result(List<Violation> violations, long lateNotifications) {}

    /** The time in which a client held a lock, by its own knowledge. */
    private record Hold(HistoryEvent granted, long requestedAtNanos, long lastValidAtNanos, long heldUntilNanos) {

        private String client() {
            return granted.client();
        }

        private boolean excludes(Hold other) {
            return !(granted.isShared() && other.granted.isShared());
        }

        @Override
        public String toString() {
            return granted.client() + " with fence " + granted.fence();
        }
    }

    private static final Comparator<HistoryEvent> BY_TIME = Comparator.comparingLong(HistoryEvent::atNanos);
    private static final String SESSION_EXPIRED = LossReason.SessionExpired.class.getSimpleName();
    /** After a pause, all threads of the process have to wake up. */
    private static final long RESUME_GRACE_NANOS = 250_000_000;

    private final List<HistoryEvent> history;
    private final List<GuardedResource.Write> writes;
    private final Map<String, List<HistoryEvent>> stalls;
    private final List<Violation> violations = new ArrayList<>();
    private long lateNotifications;

    private HistoryChecker(List<HistoryEvent> history, List<GuardedResource.Write> writes) {
        this.history = history.stream().sorted(BY_TIME).toList();
        this.writes = writes;
        stalls = this.history.stream()
                .filter(event -> event.kind() == HistoryEvent.Kind.STALLED)
                .collect(Collectors.groupingBy(HistoryEvent::client));
    }

    /**
     * @param history of all clients, in any order; the events of one client in their order
     * @param writes to the resource, in their order
     */
    public static Result check(List<HistoryEvent> history, List<GuardedResource.Write> writes) {
        var checker = new HistoryChecker(history, writes);
        checker.checkWrites();
        var holds = checker.holds();
        checker.checkFences(holds);
        var locks = new TreeMap<String, List<Hold>>();
        for (Hold hold : holds) {
            hold.granted
                    .names()
                    .forEach(name -> locks.computeIfAbsent(name, any -> new ArrayList<>())
                            .add(hold));
        }
        locks.forEach(checker::checkOverlaps);
        checker.checkSessions();
        checker.checkElections();
        return new Result(List.copyOf(checker.violations), checker.lateNotifications);
    }

    private void report(Rule rule, String description) {
        violations.add(new Violation(rule, description));
    }

    /** The resource rejects stale fences itself; this checks that it did. */
    private void checkWrites() {
        var newest = new HashMap<String, GuardedResource.Write>();
        for (var write : writes) {
            if (write.isAccepted()) {
                var previous = newest.put(write.name(), write);
                if (previous != null && previous.fence() > write.fence()) {
                    report(Rule.NO_DOUBLE_WRITE, write.name() + ": " + write + " was accepted after " + previous);
                }
                if (previous != null
                        && previous.fence() == write.fence()
                        && !previous.client().equals(write.client())) {
                    report(Rule.NO_DOUBLE_WRITE, write.name() + ": both " + previous + " and " + write);
                }
            }
        }
    }

    private List<Hold> holds() {
        var ends = new HashMap<String, Long>(); // by client
        var requestedAt = new HashMap<String, Long>();
        var granted = new LinkedHashMap<String, HistoryEvent>();
        var lastValidAt = new HashMap<String, Long>();
        var heldUntil = new HashMap<String, Long>();
        for (HistoryEvent event : history) {
            ends.put(event.client(), event.atNanos());
            var request = event.client() + "/" + event.request();
            switch (event.kind()) {
                case REQUESTED -> requestedAt.put(request, event.atNanos());
                case GRANTED, ELECTED -> granted.put(request, event);
                case VALID -> lastValidAt.merge(request, event.atNanos(), Math::max);
                case LOST, RELEASING, DEPOSED -> heldUntil.merge(request, event.atNanos(), Math::min);
                case RELEASED, UNKNOWN, TIMED_OUT, STALLED, STALE_FENCE -> {}
            }
        }
        var holds = new ArrayList<Hold>();
        granted.forEach((request, event) -> holds.add(new Hold(
                event,
                requestedAt.getOrDefault(request, Long.MIN_VALUE), // a candidate campaigns again without a request
                lastValidAt.getOrDefault(request, event.atNanos()),
                heldUntil.getOrDefault(request, ends.getOrDefault(event.client(), event.atNanos())))));
        return holds;
    }

    /** Fences count the grants of the whole service. A fence that is too small shows that a grant was forgotten. */
    private void checkFences(List<Hold> holds) {
        var byRequest = holds.stream()
                .sorted(Comparator.comparingLong(Hold::requestedAtNanos))
                .toList();
        var byGrant = holds.stream()
                .sorted(Comparator.comparingLong(hold -> hold.granted.atNanos()))
                .toList();
        int next = 0;
        Optional<Hold> largest = Optional.empty();
        for (Hold hold : byRequest) {
            while (next < byGrant.size() && byGrant.get(next).granted.atNanos() < hold.requestedAtNanos) {
                var before = byGrant.get(next++);
                if (largest.isEmpty() || largest.get().granted.fence() < before.granted.fence()) {
                    largest = Optional.of(before);
                }
            }
            if (largest.isPresent() && largest.get().granted.fence() >= hold.granted.fence()) {
                report(Rule.FENCES_GROW_WITH_TIME, hold + " was requested after " + largest.get());
            }
        }
    }

    private void checkOverlaps(String name, List<Hold> holds) {
        var fences = new HashMap<Long, Hold>();
        for (Hold hold : holds) {
            var other = fences.putIfAbsent(hold.granted.fence(), hold);
            if (other != null && other.excludes(hold)) {
                report(Rule.NO_DOUBLE_GRANT, name + ": " + other + ", and " + hold.client());
            }
        }
        var open = new ArrayList<Hold>();
        var inOrder = holds.stream()
                .sorted(Comparator.comparingLong(hold -> hold.granted.atNanos()))
                .toList();
        for (Hold hold : inOrder) {
            open.removeIf(before -> Math.max(before.heldUntilNanos, before.lastValidAtNanos) <= hold.granted.atNanos());
            open.stream().filter(hold::excludes).forEach(before -> checkPair(name, before, hold));
            open.add(hold);
        }
    }

    private void checkPair(String name, Hold before, Hold after) {
        long at = after.granted.atNanos();
        if (before.lastValidAtNanos > at) {
            report(
                    Rule.NEVER_VALID_TWICE,
                    name + ": " + before + " found its grant valid " + millis(before.lastValidAtNanos - at)
                            + " ms after " + after + " got the lock");
        }
        if (before.heldUntilNanos > at) {
            if (wasStalled(before.client(), at, before.heldUntilNanos)) {
                lateNotifications++;
            } else {
                report(
                        Rule.NOTIFIED_BEFORE_REGRANT,
                        name + ": " + before + " held the lock until " + millis(before.heldUntilNanos - at)
                                + " ms after " + after + " got the lock");
            }
        }
    }

    /** Whether the client was paused when the other got the lock, and until shortly before its notification. */
    private boolean wasStalled(String client, long from, long to) {
        return stalls.getOrDefault(client, List.of()).stream()
                .anyMatch(stall -> stall.atNanos() - Long.parseLong(stall.detail()) <= from
                        && stall.atNanos() + RESUME_GRACE_NANOS >= to);
    }

    private void checkSessions() {
        history.stream()
                .filter(event -> event.kind() == HistoryEvent.Kind.LOST || event.kind() == HistoryEvent.Kind.DEPOSED)
                .filter(event -> event.detail().equals(SESSION_EXPIRED))
                .forEach(event -> report(Rule.RENEWED_SESSION_KNOWN, event.line()));
    }

    private void checkElections() {
        var leading = new HashMap<String, Long>(); // by client and election
        Set<Long> endedTerms = new HashSet<>();
        for (HistoryEvent event : history) {
            var candidate = event.client() + " in " + event.names();
            if (event.kind() == HistoryEvent.Kind.ELECTED) {
                var before = leading.put(candidate, event.fence());
                if (before != null) {
                    report(
                            Rule.ELECTED_THEN_DEPOSED,
                            candidate + " was elected in term " + event.fence() + " while it led in " + before);
                }
            } else if (event.kind() == HistoryEvent.Kind.DEPOSED) {
                var before = leading.remove(candidate);
                if (before == null || before != event.fence() || !endedTerms.add(before)) {
                    report(
                            Rule.ELECTED_THEN_DEPOSED,
                            candidate + " was deposed of term " + event.fence() + ", and led in " + before);
                }
            }
        }
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
