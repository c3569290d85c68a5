package habemus.check;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Hazard;
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
    public static final class Impossible extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private final String instead;

        Impossible(String what, String instead) {
            super(what);
            this.instead = instead;
        }

        /** What would be possible. */
        public String instead() {
            return instead;
        }
    }

    private final List<Act> acts;

    Schedule(List<Act> acts) {
        this.acts = List.copyOf(acts);
    }

    /** @throws Impossible if it is none */
    public static Schedule parse(String text) {
        var acts = new ArrayList<Act>();
        for (String word : text.split("\\.", -1)) {
            acts.add(Act.parse(word)
                    .orElseThrow(() -> new Impossible(
                            "move " + (acts.size() + 1) + ", '" + word + "', is no move",
                            "moves are like 1ask, 2from1, 1leave, 3crash, 1ring-ALARM, 1suspect3")));
        }
        return new Schedule(acts);
    }

    List<Act> acts() {
        return acts;
    }

    /** How many moves there are. */
    public int size() {
        return (int) acts.stream().filter(act -> act.verb() != Act.Verb.START).count();
    }

    /** Whether an alarm rings in it, or a crash or return is noticed: when it may is a matter of timing. */
    public boolean isTimed() {
        return acts.stream().map(act -> act.verb().kind).anyMatch(kind -> kind != null && kind.waitsForQuiet());
    }

    /** The same world, in which whatever happens here may happen at any time and any number of times. */
    Scope freely(Scope scope) {
        var hazards = new EnumMap<Hazard, Integer>(Hazard.class);
        hazards().keySet().forEach(hazard -> hazards.put(hazard, Scope.MANY));
        return in(scope, NodeSet.of(scope.topology().nodes()), Scope.MANY, hazards);
    }

    /** The same world, in which nothing happens more often than here. */
    Scope exactly(Scope scope) {
        var asked = new HashMap<NodeId, Integer>();
        acts.stream()
                .filter(act -> act.verb() == Act.Verb.ASK)
                .forEach(act -> asked.merge(act.node(), 1, Integer::sum));
        int most = asked.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int rings =
                (int) acts.stream().filter(act -> act.verb() == Act.Verb.RING).count();
        return in(scope, NodeSet.of(asked.keySet().stream().sorted().toList()), most, hazards())
                .ringing(rings);
    }

    private Scope in(Scope scope, NodeSet callers, int calls, Map<Hazard, Integer> hazards) {
        return new Scope(
                scope.topology(),
                scope.ranking(),
                scope.inOrder(),
                callers,
                calls,
                hazards,
                Scope.MANY,
                scope.timing(),
                scope.tick(),
                new Scope.Crashes(acts.stream().anyMatch(act -> act.cut() > 0), Victim.ANYONE, NodeSet.NONE),
                scope.bypass(),
                Optional.empty(),
                Effort.ample());
    }

    private Map<Hazard, Integer> hazards() {
        var hazards = new EnumMap<Hazard, Integer>(Hazard.class);
        for (Act act : acts) {
            var kind = act.verb().kind;
            if (kind != null && kind.toll != null && kind.toll != Toll.ALARM) {
                hazards.merge(Hazard.valueOf(kind.toll.name()), 1, Integer::sum);
            }
            if (act.cut() > 0) {
                hazards.merge(Hazard.CRASH, 1, Integer::sum);
            }
        }
        return hazards;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schedule schedule && schedule.acts.equals(acts);
    }

    @Override
    public int hashCode() {
        return acts.hashCode();
    }

    @Override
    public String toString() {
        return acts.stream().map(Act::toString).collect(Collectors.joining("."));
    }
}
