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
 * The world whose runs are checked: what may happen in it, and how often.
 *
 * @param joiners the nodes that are no members at the start
 * @param inOrder whether a link delivers messages in the order of sending; else they overtake each other
 * @param bypassBound how often others may acquire the lock while a node waits; empty if that is not checked in replays
 * @param bound ends the search at some states: their properties are checked, their successors are not
 */
public record Scope(
        Topology topology,
        NodeSet joiners,
        Ranking ranking,
        boolean inOrder,
        Timers timers,
        Requests requests,
        Faults faults,
        OptionalInt bypassBound,
        Optional<Bound> bound,
        CheckOptions options) {

    /** In place of a limit: none. */
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
            FaultKind.MISTAKE,
            FaultKind.TAIL_LOSS,
            FaultKind.JOIN,
            FaultKind.LEAVE);

    /** When timers fire and detectors report crashes. */
    public enum Timing {
        /** At any moment, however long a message takes. */
        ASYNCHRONOUS,
        /** Only while no message is in flight; timers in the order of their times. */
        SYNCHRONOUS
    }

    /**
     * @param tick the unit in which synchronous timers are compared
     * @param maxTimeouts the most timeouts in one run; the end of a run that needs more stays undecided
     * @param maxInFlight with asynchronous timing, no timer fires while more messages are in flight
     */
    public record Timers(Timing timing, Duration tick, int maxTimeouts, int maxInFlight) {
        public Timers {
            require(maxTimeouts >= 0, "maxTimeouts must not be negative, was " + maxTimeouts);
        }
    }

    /**
     * @param nodes the nodes whose applications request the lock, or an election
     * @param perNode how often each of them does; {@link #UNBOUNDED} for no limit
     */
    public record Requests(NodeSet nodes, int perNode, LogCalls logCalls) {
        public Requests {
            require(perNode >= 0, "requests per node must not be negative, was " + perNode);
        }
    }

    /** How often applications call the leader of a replicated log in one run, at whatever node. */
    public record LogCalls(int proposals, int reads, int snapshots, int memberChanges, int transfers) {

        public static final LogCalls NONE = new LogCalls(0, 0, 0, 0, 0);
    }

    /**
     * @param limits how often each kind of fault may happen in one run. With {@link Timing#ASYNCHRONOUS}, pauses do not
     *     count: a paused node is only slow
     */
    public record Faults(Map<FaultKind, Integer> limits, CrashModel crashes) {
        public Faults {
            limits = Collections.unmodifiableMap(
                    limits.isEmpty() ? new EnumMap<>(FaultKind.class) : new EnumMap<>(limits));
            for (FaultKind kind : limits.keySet()) {
                require(
                        COUNTED_FAULTS.contains(kind),
                        kind + " has no limit: every message may be slow, and links may be unordered");
            }
        }

        public int limit(FaultKind kind) {
            return limits.getOrDefault(kind, 0);
        }
    }

    /**
     * Which nodes may crash, and when.
     *
     * @param midStep whether also in the middle of a step, after some of its effects
     * @param coordinators the nodes on which the others depend
     */
    public record CrashModel(boolean midStep, CrashTarget target, NodeSet coordinators) {

        /** Any node, between two steps. */
        public static final CrashModel ANY_NODE = new CrashModel(false, CrashTarget.ANYONE, NodeSet.NONE);

        boolean mayCrash(NodeId node, NodeState nodeState) {
            return target == CrashTarget.ANYONE || target == CrashTarget.of(node, nodeState, coordinators);
        }
    }

    /**
     * Bounds a value that grows without end, such as a clock.
     *
     * @param description for the report
     * @param includes whether the search goes on after an algorithm state
     */
    public record Bound(String description, Predicate<Object> includes) {}

    public Scope {
        topology.requireKnown(requests.nodes.toList());
        topology.requireKnown(joiners.toList());
        require(
                faults.limit(FaultKind.PARTITION) == 0 || topology.size() <= MAX_PARTITIONED_NODES,
                "partitions need at most " + MAX_PARTITIONED_NODES + " nodes, were " + topology.size());
    }

    /** Links in order, no faults, one request per node, timers at any time. */
    public static Scope of(Topology topology) {
        return new Scope(
                topology,
                NodeSet.NONE,
                Ranking.BY_NUMBER,
                true,
                new Timers(Timing.ASYNCHRONOUS, Duration.ofMillis(50), UNBOUNDED, UNBOUNDED),
                new Requests(NodeSet.of(topology.nodes()), 1, LogCalls.NONE),
                new Faults(Map.of(), CrashModel.ANY_NODE),
                OptionalInt.empty(),
                Optional.empty(),
                CheckOptions.defaults());
    }

    /** These nodes are no members at the start. They may join as often as {@link FaultKind#JOIN} is allowed. */
    public Scope withJoiners(NodeSet next) {
        return new Scope(topology, next, ranking, inOrder, timers, requests, faults, bypassBound, bound, options);
    }

    /** The last nodes of the topology, but not all, may join. */
    public Scope withJoins(int times) {
        int joins = Math.min(times, topology.size() - 1);
        var last = topology.nodes().subList(topology.size() - joins, topology.size());
        return withJoiners(NodeSet.of(last)).withFault(FaultKind.JOIN, joins);
    }

    /** The nodes that start first. */
    public NodeSet firstMembers() {
        return NodeSet.of(topology.nodes()).without(joiners);
    }

    /** Whether nodes may join or leave. */
    public boolean isMembershipDynamic() {
        return faults.limit(FaultKind.JOIN) > 0 || faults.limit(FaultKind.LEAVE) > 0;
    }

    public Scope withRanking(Ranking next) {
        return new Scope(topology, joiners, next, inOrder, timers, requests, faults, bypassBound, bound, options);
    }

    /** Messages overtake each other. */
    public Scope withUnorderedLinks() {
        return new Scope(topology, joiners, ranking, false, timers, requests, faults, bypassBound, bound, options);
    }

    private Scope with(Timers next) {
        return new Scope(topology, joiners, ranking, inOrder, next, requests, faults, bypassBound, bound, options);
    }

    private Scope with(Requests next) {
        return new Scope(topology, joiners, ranking, inOrder, timers, next, faults, bypassBound, bound, options);
    }

    Scope with(Faults next) {
        return new Scope(topology, joiners, ranking, inOrder, timers, requests, next, bypassBound, bound, options);
    }

    public Scope withBypassBound(OptionalInt next) {
        return new Scope(topology, joiners, ranking, inOrder, timers, requests, faults, next, bound, options);
    }

    public Scope withBound(Bound next) {
        return with(Optional.of(next));
    }

    Scope with(Optional<Bound> next) {
        return new Scope(topology, joiners, ranking, inOrder, timers, requests, faults, bypassBound, next, options);
    }

    public Scope withOptions(CheckOptions next) {
        return new Scope(topology, joiners, ranking, inOrder, timers, requests, faults, bypassBound, bound, next);
    }

    public Scope withRequests(NodeSet nodes, int perNode) {
        return with(new Requests(nodes, perNode, requests.logCalls));
    }

    public Scope withRequestsPerNode(int times) {
        return with(new Requests(requests.nodes, times, requests.logCalls));
    }

    public Scope withLogCalls(LogCalls calls) {
        return with(new Requests(requests.nodes, requests.perNode, calls));
    }

    /** Whether an entry is synced as soon as it is appended. If no entry can be lost, a slow sync is a slow message. */
    boolean syncsAtOnce() {
        return faults.limit(FaultKind.TAIL_LOSS) == 0;
    }

    public Scope withMaxTimeouts(int times) {
        return with(new Timers(timers.timing, timers.tick, times, timers.maxInFlight));
    }

    /** No timer fires while more messages are in flight: timers may be early, but the world stays finite. */
    public Scope withMaxInFlight(int messages) {
        return with(new Timers(timers.timing, timers.tick, timers.maxTimeouts, messages));
    }

    public Scope synchronous() {
        return with(new Timers(Timing.SYNCHRONOUS, timers.tick, timers.maxTimeouts, UNBOUNDED));
    }

    public Scope withFault(FaultKind kind, int times) {
        var limits = new EnumMap<FaultKind, Integer>(FaultKind.class);
        limits.putAll(faults.limits);
        limits.put(kind, times);
        return with(new Faults(limits, faults.crashes));
    }

    /** A node may also crash in the middle of a step. */
    public Scope withMidStepCrashes() {
        return with(new CrashModel(true, faults.crashes.target, faults.crashes.coordinators));
    }

    /**
     * Only these nodes crash.
     *
     * @param coordinators the nodes on which the others depend; none of them counts as a holder, waiter or bystander
     */
    public Scope withCrashTarget(CrashTarget target, NodeSet coordinators) {
        return with(new CrashModel(faults.crashes.midStep, target, coordinators));
    }

    private Scope with(CrashModel next) {
        return with(new Faults(faults.limits, next));
    }

    /** Whether the bound ends the search at this node state. */
    public boolean isBeyondBound(NodeState nodeState) {
        return nodeState.isUp()
                && bound.map(some -> !some.includes().test(nodeState.state())).orElse(false);
    }

    public boolean isSynchronous() {
        return timers.timing == Timing.SYNCHRONOUS;
    }

    private static void require(boolean rule, String message) {
        if (!rule) {
            throw new IllegalArgumentException(message);
        }
    }
}
