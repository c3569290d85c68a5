package habemus;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Option;
import habemus.catalogue.Promise;
import habemus.catalogue.Setting;
import habemus.catalogue.Timing;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.simulate.Swarm;
import habemus.world.Detector;
import habemus.world.Fault;
import habemus.world.Hazard;
import habemus.world.Latency;
import habemus.world.Micros;
import habemus.world.Network;
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
    private static final List<Integer> PACES = List.of(1, 10, 100, 700);

    /** Trouble seldom comes alone: in most worlds it strikes while the first of it has not been noticed yet. */
    private static final List<Integer> SQUEEZES = List.of(1, 4, 16, 64);

    /** For an option that is off by itself: short enough to elapse, long enough for some networks. */
    private static final String A_WHILE = "20";

    private static final long SLOW = 20_000; // microseconds, where no message is ever too late
    private static final long LATE = 200_000; // microseconds that a detector may take longer than it must

    private final Algorithm algorithm;
    private final SplittableRandom chance;

    private RandomWorlds(Algorithm algorithm, long seed) {
        this.algorithm = algorithm;
        chance = new SplittableRandom(seed);
    }

    /** A run as bad as the algorithm promises to survive at its best; what it promises in there, a trial tells. */
    public static Trial promised(Algorithm algorithm, long seed) {
        return struck(algorithm, survivable(algorithm), seed);
    }

    /** A run that meets some of these hazards. */
    public static Trial struck(Algorithm algorithm, Set<Hazard> hazards, long seed) {
        return new RandomWorlds(algorithm, seed).draw(hazards);
    }

    /** All that the algorithm survives, if only with some of its promises kept. */
    public static Set<Hazard> survivable(Algorithm algorithm) {
        var hazards = EnumSet.noneOf(Hazard.class);
        promises(algorithm).forEach(promise -> hazards.addAll(promise.survives()));
        return hazards;
    }

    private static List<Promise> promises(Algorithm algorithm) {
        return algorithm.promises().apply(Setting.standard());
    }

    private Trial draw(Set<Hazard> hazards) {
        var topology = topology(2 + chance.nextInt(4));
        var ranking = ranking(topology.nodes());
        var latency = latency(topology.nodes());
        var world = new World(
                topology, ranking, Network.FIFO, latency, detector(latency), workload(topology.nodes()), List.of());
        var struck = Swarm.strike(world, hazards, chance.nextLong());
        var squeezed = struck.struckBy(squeezed(struck.faults(), SQUEEZES.get(chance.nextInt(SQUEEZES.size()))));
        return new Trial(algorithm, setting(ranking, topology.size()), squeezed, chance.nextLong());
    }

    /** The same faults in the same order, all within a part of the time; what heals them in the end stays. */
    private static List<Fault.Planned> squeezed(List<Fault.Planned> faults, int squeeze) {
        return faults.stream()
                .map(planned -> planned.fault() instanceof Fault.Heal
                        ? planned
                        : new Fault.Planned(planned.at().dividedBy(squeeze), planned.fault()))
                .toList();
    }

    /** A ring has its numbers in any order, and with gaps; so has a graph, which may also be a ring, or complete. */
    private Topology topology(int size) {
        return switch (algorithm.shape()) {
            case COMPLETE -> Topology.complete(size);
            case RING -> Topology.ring(some(size));
            case GRAPH ->
                switch (chance.nextInt(4)) {
                    case 0 -> Topology.complete(size);
                    case 1 -> Topology.ring(some(size));
                    default -> graph(some(size));
                };
        };
    }

    /** A tree, and some edges more: connected, whatever they are. */
    private Topology graph(List<NodeId> nodes) {
        var edges = new ArrayList<Topology.Edge>();
        for (int i = 1; i < nodes.size(); i++) {
            int parent = chance.nextInt(i);
            for (int j = 0; j < i; j++) {
                if (j == parent || chance.nextInt(4) == 0) {
                    edges.add(new Topology.Edge(nodes.get(i), nodes.get(j)));
                }
            }
        }
        return Topology.graph(nodes, edges);
    }

    private List<NodeId> some(int size) {
        var left = new ArrayList<NodeId>();
        for (int number = 1; number <= 2 * size; number++) {
            left.add(new NodeId(number));
        }
        var some = new ArrayList<NodeId>();
        while (some.size() < size) {
            some.add(left.remove(chance.nextInt(left.size())));
        }
        return some;
    }

    /** Few ranks, so that some nodes share one. */
    private Ranking ranking(List<NodeId> nodes) {
        if (!algorithm.ranked() || chance.nextBoolean()) {
            return Ranking.BY_NUMBER;
        }
        return new Ranking(nodes.stream()
                .map(node -> new Ranking.Rank(node, chance.nextInt(3)))
                .toList());
    }

    private Latency latency(List<NodeId> nodes) {
        var bound = bound();
        var common = bound.isPresent() ? bounded(bound.get()) : any();
        if (chance.nextInt(4) > 0) {
            return common;
        }
        var from = nodes.get(chance.nextInt(nodes.size()));
        var to = nodes.get(chance.nextInt(nodes.size()));
        var own = bounded(bound.orElse(10 * SLOW));
        return new Latency.PerLink(common, List.of(new Latency.PerLink.Link(from, to, own)));
    }

    /** The time that no message may exceed, if the algorithm assumes one. */
    private Optional<Long> bound() {
        return promises(algorithm).stream()
                .map(Promise::timing)
                .flatMap(timing -> bound(timing).stream())
                .min(Long::compare);
    }

    private static Optional<Long> bound(Timing timing) {
        return switch (timing) {
            case Timing.Synchronous(var delay) -> Optional.of(Micros.of(delay));
            case Timing.Prompt(var delay) -> Optional.of(Micros.of(delay));
            case Timing.Bounded() -> Optional.of(10 * SLOW);
            case Timing.Asynchronous() -> Optional.empty();
            case Timing.Noticing() -> Optional.empty();
            case Timing.Clocked() -> Optional.empty();
        };
    }

    /** In half of the worlds up to the very bound, where things go wrong. */
    private Latency bounded(long bound) {
        long most = chance.nextBoolean() ? bound : chance.nextLong(bound + 1);
        return chance.nextInt(4) == 0
                ? new Latency.Fixed(Micros.toDuration(most))
                : new Latency.Uniform(Micros.toDuration(chance.nextLong(most + 1)), Micros.toDuration(most));
    }

    private Latency any() {
        var typical = Micros.toDuration(1 + chance.nextLong(SLOW));
        return switch (chance.nextInt(3)) {
            case 0 -> new Latency.Exponential(typical);
            case 1 -> new Latency.LogNormal(typical, 1);
            default -> bounded(SLOW);
        };
    }

    /** Never so fast that a crash is known before the last messages of the dead have arrived and been answered. */
    private Detector detector(Latency latency) {
        long twice = 2 * latency.longest().map(Micros::of).orElse(SLOW);
        long late = chance.nextBoolean() ? 0 : chance.nextLong(LATE);
        return new Detector.Oracle(Micros.toDuration(twice + 1 + late));
    }

    private Workload workload(List<NodeId> nodes) {
        boolean mutex = algorithm.problem() == Problem.MUTEX;
        int pace = PACES.get(chance.nextInt(PACES.size()));
        var chatter = Workload.Chatter.values()[chance.nextInt(mutex ? 3 : 1)];
        int entries = 1 + chance.nextInt(mutex ? 4 : 2);
        return new Workload(
                calls(nodes, pace), entries, millis(2 * pace), millis(mutex ? 20 : 1), chatter, Workload.Writing.NONE);
    }

    /** Some nodes, at least one; in half of the worlds all at once. */
    private List<Workload.Call> calls(List<NodeId> nodes, int pace) {
        boolean together = chance.nextBoolean();
        var always = nodes.get(chance.nextInt(nodes.size()));
        var calls = new ArrayList<Workload.Call>();
        for (NodeId node : nodes) {
            var at = together ? Duration.ZERO : millis(2 * pace);
            if (node.equals(always) || chance.nextInt(4) > 0) {
                calls.add(new Workload.Call(node, at));
            }
        }
        return calls;
    }

    private Duration millis(int most) {
        return Duration.ofMillis(chance.nextInt(most));
    }

    /** Flags and numbers by chance, and durations that are off; others as they stand, because they must fit. */
    private Setting setting(Ranking ranking, int nodes) {
        var setting = new Setting(ranking, nodes);
        for (Option<?> option : algorithm.options()) {
            setting = choose(setting, option);
        }
        return setting;
    }

    private <T> Setting choose(Setting setting, Option<T> option) {
        return switch (option.standard()) {
            case Boolean flag -> setting.with(option, option.read(Boolean.toString(chance.nextBoolean())));
            case List<?> numbers -> setting.with(option, option.read(chance.nextInt(50) + "," + chance.nextInt(50)));
            case Duration off when off.isZero() && chance.nextBoolean() -> setting.with(option, option.read(A_WHILE));
            default -> setting;
        };
    }
}
