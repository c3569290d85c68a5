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
import habemus.world.KebabCase;
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
 * Random worlds for fuzzing: a few nodes with a random workload, on links as slow as the algorithm allows, with random
 * faults. The same seed gives the same world on any machine.
 */
public final class RandomWorlds {

    /** The typical time between two requests. The faults are spread over two seconds. */
    private static final List<Integer> PACES_MILLIS = List.of(1, 10, 100, 700);

    /** In most worlds the faults are compressed, so that the next one happens before the nodes notice the first. */
    private static final List<Integer> COMPRESSION_FACTORS = List.of(1, 4, 16, 64);

    /** For durations that are off by default: short enough to expire, long enough for some networks. */
    private static final String SHORT_DURATION_MILLIS = "20";

    /** The typical maximum latency if the algorithm assumes no bound. */
    private static final long SLOW_MICROS = 20_000;

    /** The maximum time that a detector takes in addition to the minimum. */
    private static final long MAX_DETECTION_DELAY_MICROS = 200_000;

    private static final Workload.LogCallMix ALL_LOG_CALLS = new Workload.LogCallMix(10, 15, 15, 10);

    private final Algorithm algorithm;
    private final SplittableRandom random;

    private RandomWorlds(Algorithm algorithm, long seed) {
        this.algorithm = algorithm;
        random = new SplittableRandom(seed);
    }

    /** A run with all faults that the algorithm tolerates. The {@link FuzzCase} knows the guarantees in this run. */
    public static FuzzCase withinGuarantees(Algorithm algorithm, long seed) {
        return withFaults(algorithm, toleratedFaults(algorithm), seed);
    }

    /** A run with some faults of these kinds. */
    public static FuzzCase withFaults(Algorithm algorithm, Set<FaultKind> faultKinds, long seed) {
        return new RandomWorlds(algorithm, seed).draw(faultKinds);
    }

    /** The fault kinds that at least one guarantee of the algorithm tolerates. */
    public static Set<FaultKind> toleratedFaults(Algorithm algorithm) {
        var faultKinds = EnumSet.noneOf(FaultKind.class);
        guarantees(algorithm).forEach(guarantee -> faultKinds.addAll(guarantee.tolerates()));
        return faultKinds;
    }

    /** All fault kinds, except changes of the membership of an algorithm whose members are fixed. */
    public static Set<FaultKind> possibleFaults(Algorithm algorithm) {
        var faultKinds = EnumSet.allOf(FaultKind.class);
        if (!algorithm.changesMembers()) {
            faultKinds.removeAll(EnumSet.of(FaultKind.JOIN, FaultKind.LEAVE));
        }
        return faultKinds;
    }

    private static List<Guarantee> guarantees(Algorithm algorithm) {
        return algorithm.guarantees().apply(AlgorithmParameters.defaults());
    }

    private FuzzCase draw(Set<FaultKind> faultKinds) {
        return algorithm.problem() == Problem.THREADS ? drawProgram(faultKinds) : drawNetwork(faultKinds);
    }

    /** A few threads; every other option as in {@link #parameters}. */
    private FuzzCase drawProgram(Set<FaultKind> faultKinds) {
        var parameters = parameters(Ranking.BY_NUMBER, 0);
        var topology = Topology.complete(algorithm.nodeCount(parameters).orElseThrow());
        var world = World.of(topology).withLatency(latency(topology.nodes()));
        return new FuzzCase(
                algorithm, parameters, SwarmFaults.inject(world, faultKinds, random.nextLong()), random.nextLong());
    }

    private FuzzCase drawNetwork(Set<FaultKind> faultKinds) {
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
                List.of(),
                List.of());
        var faulty = SwarmFaults.inject(world, faultKinds, random.nextLong());
        int factor = COMPRESSION_FACTORS.get(random.nextInt(COMPRESSION_FACTORS.size()));
        var compressed = faulty.withFaults(compressed(faulty.faults(), factor));
        var parameters = parameters(ranking, topology.size());
        return new FuzzCase(algorithm, parameters, compressed.withRanking(parameters.ranking()), random.nextLong());
    }

    /** The same faults in the same order in a fraction of the time. The final heal stays where it is. */
    private static List<Fault.PlannedFault> compressed(List<Fault.PlannedFault> faults, int factor) {
        return faults.stream()
                .map(planned -> planned.fault() instanceof Fault.Heal
                        ? planned
                        : new Fault.PlannedFault(planned.at().dividedBy(factor), planned.fault()))
                .toList();
    }

    /** Rings and graphs have node numbers in random order and with gaps. A graph may also be a ring, or complete. */
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

    /** A random tree with some more edges: always connected. */
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
        var candidates = new ArrayList<NodeId>();
        for (int number = 1; number <= 2 * size; number++) {
            candidates.add(new NodeId(number));
        }
        var nodes = new ArrayList<NodeId>();
        while (nodes.size() < size) {
            nodes.add(candidates.remove(random.nextInt(candidates.size())));
        }
        return nodes;
    }

    /** Only three different ranks, so that some nodes have equal ranks. */
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

    /** The maximum latency that the algorithm assumes, if any. */
    private Optional<Long> bound() {
        return guarantees(algorithm).stream()
                .map(Guarantee::timing)
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

    /** In half of the worlds the maximum latency is the bound itself. */
    private LatencyModel bounded(long bound) {
        long max = random.nextBoolean() ? bound : random.nextLong(bound + 1);
        return random.nextInt(4) == 0
                ? new LatencyModel.Fixed(Micros.toDuration(max))
                : new LatencyModel.Uniform(Micros.toDuration(random.nextLong(max + 1)), Micros.toDuration(max));
    }

    private LatencyModel unbounded() {
        var typical = Micros.toDuration(1 + random.nextLong(SLOW_MICROS));
        return switch (random.nextInt(3)) {
            case 0 -> new LatencyModel.Exponential(typical);
            case 1 -> new LatencyModel.LogNormal(typical, 1);
            default -> bounded(SLOW_MICROS);
        };
    }

    /** Detection takes longer than a round trip: a crash is detected after the last messages of the crashed node. */
    private DetectorModel detector(LatencyModel latencyModel) {
        long roundTrip = 2 * latencyModel.longest().map(Micros::of).orElse(SLOW_MICROS);
        long delay = random.nextBoolean() ? 0 : random.nextLong(MAX_DETECTION_DELAY_MICROS);
        return new DetectorModel.Oracle(Micros.toDuration(roundTrip + 1 + delay));
    }

    private Workload workload(List<NodeId> nodes) {
        if (algorithm.problem() == Problem.LOG) {
            return Workload.once(nodes)
                    .withEntries(1 + random.nextInt(8))
                    .withThinkTime(Duration.ofMillis(1 + random.nextInt(200)))
                    .withMix(new Workload.LogCallMix(15, 10, 15, 10));
        }
        boolean isMutex = algorithm.problem() == Problem.MUTEX;
        boolean isLog = algorithm.problem() == Problem.LOG;
        int pace = PACES_MILLIS.get(random.nextInt(PACES_MILLIS.size()));
        var chatter = Workload.Chatter.values()[random.nextInt(isMutex ? 3 : 1)];
        int entries = 1 + random.nextInt(isMutex ? 4 : isLog ? 40 : 2);
        return new Workload(
                requests(nodes, pace),
                entries,
                millis(2 * pace),
                millis(isMutex ? 20 : 1),
                chatter,
                Workload.Writing.NONE,
                isLog ? ALL_LOG_CALLS : Workload.LogCallMix.PROPOSALS,
                List.of());
    }

    /** Requests of some nodes, at least of one; in half of the worlds all at time zero. */
    private List<Workload.Request> requests(List<NodeId> nodes, int pace) {
        boolean isSimultaneous = random.nextBoolean();
        var required = nodes.get(random.nextInt(nodes.size()));
        var requests = new ArrayList<Workload.Request>();
        for (NodeId node : nodes) {
            var at = isSimultaneous ? Duration.ZERO : millis(2 * pace);
            if (node.equals(required) || random.nextInt(4) > 0) {
                requests.add(new Workload.Request(node, at));
            }
        }
        return requests;
    }

    private Duration millis(int bound) {
        return Duration.ofMillis(random.nextInt(bound));
    }

    /** Random flags, lists of numbers and durations that are off by default; other options keep their defaults. */
    private AlgorithmParameters parameters(Ranking ranking, int nodes) {
        var parameters = new AlgorithmParameters(ranking, nodes);
        for (AlgorithmOption<?> option : algorithm.options()) {
            parameters = choose(parameters, option);
        }
        return parameters;
    }

    private <T> AlgorithmParameters choose(AlgorithmParameters parameters, AlgorithmOption<T> option) {
        return switch (option.defaultValue()) {
            case Enum<?> variant -> {
                var constants = variant.getDeclaringClass().getEnumConstants();
                yield parameters.with(option, option.parse(KebabCase.of(constants[random.nextInt(constants.length)])));
            }
            case Integer count
            when algorithm.problem() == Problem.THREADS
                    && List.of("threads", "rounds").contains(option.name()) ->
                parameters.with(option, option.parse(Integer.toString(2 + random.nextInt(3))));
            case Boolean flag -> parameters.with(option, option.parse(Boolean.toString(random.nextBoolean())));
            case List<?> numbers ->
                parameters.with(option, option.parse(random.nextInt(50) + "," + random.nextInt(50)));
            case Duration off
            when off.isZero() && random.nextBoolean() -> parameters.with(option, option.parse(SHORT_DURATION_MILLIS));
            default -> parameters;
        };
    }
}
