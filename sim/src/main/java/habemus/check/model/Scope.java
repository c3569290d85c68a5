package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.world.FaultKind;
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
 * @param requesters whose applications ask at all
 * @param requestsPerNode how often each of them asks; {@link #UNBOUNDED} for without end
 * @param faultLimits how often each may strike in one run; where alarms ring at any time, a pause is nothing new
 * @param maxTimeouts how many alarms may ring in one run; how one ends in which more would ring is left open
 * @param tick the grain in which alarms are compared in a synchronous world
 * @param crashModel who may crash, and when
 * @param bypassBound how often one who waits may be passed, if that is to be judged
 * @param bound states beyond it are judged, but what comes after them is not looked at
 */
public record Scope(
        Topology topology,
        Ranking ranking,
        boolean inOrder,
        NodeSet requesters,
        int requestsPerNode,
        Map<FaultKind, Integer> faultLimits,
        int maxTimeouts,
        Timing timing,
        Duration tick,
        CrashModel crashModel,
        OptionalInt bypassBound,
        Optional<Bound> bound,
        CheckOptions options) {

    /** Without end. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    private static final int MAX_PARTITIONED_NODES = 10;
    private static final Set<FaultKind> COUNTED_FAULTS = EnumSet.of(
            FaultKind.LOSS,
            FaultKind.DUPLICATION,
            FaultKind.CRASH,
            FaultKind.RESTART,
            FaultKind.AMNESIA,
            FaultKind.PARTITION,
            FaultKind.PAUSE,
            FaultKind.MISTAKE);

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
     * @param description in words, for the report
     * @param includes whether a node's state is still looked at
     */
    public record Bound(String description, Predicate<Object> includes) {}

    /**
     * Who may crash, and when.
     *
     * @param midStep whether also amid a step, after some of its effects
     * @param coordinators those on which the others depend
     */
    public record CrashModel(boolean midStep, CrashTarget target, NodeSet coordinators) {
        boolean mayCrash(NodeId node, NodeState nodeState) {
            return target == CrashTarget.ANYONE || target == CrashTarget.of(node, nodeState, coordinators);
        }
    }

    public Scope {
        faultLimits = Collections.unmodifiableMap(
                faultLimits.isEmpty() ? new EnumMap<>(FaultKind.class) : new EnumMap<>(faultLimits));
        for (FaultKind faultKind : faultLimits.keySet()) {
            require(
                    COUNTED_FAULTS.contains(faultKind),
                    faultKind
                            + " is not counted: any message may be slow, and unordered messages are a matter of order");
        }
        topology.requireKnown(requesters.toList());
        require(
                faultLimit(faultLimits, FaultKind.PARTITION) == 0 || topology.size() <= MAX_PARTITIONED_NODES,
                "too many ways to part so many nodes");
        require(requestsPerNode >= 0 && maxTimeouts >= 0, "nothing happens less than never");
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
                UNBOUNDED,
                Timing.ASYNCHRONOUS,
                Duration.ofMillis(50),
                new CrashModel(false, CrashTarget.ANYONE, NodeSet.NONE),
                OptionalInt.empty(),
                Optional.empty(),
                CheckOptions.defaults());
    }

    public Scope withRanking(Ranking next) {
        return new Scope(
                topology,
                next,
                inOrder,
                requesters,
                requestsPerNode,
                faultLimits,
                maxTimeouts,
                timing,
                tick,
                crashModel,
                bypassBound,
                bound,
                options);
    }

    /** Messages overtake each other. */
    public Scope withUnorderedLinks() {
        return new Scope(
                topology,
                ranking,
                false,
                requesters,
                requestsPerNode,
                faultLimits,
                maxTimeouts,
                timing,
                tick,
                crashModel,
                bypassBound,
                bound,
                options);
    }

    public Scope withRequests(NodeSet who, int times) {
        return new Scope(
                topology,
                ranking,
                inOrder,
                who,
                times,
                faultLimits,
                maxTimeouts,
                timing,
                tick,
                crashModel,
                bypassBound,
                bound,
                options);
    }

    public Scope withRequestsPerNode(int times) {
        return withRequests(requesters, times);
    }

    public Scope withFault(FaultKind faultKind, int times) {
        var more = new EnumMap<FaultKind, Integer>(FaultKind.class);
        more.putAll(faultLimits);
        more.put(faultKind, times);
        return new Scope(
                topology,
                ranking,
                inOrder,
                requesters,
                requestsPerNode,
                more,
                maxTimeouts,
                timing,
                tick,
                crashModel,
                bypassBound,
                bound,
                options);
    }

    public Scope withMaxTimeouts(int times) {
        return new Scope(
                topology,
                ranking,
                inOrder,
                requesters,
                requestsPerNode,
                faultLimits,
                times,
                timing,
                tick,
                crashModel,
                bypassBound,
                bound,
                options);
    }

    public Scope synchronous() {
        var next = Timing.SYNCHRONOUS;
        return new Scope(
                topology,
                ranking,
                inOrder,
                requesters,
                requestsPerNode,
                faultLimits,
                maxTimeouts,
                next,
                tick,
                crashModel,
                bypassBound,
                bound,
                options);
    }

    public Scope withTick(Duration next) {
        return new Scope(
                topology,
                ranking,
                inOrder,
                requesters,
                requestsPerNode,
                faultLimits,
                maxTimeouts,
                timing,
                next,
                crashModel,
                bypassBound,
                bound,
                options);
    }

    /** A crash may also happen amid a step. */
    public Scope withMidStepCrashes() {
        return withCrashes(new CrashModel(true, crashModel.target, crashModel.coordinators));
    }

    /**
     * Only these crash.
     *
     * @param coordinators those on which the others depend: they are coordinators and nothing else
     */
    public Scope withCrashTarget(CrashTarget crashTarget, NodeSet coordinators) {
        return withCrashes(new CrashModel(crashModel.midStep, crashTarget, coordinators));
    }

    private Scope withCrashes(CrashModel next) {
        return new Scope(
                topology,
                ranking,
                inOrder,
                requesters,
                requestsPerNode,
                faultLimits,
                maxTimeouts,
                timing,
                tick,
                next,
                bypassBound,
                bound,
                options);
    }

    public Scope withBypassBound(OptionalInt atMost) {
        return new Scope(
                topology,
                ranking,
                inOrder,
                requesters,
                requestsPerNode,
                faultLimits,
                maxTimeouts,
                timing,
                tick,
                crashModel,
                atMost,
                bound,
                options);
    }

    public Scope withBound(Bound next) {
        var some = Optional.of(next);
        return new Scope(
                topology,
                ranking,
                inOrder,
                requesters,
                requestsPerNode,
                faultLimits,
                maxTimeouts,
                timing,
                tick,
                crashModel,
                bypassBound,
                some,
                options);
    }

    public Scope withOptions(CheckOptions next) {
        return new Scope(
                topology,
                ranking,
                inOrder,
                requesters,
                requestsPerNode,
                faultLimits,
                maxTimeouts,
                timing,
                tick,
                crashModel,
                bypassBound,
                bound,
                next);
    }

    /** Whether the bound ends the search at this cell. */
    public boolean isBeyondBound(NodeState nodeState) {
        return nodeState.isUp()
                && bound.map(some -> !some.includes().test(nodeState.state())).orElse(false);
    }

    public int faultLimit(FaultKind faultKind) {
        return faultLimit(faultLimits, faultKind);
    }

    private static int faultLimit(Map<FaultKind, Integer> faultKinds, FaultKind faultKind) {
        return faultKinds.getOrDefault(faultKind, 0);
    }

    public boolean isSynchronous() {
        return timing == Timing.SYNCHRONOUS;
    }

    private static void require(boolean sensible, String otherwise) {
        if (!sensible) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
