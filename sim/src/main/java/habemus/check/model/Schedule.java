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
 * A run as a word for each thing that happens in it, one after the other. Whoever has the algorithm and its world can
 * play it, wherever it was found.
 *
 * <pre>
 * 1ask 1leave            the application of n1 asks, leaves
 * 2from1                 the first letter under way from n1 arrives at n2
 * 2from1-3               the third of them does, in the order in which they were sent
 * 2lost1 2twice1 2gone1  it is lost; it arrives and will do so once more; it arrives where nobody is
 * 1ring-OVERDUE          an alarm rings
 * 1suspect2 1restore2    n1 notices that n2 is down, or up again
 * 1mistake2              n1 suspects n2, which is up
 * 3crash 3restart        n3 stops, comes back
 * 3amnesia               comes back without its memory
 * 2part-2_3 2mute-2_3    links between n2, n3 and the others are cut, both ways or only from them
 * 2pause 2resume         n2 stands still, goes on; only in a synchronous world
 * 2cutoff1 2mend         a letter ends where its link is cut; what was cut is mended
 * 1ask:2,0               the dice that this step rolled fell on 2, then on 0
 * 2from1/3               n2 crashes amid the step, after 3 of the things it does
 * 1ring-OVERDUE&#64;4        in a synchronous world: after 4 ticks in which nothing happened
 * </pre>
 *
 * <p>Written with dots between: {@code 1ask.2from1.1from2}.
 */
public final class Schedule {

    /** In which nothing happens. */
    public static final Schedule EMPTY = new Schedule(List.of());

    /** Why something is no schedule, or cannot be played. */
    public static final class InvalidScheduleException extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private final String hint;

        public InvalidScheduleException(String what, String instead) {
            super(what);
            this.hint = instead;
        }

        /** What would be possible. */
        public String hint() {
            return hint;
        }
    }

    private final List<Move> moves;

    public Schedule(List<Move> moves) {
        this.moves = List.copyOf(moves);
    }

    /** @throws InvalidScheduleException if it is none */
    public static Schedule parse(String text) {
        var moves = new ArrayList<Move>();
        for (String word : text.split("\\.", -1)) {
            moves.add(Move.parse(word)
                    .orElseThrow(() -> new InvalidScheduleException(
                            "move " + (moves.size() + 1) + ", '" + word + "', is no move",
                            "moves are like 1ask, 2from1, 1leave, 3crash, 1ring-ALARM, 1suspect3")));
        }
        return new Schedule(moves);
    }

    public List<Move> moves() {
        return moves;
    }

    /** How many moves there are. */
    public int size() {
        return (int)
                moves.stream().filter(move -> move.verb() != Move.Verb.START).count();
    }

    /** Whether an alarm rings in it, or a crash or return is noticed: when it may is a matter of timing. */
    public boolean isTimed() {
        return moves.stream().map(move -> move.verb().kind).anyMatch(kind -> kind != null && kind.waitsForDelivery());
    }

    /** The same world, in which whatever happens here may happen at any time and any number of times. */
    public Scope unboundedScope(Scope scope) {
        var faultCounts = new EnumMap<FaultKind, Integer>(FaultKind.class);
        faultCounts().keySet().forEach(faultKind -> faultCounts.put(faultKind, Scope.UNBOUNDED));
        return scopeWith(scope, NodeSet.of(scope.topology().nodes()), Scope.UNBOUNDED, faultCounts);
    }

    /** The same world, in which nothing happens more often than here. */
    public Scope boundedScope(Scope scope) {
        var asked = new HashMap<NodeId, Integer>();
        moves.stream()
                .filter(move -> move.verb() == Move.Verb.REQUEST)
                .forEach(move -> asked.merge(move.node(), 1, Integer::sum));
        int most = asked.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int rings = (int)
                moves.stream().filter(move -> move.verb() == Move.Verb.TIMEOUT).count();
        return scopeWith(scope, NodeSet.of(asked.keySet().stream().sorted().toList()), most, faultCounts())
                .withMaxTimeouts(rings);
    }

    private Scope scopeWith(Scope scope, NodeSet callers, int calls, Map<FaultKind, Integer> faultCounts) {
        return new Scope(
                scope.topology(),
                scope.ranking(),
                scope.inOrder(),
                callers,
                calls,
                faultCounts,
                Scope.UNBOUNDED,
                scope.timing(),
                scope.tick(),
                new Scope.CrashModel(
                        moves.stream().anyMatch(move -> move.crashAfter() > 0), CrashTarget.ANYONE, NodeSet.NONE),
                scope.bypassBound(),
                Optional.empty(),
                CheckOptions.defaults());
    }

    private Map<FaultKind, Integer> faultCounts() {
        var faultCounts = new EnumMap<FaultKind, Integer>(FaultKind.class);
        for (Move move : moves) {
            var kind = move.verb().kind;
            if (kind != null && kind.budget != null && kind.budget != FaultBudget.TIMEOUT) {
                faultCounts.merge(FaultKind.valueOf(kind.budget.name()), 1, Integer::sum);
            }
            if (move.crashAfter() > 0) {
                faultCounts.merge(FaultKind.CRASH, 1, Integer::sum);
            }
        }
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
