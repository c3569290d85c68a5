package habemus.cli;

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
final class HistoryJudge {

    /** What must hold. */
    enum Rule {
        NO_DOUBLE_GRANT("no fence belongs to two claims of a lock that is not shared"),
        NO_DOUBLE_WRITE("the resource took no write of an old fence, and none of two clients by one fence"),
        FENCES_FOLLOW_TIME("who asks after another was let in has the larger fence: no grant was forgotten"),
        NEVER_VALID_TWICE("nobody finds its grant valid while another has it"),
        TOLD_BEFORE_REGRANTED("who lost something was told before another had it, unless it stood still"),
        NEVER_GONE("no session that was renewed is unknown to the service"),
        PAIRED("elected and deposed come in turn, by the same term, and terms grow");

        private final String words;

        Rule(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    record Violation(Rule rule, String what) {}

    /** @param late how often somebody was told late because it stood still */
    record Verdict(List<Violation> violations, long late) {}

    /** What a claim was. */
    private record Hold(Moment granted, long asked, long believed, long until) {

        private String client() {
            return granted.client();
        }

        private boolean excludes(Hold other) {
            return !(granted.sharing() && other.granted.sharing());
        }

        @Override
        public String toString() {
            return granted.client() + " by fence " + granted.fence();
        }
    }

    private static final Comparator<Moment> BY_TIME = Comparator.comparingLong(Moment::at);
    private static final long GRACE = 250_000_000; // nanoseconds after it stood still: all of it has to wake up

    private final List<Moment> history;
    private final List<GuardedResource.Write> writes;
    private final Map<String, List<Moment>> stalls;
    private final List<Violation> violations = new ArrayList<>();
    private long late;

    private HistoryJudge(List<Moment> history, List<GuardedResource.Write> writes) {
        this.history = history.stream().sorted(BY_TIME).toList();
        this.writes = writes;
        stalls = this.history.stream()
                .filter(moment -> moment.kind() == Moment.Kind.STALLED)
                .collect(Collectors.groupingBy(Moment::client));
    }

    /**
     * @param history of all clients, in any order; that of each in the order in which it was written
     * @param writes in the order in which they came
     */
    static Verdict judge(List<Moment> history, List<GuardedResource.Write> writes) {
        var judge = new HistoryJudge(history, writes);
        judge.writes();
        var holds = judge.holds();
        judge.fences(holds);
        var locks = new TreeMap<String, List<Hold>>();
        for (Hold hold : holds) {
            hold.granted
                    .names()
                    .forEach(name -> locks.computeIfAbsent(name, any -> new ArrayList<>())
                            .add(hold));
        }
        locks.forEach(judge::overlaps);
        judge.sessions();
        judge.elections();
        return new Verdict(List.copyOf(judge.violations), judge.late);
    }

    private void wrong(Rule rule, String what) {
        violations.add(new Violation(rule, what));
    }

    /** It is the resource that refuses, but here nobody is believed. */
    private void writes() {
        var newest = new HashMap<String, GuardedResource.Write>();
        for (var write : writes) {
            if (write.accepted()) {
                var before = newest.put(write.name(), write);
                if (before != null && before.fence() > write.fence()) {
                    wrong(Rule.NO_DOUBLE_WRITE, write.name() + ": " + write + " was taken after " + before);
                }
                if (before != null
                        && before.fence() == write.fence()
                        && !before.client().equals(write.client())) {
                    wrong(Rule.NO_DOUBLE_WRITE, write.name() + ": both " + before + " and " + write);
                }
            }
        }
    }

    private List<Hold> holds() {
        var ends = new HashMap<String, Long>(); // of lives
        var asked = new HashMap<String, Long>();
        var granted = new LinkedHashMap<String, Moment>();
        var believed = new HashMap<String, Long>();
        var until = new HashMap<String, Long>();
        for (Moment moment : history) {
            ends.put(moment.client(), moment.at());
            var claim = moment.client() + "/" + moment.claim();
            switch (moment.kind()) {
                case ASKED -> asked.put(claim, moment.at());
                case GRANTED, ELECTED -> granted.put(claim, moment);
                case VALID -> believed.merge(claim, moment.at(), Math::max);
                case LOST, GIVING, DEPOSED -> until.merge(claim, moment.at(), Math::min);
                case RELEASED, UNKNOWN, GIVEN_UP, STALLED, FENCED_OFF -> {}
            }
        }
        var holds = new ArrayList<Hold>();
        granted.forEach((claim, moment) -> holds.add(new Hold(
                moment,
                asked.getOrDefault(claim, Long.MIN_VALUE), // a candidate stands again by itself
                believed.getOrDefault(claim, moment.at()),
                until.getOrDefault(claim, ends.getOrDefault(moment.client(), moment.at())))));
        return holds;
    }

    /** The fence counts what the service has ever done, so one that is too small shows that it forgot something. */
    private void fences(List<Hold> holds) {
        var byAsking =
                holds.stream().sorted(Comparator.comparingLong(Hold::asked)).toList();
        var byGrant = holds.stream()
                .sorted(Comparator.comparingLong(hold -> hold.granted.at()))
                .toList();
        int next = 0;
        Optional<Hold> largest = Optional.empty();
        for (Hold hold : byAsking) {
            while (next < byGrant.size() && byGrant.get(next).granted.at() < hold.asked) {
                var before = byGrant.get(next++);
                if (largest.isEmpty() || largest.get().granted.fence() < before.granted.fence()) {
                    largest = Optional.of(before);
                }
            }
            if (largest.isPresent() && largest.get().granted.fence() >= hold.granted.fence()) {
                wrong(Rule.FENCES_FOLLOW_TIME, hold + " has asked after " + largest.get());
            }
        }
    }

    private void overlaps(String name, List<Hold> holds) {
        var fences = new HashMap<Long, Hold>();
        for (Hold hold : holds) {
            var other = fences.putIfAbsent(hold.granted.fence(), hold);
            if (other != null && other.excludes(hold)) {
                wrong(Rule.NO_DOUBLE_GRANT, name + ": " + other + ", and " + hold.client());
            }
        }
        var open = new ArrayList<Hold>();
        var inOrder = holds.stream()
                .sorted(Comparator.comparingLong(hold -> hold.granted.at()))
                .toList();
        for (Hold hold : inOrder) {
            open.removeIf(before -> Math.max(before.until, before.believed) <= hold.granted.at());
            open.stream().filter(hold::excludes).forEach(before -> overlap(name, before, hold));
            open.add(hold);
        }
    }

    private void overlap(String name, Hold before, Hold after) {
        long at = after.granted.at();
        if (before.believed > at) {
            wrong(
                    Rule.NEVER_VALID_TWICE,
                    name + ": " + before + " found it valid " + ms(before.believed - at) + " ms after " + after
                            + " had it");
        }
        if (before.until > at) {
            if (stoodStill(before.client(), at, before.until)) {
                late++;
            } else {
                wrong(
                        Rule.TOLD_BEFORE_REGRANTED,
                        name + ": " + before + " had it until " + ms(before.until - at) + " ms after " + after
                                + " had it");
            }
        }
    }

    /** When the other was let in, and until shortly before this one was told. */
    private boolean stoodStill(String client, long from, long to) {
        return stalls.getOrDefault(client, List.of()).stream()
                .anyMatch(stall -> stall.at() - Long.parseLong(stall.more()) <= from && stall.at() + GRACE >= to);
    }

    private void sessions() {
        history.stream()
                .filter(moment -> moment.kind() == Moment.Kind.LOST || moment.kind() == Moment.Kind.DEPOSED)
                .filter(moment -> moment.more().equals("Ended"))
                .forEach(moment -> wrong(Rule.NEVER_GONE, moment.line()));
    }

    private void elections() {
        var leading = new HashMap<String, Long>(); // by client and election
        Set<Long> over = new HashSet<>();
        for (Moment moment : history) {
            var who = moment.client() + " in " + moment.names();
            if (moment.kind() == Moment.Kind.ELECTED) {
                var before = leading.put(who, moment.fence());
                if (before != null) {
                    wrong(Rule.PAIRED, who + " was elected in term " + moment.fence() + " while it led in " + before);
                }
            } else if (moment.kind() == Moment.Kind.DEPOSED) {
                var before = leading.remove(who);
                if (before == null || before != moment.fence() || !over.add(before)) {
                    wrong(Rule.PAIRED, who + " was deposed of term " + moment.fence() + ", and led in " + before);
                }
            }
        }
    }

    private static long ms(long nanos) {
        return nanos / 1_000_000;
    }
}
