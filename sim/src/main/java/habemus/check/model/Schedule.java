package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.FaultKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A run as a list of moves. Together with the algorithm and the scope it determines the run, so it can be replayed.
 *
 * <pre>
 * 1request 1release            the application of n1 requests, releases the lock
 * 2from1                 n2 receives the first message in flight from n1
 * 2from1-3               n2 receives the third of them, in the order of sending
 * 2lost1 2twice1 2dropped1  the message is lost; is delivered and stays in flight; arrives at n2, which is down
 * 1timeout-OVERDUE          a timer of n1 fires
 * 1suspect2 1restore2    the detector of n1 reports that n2 is down, is up again
 * 1mistake2              n1 suspects n2, which is up
 * 3crash 3restart        n3 crashes, restarts with its durable state
 * 3amnesia               n3 restarts without its durable state
 * 4join 2leave           n4 joins, n2 leaves
 * 1joined4 1left2        n1 learns that n4 has joined, that n2 has left
 * 2partition-2_3         a partition separates n2 and n3 from the others, in both directions
 * 2mute-2_3              only the messages of n2 and n3 to the others are dropped
 * 2pause 2resume         n2 pauses, resumes; only in a synchronous world
 * 2cut1 2heal         the partition drops a message; it heals
 * 1propose 1read 1compact  the application of n1 proposes a command, reads, takes a snapshot
 * 1add4 1promote4 1remove4 n4 becomes a learner, a voter, is removed, by a call at n1
 * 1transfer2             n1 is asked to hand its leadership to n2
 * 2sync 2losetail        the disk of n2 has synced its log; loses the last entry, which was not synced
 * 1request:2,0               the random draws of the step are 2, then 0
 * 2from1/3               n2 crashes in the step, after 3 of its outputs
 * 1timeout-OVERDUE&#64;4        in a synchronous world: after 4 ticks in which nothing happens
 * </pre>
 *
 * <p>The moves are separated by dots: {@code 1request.2from1.1from2}.
 */
public final class Schedule {

    public static final Schedule EMPTY = new Schedule(List.of());

    /** A text is not a schedule, or a schedule cannot be played. */
    public static final class InvalidScheduleException extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private final String hint;

        public InvalidScheduleException(String message, String hint) {
            super(message);
            this.hint = hint;
        }

        /** What is possible instead. */
        public String hint() {
            return hint;
        }
    }

    private final List<Move> moves;

    public Schedule(List<Move> moves) {
        this.moves = List.copyOf(moves);
    }

    /**
     * Parses moves separated by dots; an empty text has none.
     *
     * @throws InvalidScheduleException if a word is not a move
     */
    public static Schedule parse(String text) {
        if (text.isEmpty()) {
            return EMPTY;
        }
        var moves = new ArrayList<Move>();
        for (String word : text.split("\\.", -1)) {
            moves.add(Move.parse(word)
                    .orElseThrow(() -> new InvalidScheduleException(
                            "move " + (moves.size() + 1) + " is not a move: '" + word + "'",
                            "moves look like 1request, 2from1, 1release, 3crash, 1timeout-TIMER, 1suspect3")));
        }
        return new Schedule(moves);
    }

    public List<Move> moves() {
        return moves;
    }

    /** The number of moves, without the starts. */
    public int size() {
        return (int)
                moves.stream().filter(move -> move.verb() != Move.Verb.START).count();
    }

    /** Whether a move depends on the timing of the scope: a timeout, a suspicion or a restore. */
    public boolean isTimed() {
        return moves.stream().map(move -> move.verb().kind).anyMatch(kind -> kind != null && kind.waitsForDelivery());
    }

    /** The scope without limits on the faults, timeouts and requests of this schedule. */
    public Scope unboundedScope(Scope scope) {
        var faultCounts = new EnumMap<FaultKind, Integer>(FaultKind.class);
        faultCounts().keySet().forEach(faultKind -> faultCounts.put(faultKind, Scope.UNBOUNDED));
        var all = Scope.UNBOUNDED;
        return scopeWith(scope, NodeSet.of(scope.topology().nodes()), all, faultCounts)
                .withLogCalls(new Scope.LogCalls(all, all, all, all, all));
    }

    /** The scope that allows no more faults, timeouts and requests than this schedule has. */
    public Scope boundedScope(Scope scope) {
        var requests = new HashMap<NodeId, Integer>();
        moves.stream()
                .filter(move -> move.verb() == Move.Verb.REQUEST)
                .forEach(move -> requests.merge(move.node(), 1, Integer::sum));
        int perNode =
                requests.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int timeouts = (int)
                moves.stream().filter(move -> move.verb() == Move.Verb.TIMEOUT).count();
        return scopeWith(scope, NodeSet.of(requests.keySet().stream().sorted().toList()), perNode, faultCounts())
                .withMaxTimeouts(timeouts)
                .withLogCalls(logCalls());
    }

    private Scope.LogCalls logCalls() {
        return new Scope.LogCalls(
                count(FaultBudget.PROPOSAL),
                count(FaultBudget.READ),
                count(FaultBudget.SNAPSHOT),
                count(FaultBudget.MEMBER_CHANGE),
                count(FaultBudget.TRANSFER));
    }

    private int count(FaultBudget budget) {
        return (int) moves.stream()
                .filter(move -> move.verb().kind != null && move.verb().kind.budget == budget)
                .count();
    }

    private Scope scopeWith(Scope scope, NodeSet requesters, int perNode, Map<FaultKind, Integer> faultCounts) {
        boolean midStep = moves.stream().anyMatch(move -> move.crashAfter() > 0);
        var crashes = new Scope.CrashModel(midStep, CrashTarget.ANYONE, NodeSet.NONE);
        return scope.withRequests(requesters, perNode)
                .withMaxTimeouts(Scope.UNBOUNDED)
                .with(new Scope.Faults(faultCounts, crashes))
                .with(Optional.empty())
                .withOptions(CheckOptions.defaults());
    }

    /** A sync that is a move of its own is only possible where a crash may come before it and take entries. */
    private Map<FaultKind, Integer> faultCounts() {
        var faultCounts = new EnumMap<FaultKind, Integer>(FaultKind.class);
        if (moves.stream().anyMatch(move -> move.verb() == Move.Verb.SYNC)) {
            faultCounts.put(FaultKind.TAIL_LOSS, 0);
        }
        for (Move move : moves) {
            var kind = move.verb().kind;
            if (kind != null && kind.budget != null && kind.budget.kind != null) {
                faultCounts.merge(kind.budget.kind, 1, Integer::sum);
            }
            if (move.crashAfter() > 0) {
                faultCounts.merge(FaultKind.CRASH, 1, Integer::sum);
            }
        }
        faultCounts.computeIfPresent(FaultKind.TAIL_LOSS, (kind, times) -> Math.max(1, times));
        return faultCounts;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schedule schedule && schedule.moves.equals(moves);
    }

    @Override
    public int hashCode() {
        return moves.hashCode();
    }

    @Override
    public String toString() {
        return moves.stream().map(Move::toString).collect(Collectors.joining("."));
    }
}
