package habemus;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Guarantee;
import habemus.catalogue.TimingAssumption;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.simulate.SwarmFaults;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.LatencyModel;
import habemus.world.Micros;
import habemus.world.NetworkModel;
import habemus.world.Problem;
import habemus.world.Topology;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Worlds by seed: a few nodes, some of which want something at some time, on links as slow as the algorithm allows,
 * and struck by a swarm of faults. The same seed makes the same world, on any machine.
 */
public final class RandomWorlds {

    /** Whether applications are busy or lazy matters: trouble is spread over two seconds. In milliseconds. */
    private static final List<Integer> PACES_MILLIS = List.of(1, 10, 100, 700);

    /** Trouble seldom comes alone: in most worlds it strikes while the first of it has not been noticed yet. */
    private static final List<Integer> COMPRESSION_FACTORS = List.of(1, 4, 16, 64);

    /** For an option that is off by itself: short enough to elapse, long enough for some networks. */
    private static final String SHORT_DURATION_MILLIS = "20";

    private static final long SLOW_MICROS = 20_000; // microseconds, where no message is ever too late
    private static final long MAX_DETECTION_DELAY_MICROS =
            200_000; // microseconds that a detector may take longer than it must

    private final Algorithm algorithm;
    private final SplittableRandom random;

    private RandomWorlds(Algorithm algorithm, long seed) {
        this.algorithm = algorithm;
        random = new SplittableRandom(seed);
    }

    /** A run as bad as the algorithm promises to survive at its best; what it promises in there, a trial tells. */
    public static FuzzCase withinGuarantees(Algorithm algorithm, long seed) {
        return withFaults(algorithm, toleratedFaults(algorithm), seed);
    }

    /** A run that meets some of these hazards. */
    public static FuzzCase withFaults(Algorithm algorithm, Set<FaultKind> faultKinds, long seed) {
        return new RandomWorlds(algorithm, seed).draw(faultKinds);
    }

    /** All that the algorithm survives, if only with some of its promises kept. */
    public static Set<FaultKind> toleratedFaults(Algorithm algorithm) {
        var faultKinds = EnumSet.noneOf(FaultKind.class);
        guarantees(algorithm).forEach(guarantee -> faultKinds.addAll(guarantee.tolerates()));
        return faultKinds;
    }

    private static List<Guarantee> guarantees(Algorithm algorithm) {
        return algorithm.guarantees().apply(AlgorithmParameters.defaults());
    }

    private FuzzCase draw(Set<FaultKind> faultKinds) {
        var topology = topology(2 + random.nextInt(4));
        var ranking = ranking(topology.nodes());
        var latencyModel = latency(topology.nodes());
        var world = new World(
                topology,
                ranking,
                NetworkModel.FIFO,
                latencyModel,
                detector(latencyModel),
                workload(topology.nodes()),
                List.of());
        var struck = SwarmFaults.inject(world, faultKinds, random.nextLong());
        var squeezed = struck.withFaults(
                compressed(struck.faults(), COMPRESSION_FACTORS.get(random.nextInt(COMPRESSION_FACTORS.size()))));
        return new FuzzCase(algorithm, setting(ranking, topology.size()), squeezed, random.nextLong());
    }

    /** The same faults in the same order, all within a part of the time; what heals them in the end stays. */
    private static List<Fault.PlannedFault> compressed(List<Fault.PlannedFault> faults, int squeeze) {
        return faults.stream()
                .map(plannedFault -> plannedFault.fault() instanceof Fault.Heal
                        ? plannedFault
                        : new Fault.PlannedFault(plannedFault.at().dividedBy(squeeze), plannedFault.fault()))
                .toList();
    }

    /** A ring has its numbers in any order, and with gaps; so has a graph, which may also be a ring, or complete. */
    private Topology topology(int size) {
        return switch (algorithm.shape()) {
            case COMPLETE -> Topology.complete(size);
            case RING -> Topology.ring(randomNodes(size));
            case GRAPH ->
                switch (random.nextInt(4)) {
                    case 0 -> Topology.complete(size);
                    case 1 -> Topology.ring(randomNodes(size));
                    default -> graph(randomNodes(size));
                };
        };
    }

    /** A tree, and some edges more: connected, whatever they are. */
    private Topology graph(List<NodeId> nodes) {
        var edges = new ArrayList<Topology.Edge>();
        for (int i = 1; i < nodes.size(); i++) {
            int parent = random.nextInt(i);
            for (int j = 0; j < i; j++) {
                if (j == parent || random.nextInt(4) == 0) {
                    edges.add(new Topology.Edge(nodes.get(i), nodes.get(j)));
                }
            }
        }
        return Topology.graph(nodes, edges);
    }

    private List<NodeId> randomNodes(int size) {
        var left = new ArrayList<NodeId>();
        for (int number = 1; number <= 2 * size; number++) {
            left.add(new NodeId(number));
        }
        var some = new ArrayList<NodeId>();
        while (some.size() < size) {
            some.add(left.remove(random.nextInt(left.size())));
        }
        return some;
    }

    /** Few ranks, so that some nodes share one. */
    private Ranking ranking(List<NodeId> nodes) {
        if (!algorithm.ranked() || random.nextBoolean()) {
            return Ranking.BY_NUMBER;
        }
        return new Ranking(nodes.stream()
                .map(node -> new Ranking.Rank(node, random.nextInt(3)))
                .toList());
    }

    private LatencyModel latency(List<NodeId> nodes) {
        var bound = bound();
        var common = bound.isPresent() ? bounded(bound.get()) : unbounded();
        if (random.nextInt(4) > 0) {
            return common;
        }
        var from = nodes.get(random.nextInt(nodes.size()));
        var to = nodes.get(random.nextInt(nodes.size()));
        var own = bounded(bound.orElse(10 * SLOW_MICROS));
        return new LatencyModel.PerLink(common, List.of(new LatencyModel.PerLink.Link(from, to, own)));
    }

    /** The time that no message may exceed, if the algorithm assumes one. */
    private Optional<Long> bound() {
        return guarantees(algorithm).stream()
                .map(Guarantee::timingAssumption)
                .flatMap(timingAssumption -> bound(timingAssumption).stream())
                .min(Long::compare);
    }

    private static Optional<Long> bound(TimingAssumption timingAssumption) {
        return switch (timingAssumption) {
            case TimingAssumption.Synchronous(var delay) -> Optional.of(Micros.of(delay));
            case TimingAssumption.DelayBound(var delay) -> Optional.of(Micros.of(delay));
            case TimingAssumption.UnknownDelayBound() -> Optional.of(10 * SLOW_MICROS);
            case TimingAssumption.Asynchronous() -> Optional.empty();
            case TimingAssumption.CrashDetection() -> Optional.empty();
            case TimingAssumption.Clocked() -> Optional.empty();
        };
    }

    /** In half of the worlds up to the very bound, where things go wrong. */
    private LatencyModel bounded(long bound) {
        long most = random.nextBoolean() ? bound : random.nextLong(bound + 1);
        return random.nextInt(4) == 0
                ? new LatencyModel.Fixed(Micros.toDuration(most))
                : new LatencyModel.Uniform(Micros.toDuration(random.nextLong(most + 1)), Micros.toDuration(most));
    }

    private LatencyModel unbounded() {
        var typical = Micros.toDuration(1 + random.nextLong(SLOW_MICROS));
        return switch (random.nextInt(3)) {
            case 0 -> new LatencyModel.Exponential(typical);
            case 1 -> new LatencyModel.LogNormal(typical, 1);
            default -> bounded(SLOW_MICROS);
        };
    }

    /** Never so fast that a crash is known before the last messages of the dead have arrived and been answered. */
    private DetectorModel detector(LatencyModel latencyModel) {
        long twice = 2 * latencyModel.longest().map(Micros::of).orElse(SLOW_MICROS);
        long late = random.nextBoolean() ? 0 : random.nextLong(MAX_DETECTION_DELAY_MICROS);
        return new DetectorModel.Oracle(Micros.toDuration(twice + 1 + late));
    }

    private Workload workload(List<NodeId> nodes) {
        boolean mutex = algorithm.problem() == Problem.MUTEX;
        int pace = PACES_MILLIS.get(random.nextInt(PACES_MILLIS.size()));
        var chatter = Workload.Chatter.values()[random.nextInt(mutex ? 3 : 1)];
        int entries = 1 + random.nextInt(mutex ? 4 : 2);
        return new Workload(
                calls(nodes, pace), entries, millis(2 * pace), millis(mutex ? 20 : 1), chatter, Workload.Writing.NONE);
    }

    /** Some nodes, at least one; in half of the worlds all at once. */
    private List<Workload.Request> calls(List<NodeId> nodes, int pace) {
        boolean together = random.nextBoolean();
        var always = nodes.get(random.nextInt(nodes.size()));
        var requests = new ArrayList<Workload.Request>();
        for (NodeId node : nodes) {
            var at = together ? Duration.ZERO : millis(2 * pace);
            if (node.equals(always) || random.nextInt(4) > 0) {
                requests.add(new Workload.Request(node, at));
            }
        }
        return requests;
    }

    private Duration millis(int most) {
        return Duration.ofMillis(random.nextInt(most));
    }

    /** Flags and numbers by chance, and durations that are off; others as they stand, because they must fit. */
    private AlgorithmParameters setting(Ranking ranking, int nodes) {
        var algorithmParameters = new AlgorithmParameters(ranking, nodes);
        for (AlgorithmOption<?> algorithmOption : algorithm.algorithmOptions()) {
            algorithmParameters = choose(algorithmParameters, algorithmOption);
        }
        return algorithmParameters;
    }

    private <T> AlgorithmParameters choose(
            AlgorithmParameters algorithmParameters, AlgorithmOption<T> algorithmOption) {
        return switch (algorithmOption.defaultValue()) {
            case Boolean flag ->
                algorithmParameters.with(
                        algorithmOption, algorithmOption.parse(Boolean.toString(random.nextBoolean())));
            case List<?> numbers ->
                algorithmParameters.with(
                        algorithmOption, algorithmOption.parse(random.nextInt(50) + "," + random.nextInt(50)));
            case Duration off
            when off.isZero() && random.nextBoolean() ->
                algorithmParameters.with(algorithmOption, algorithmOption.parse(SHORT_DURATION_MILLIS));
            default -> algorithmParameters;
        };
    }
}
