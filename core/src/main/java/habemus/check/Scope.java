package habemus.check;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.world.Hazard;
import habemus.world.Topology;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What may happen, and how often: the world of which every run is walked.
 *
 * @param inOrder whether messages between two nodes keep their order; else they overtake each other at will
 * @param callers whose applications ask at all
 * @param calls how often each of them asks; {@link #MANY} for without end
 * @param hazards how often each may strike in one run; where alarms ring at any time, a pause is nothing new
 * @param alarms how many alarms may ring in one run; how one ends in which more would ring is left open
 * @param tick the grain in which alarms are compared in a synchronous world
 * @param crashes who may crash, and when
 * @param bypass how often one who waits may be passed, if that is to be judged
 * @param bound states beyond it are judged, but what comes after them is not looked at
 */
public record Scope(
        Topology topology,
        Ranking ranking,
        boolean inOrder,
        NodeSet callers,
        int calls,
        Map<Hazard, Integer> hazards,
        int alarms,
        Timing timing,
        Duration tick,
        Crashes crashes,
        OptionalInt bypass,
        Optional<Bound> bound,
        Effort effort) {

    /** Without end. */
    public static final int MANY = Integer.MAX_VALUE;

    private static final int PARTED_MAX = 10;
    private static final Set<Hazard> COUNTED = EnumSet.of(
            Hazard.LOSS,
            Hazard.DUPLICATION,
            Hazard.CRASH,
            Hazard.RESTART,
            Hazard.AMNESIA,
            Hazard.PARTITION,
            Hazard.PAUSE,
            Hazard.MISTAKE);

    /** When alarms ring and crashes are noticed. */
    public enum Timing {
        /** At any moment, however long a message takes. */
        ASYNCHRONOUS,
        /** Only when no message is under way; alarms in the order of their times. */
        SYNCHRONOUS
    }

    /**
     * Keeps in bounds what counts without end, such as a clock.
     *
     * @param what in words, for the report
     * @param within whether a node's state is still looked at
     */
    public record Bound(String what, Predicate<Object> within) {}

    /**
     * Who may crash, and when.
     *
     * @param amid whether also amid a step, after some of its effects
     * @param coordinators those on which the others depend
     */
    public record Crashes(boolean amid, Victim victim, NodeSet coordinators) {
        boolean mayStrike(NodeId node, Cell cell) {
            return victim == Victim.ANYONE || victim == Victim.of(node, cell, coordinators);
        }
    }

    public Scope {
        hazards = Collections.unmodifiableMap(hazards.isEmpty() ? new EnumMap<>(Hazard.class) : new EnumMap<>(hazards));
        for (Hazard hazard : hazards.keySet()) {
            require(
                    COUNTED.contains(hazard),
                    hazard + " is not counted: any message may be slow, and unordered messages are a matter of order");
        }
        topology.require(callers.toList());
        require(
                often(hazards, Hazard.PARTITION) == 0 || topology.size() <= PARTED_MAX,
                "too many ways to part so many nodes");
        require(calls >= 0 && alarms >= 0, "nothing happens less than never");
    }

    /** A kind one: in order, no hazards, everybody asks once, alarms ring at any time. */
    public static Scope of(Topology topology) {
        return new Scope(
                topology,
                Ranking.BY_NUMBER,
                true,
                NodeSet.of(topology.nodes()),
                1,
                Map.of(),
                MANY,
                Timing.ASYNCHRONOUS,
                Duration.ofMillis(50),
                new Crashes(false, Victim.ANYONE, NodeSet.NONE),
                OptionalInt.empty(),
                Optional.empty(),
                Effort.ample());
    }

    public Scope ranked(Ranking next) {
        return new Scope(
                topology, next, inOrder, callers, calls, hazards, alarms, timing, tick, crashes, bypass, bound, effort);
    }

    /** Messages overtake each other. */
    public Scope unordered() {
        return new Scope(
                topology, ranking, false, callers, calls, hazards, alarms, timing, tick, crashes, bypass, bound,
                effort);
    }

    public Scope calling(NodeSet who, int times) {
        return new Scope(
                topology, ranking, inOrder, who, times, hazards, alarms, timing, tick, crashes, bypass, bound, effort);
    }

    public Scope entering(int times) {
        return calling(callers, times);
    }

    public Scope allowing(Hazard hazard, int times) {
        var more = new EnumMap<Hazard, Integer>(Hazard.class);
        more.putAll(hazards);
        more.put(hazard, times);
        return new Scope(
                topology, ranking, inOrder, callers, calls, more, alarms, timing, tick, crashes, bypass, bound, effort);
    }

    public Scope ringing(int times) {
        return new Scope(
                topology, ranking, inOrder, callers, calls, hazards, times, timing, tick, crashes, bypass, bound,
                effort);
    }

    public Scope synchronous() {
        var next = Timing.SYNCHRONOUS;
        return new Scope(
                topology, ranking, inOrder, callers, calls, hazards, alarms, next, tick, crashes, bypass, bound,
                effort);
    }

    public Scope ticking(Duration next) {
        return new Scope(
                topology, ranking, inOrder, callers, calls, hazards, alarms, timing, next, crashes, bypass, bound,
                effort);
    }

    /** A crash may also happen amid a step. */
    public Scope cutting() {
        return crashing(new Crashes(true, crashes.victim, crashes.coordinators));
    }

    /**
     * Only these crash.
     *
     * @param coordinators those on which the others depend: they are coordinators and nothing else
     */
    public Scope striking(Victim victim, NodeSet coordinators) {
        return crashing(new Crashes(crashes.amid, victim, coordinators));
    }

    private Scope crashing(Crashes next) {
        return new Scope(
                topology, ranking, inOrder, callers, calls, hazards, alarms, timing, tick, next, bypass, bound, effort);
    }

    public Scope passing(OptionalInt atMost) {
        return new Scope(
                topology, ranking, inOrder, callers, calls, hazards, alarms, timing, tick, crashes, atMost, bound,
                effort);
    }

    public Scope within(Bound next) {
        var some = Optional.of(next);
        return new Scope(
                topology, ranking, inOrder, callers, calls, hazards, alarms, timing, tick, crashes, bypass, some,
                effort);
    }

    public Scope spending(Effort next) {
        return new Scope(
                topology, ranking, inOrder, callers, calls, hazards, alarms, timing, tick, crashes, bypass, bound,
                next);
    }

    /** Whether the bound ends the search at this cell. */
    boolean isBeyond(Cell cell) {
        return cell.up() && bound.map(some -> !some.within().test(cell.state())).orElse(false);
    }

    int often(Hazard hazard) {
        return often(hazards, hazard);
    }

    private static int often(Map<Hazard, Integer> hazards, Hazard hazard) {
        return hazards.getOrDefault(hazard, 0);
    }

    boolean isSynchronous() {
        return timing == Timing.SYNCHRONOUS;
    }

    private static void require(boolean sensible, String otherwise) {
        if (!sensible) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
