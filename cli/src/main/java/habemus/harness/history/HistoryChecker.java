package habemus.harness.history;

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
 * Judges what clients of the service have seen, all of them together. Pure: histories in, violations out.
 *
 * <p>That a client held something is counted from when it knew, until it gave it back, or was told that it lost it, or
 * ended. A client that stood still is told late, and that is no fault; but it must not find a grant valid that
 * another has meanwhile, whether it stood still or not, since it looks at the clock.
 */
public final class HistoryChecker {

    /** What must hold. */
    public enum Rule {
        NO_DOUBLE_GRANT("no fence belongs to two claims of a lock that is not shared"),
        NO_DOUBLE_WRITE("the resource took no write of an old fence, and none of two clients by one fence"),
        FENCES_GROW_WITH_TIME("who asks after another was let in has the larger fence: no grant was forgotten"),
        NEVER_VALID_TWICE("nobody finds its grant valid while another has it"),
        NOTIFIED_BEFORE_REGRANT("who lost something was told before another had it, unless it stood still"),
        RENEWED_SESSION_KNOWN("no session that was renewed is unknown to the service"),
        ELECTED_THEN_DEPOSED("elected and deposed come in turn, by the same term, and terms grow");

        private final String description;

        Rule(String words) {
            this.description = words;
        }

        public String description() {
            return description;
        }
    }

    public record Violation(Rule rule, String what) {}

    /** @param lateNotifications how often somebody was told late because it stood still */
    public record Result(List<Violation> violations, long lateNotifications) {}

    /** What a claim was. */
    private record Hold(HistoryEvent granted, long requestedAtNanos, long lastValidAtNanos, long heldUntilNanos) {

        private String client() {
            return granted.client();
        }

        private boolean excludes(Hold other) {
            return !(granted.isShared() && other.granted.isShared());
        }

        @Override
        public String toString() {
            return granted.client() + " by fence " + granted.fence();
        }
    }

    private static final Comparator<HistoryEvent> BY_TIME = Comparator.comparingLong(HistoryEvent::atNanos);
    private static final long RESUME_GRACE_NANOS =
            250_000_000; // nanoseconds after it stood still: all of it has to wake up

    private final List<HistoryEvent> history;
    private final List<GuardedResource.Write> writes;
    private final Map<String, List<HistoryEvent>> stalls;
    private final List<Violation> violations = new ArrayList<>();
    private long lateNotifications;

    private HistoryChecker(List<HistoryEvent> history, List<GuardedResource.Write> writes) {
        this.history = history.stream().sorted(BY_TIME).toList();
        this.writes = writes;
        stalls = this.history.stream()
                .filter(historyEvent -> historyEvent.kind() == HistoryEvent.Kind.STALLED)
                .collect(Collectors.groupingBy(HistoryEvent::client));
    }

    /**
     * @param history of all clients, in any order; that of each in the order in which it was written
     * @param writes in the order in which they came
     */
    public static Result check(List<HistoryEvent> history, List<GuardedResource.Write> writes) {
        var judge = new HistoryChecker(history, writes);
        judge.checkWrites();
        var holds = judge.holds();
        judge.checkFences(holds);
        var locks = new TreeMap<String, List<Hold>>();
        for (Hold hold : holds) {
            hold.granted
                    .names()
                    .forEach(name -> locks.computeIfAbsent(name, any -> new ArrayList<>())
                            .add(hold));
        }
        locks.forEach(judge::checkOverlaps);
        judge.checkSessions();
        judge.checkElections();
        return new Result(List.copyOf(judge.violations), judge.lateNotifications);
    }

    private void report(Rule rule, String what) {
        violations.add(new Violation(rule, what));
    }

    /** It is the resource that refuses, but here nobody is believed. */
    private void checkWrites() {
        var newest = new HashMap<String, GuardedResource.Write>();
        for (var write : writes) {
            if (write.isAccepted()) {
                var before = newest.put(write.name(), write);
                if (before != null && before.fence() > write.fence()) {
                    report(Rule.NO_DOUBLE_WRITE, write.name() + ": " + write + " was taken after " + before);
                }
                if (before != null
                        && before.fence() == write.fence()
                        && !before.client().equals(write.client())) {
                    report(Rule.NO_DOUBLE_WRITE, write.name() + ": both " + before + " and " + write);
                }
            }
        }
    }

    private List<Hold> holds() {
        var ends = new HashMap<String, Long>(); // of lives
        var asked = new HashMap<String, Long>();
        var granted = new LinkedHashMap<String, HistoryEvent>();
        var believed = new HashMap<String, Long>();
        var until = new HashMap<String, Long>();
        for (HistoryEvent historyEvent : history) {
            ends.put(historyEvent.client(), historyEvent.atNanos());
            var claim = historyEvent.client() + "/" + historyEvent.request();
            switch (historyEvent.kind()) {
                case REQUESTED -> asked.put(claim, historyEvent.atNanos());
                case GRANTED, ELECTED -> granted.put(claim, historyEvent);
                case VALID -> believed.merge(claim, historyEvent.atNanos(), Math::max);
                case LOST, RELEASING, DEPOSED -> until.merge(claim, historyEvent.atNanos(), Math::min);
                case RELEASED, UNKNOWN, TIMED_OUT, STALLED, STALE_FENCE -> {}
            }
        }
        var holds = new ArrayList<Hold>();
        granted.forEach((claim, historyEvent) -> holds.add(new Hold(
                historyEvent,
                asked.getOrDefault(claim, Long.MIN_VALUE), // a candidate stands again by itself
                believed.getOrDefault(claim, historyEvent.atNanos()),
                until.getOrDefault(claim, ends.getOrDefault(historyEvent.client(), historyEvent.atNanos())))));
        return holds;
    }

    /** The fence counts what the service has ever done, so one that is too small shows that it forgot something. */
    private void checkFences(List<Hold> holds) {
        var byAsking = holds.stream()
                .sorted(Comparator.comparingLong(Hold::requestedAtNanos))
                .toList();
        var byGrant = holds.stream()
                .sorted(Comparator.comparingLong(hold -> hold.granted.atNanos()))
                .toList();
        int next = 0;
        Optional<Hold> largest = Optional.empty();
        for (Hold hold : byAsking) {
            while (next < byGrant.size() && byGrant.get(next).granted.atNanos() < hold.requestedAtNanos) {
                var before = byGrant.get(next++);
                if (largest.isEmpty() || largest.get().granted.fence() < before.granted.fence()) {
                    largest = Optional.of(before);
                }
            }
            if (largest.isPresent() && largest.get().granted.fence() >= hold.granted.fence()) {
                report(Rule.FENCES_GROW_WITH_TIME, hold + " has asked after " + largest.get());
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
                    name + ": " + before + " found it valid " + millis(before.lastValidAtNanos - at) + " ms after "
                            + after + " had it");
        }
        if (before.heldUntilNanos > at) {
            if (wasStalled(before.client(), at, before.heldUntilNanos)) {
                lateNotifications++;
            } else {
                report(
                        Rule.NOTIFIED_BEFORE_REGRANT,
                        name + ": " + before + " had it until " + millis(before.heldUntilNanos - at) + " ms after "
                                + after + " had it");
            }
        }
    }

    /** When the other was let in, and until shortly before this one was told. */
    private boolean wasStalled(String client, long from, long to) {
        return stalls.getOrDefault(client, List.of()).stream()
                .anyMatch(stall -> stall.atNanos() - Long.parseLong(stall.detail()) <= from
                        && stall.atNanos() + RESUME_GRACE_NANOS >= to);
    }

    private void checkSessions() {
        history.stream()
                .filter(historyEvent -> historyEvent.kind() == HistoryEvent.Kind.LOST
                        || historyEvent.kind() == HistoryEvent.Kind.DEPOSED)
                .filter(historyEvent -> historyEvent.detail().equals("Ended"))
                .forEach(historyEvent -> report(Rule.RENEWED_SESSION_KNOWN, historyEvent.line()));
    }

    private void checkElections() {
        var leading = new HashMap<String, Long>(); // by client and election
        Set<Long> over = new HashSet<>();
        for (HistoryEvent historyEvent : history) {
            var who = historyEvent.client() + " in " + historyEvent.names();
            if (historyEvent.kind() == HistoryEvent.Kind.ELECTED) {
                var before = leading.put(who, historyEvent.fence());
                if (before != null) {
                    report(
                            Rule.ELECTED_THEN_DEPOSED,
                            who + " was elected in term " + historyEvent.fence() + " while it led in " + before);
                }
            } else if (historyEvent.kind() == HistoryEvent.Kind.DEPOSED) {
                var before = leading.remove(who);
                if (before == null || before != historyEvent.fence() || !over.add(before)) {
                    report(
                            Rule.ELECTED_THEN_DEPOSED,
                            who + " was deposed of term " + historyEvent.fence() + ", and led in " + before);
                }
            }
        }
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
