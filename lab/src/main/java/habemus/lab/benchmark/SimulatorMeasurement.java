package habemus.lab.benchmark;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.catalogue.CostFormula;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Measures events per second of the simulator: with a thousand messages in flight, and with a million nodes. */
public final class SimulatorMeasurement {

    private static final int MUTEX_NODES = 32; // each requests from 31 others: about a thousand messages in flight
    private static final int RING_NODES = 1_000_000;

    private final Progress progress;

    public SimulatorMeasurement(Progress progress) {
        this.progress = progress;
    }

    /**
     * @param rounds how often each benchmark runs; the best counts, because disturbances only slow it down
     * @param seed of every round
     */
    public List<Measurement> run(int rounds, long seed) {
        return List.of(
                best(rounds, seed, "1,000 messages in flight", this::saturatedMutex),
                best(rounds, seed, "1,000 messages in flight, monitored", this::monitoredMutex),
                best(rounds, seed, "a ring of 1,000,000", this::millionNodeRing));
    }

    private interface Round {
        Measurement run(long seed);
    }

    private Measurement best(int rounds, long seed, String label, Round round) {
        var all = new ArrayList<Measurement>();
        for (int i = 0; i < rounds; i++) {
            progress.onProgress(label, i, rounds);
            all.add(round.run(seed));
        }
        return Collections.max(all, (a, b) -> Double.compare(a.eventsPerCpuSecond(), b.eventsPerCpuSecond()));
    }

    private Measurement saturatedMutex(long seed) {
        return Measurement.of(
                "ricart-agrawala, 32 competing nodes: 1,000 messages in flight",
                "≥ 10 M events/s",
                () -> simulation("ricart-agrawala", saturated(), seed)
                        .withoutMonitors()
                        .run(),
                result -> "");
    }

    private Measurement monitoredMutex(long seed) {
        return Measurement.of(
                "the same, with all property monitors and vector clocks",
                "",
                () -> simulation("ricart-agrawala", saturated(), seed).run(),
                result -> "");
    }

    private Measurement millionNodeRing(long seed) {
        var world = World.of(Topology.shuffledRing(RING_NODES, seed));
        return Measurement.of(
                "chang-roberts, random ring of 1,000,000 nodes that all campaign, monitored",
                "≥ 1 M events/s, < 60 s, < 12 GB, messages within 1 % of n·H(n) + n",
                () -> simulation("chang-roberts", world, seed).run(),
                SimulatorMeasurement::percentOfTheory);
    }

    private static String percentOfTheory(RunResult result) {
        double expected = algorithm("chang-roberts").costs().stream()
                .filter(cost -> cost.measure() == CostFormula.Measure.MESSAGES_ALL_CANDIDATES_MEAN)
                .findFirst()
                .orElseThrow()
                .function()
                .applyAsDouble(RING_NODES);
        return String.format(
                Locale.ROOT,
                "%,d messages, %.2f %% of n·H(n) + n",
                result.messages(),
                100 * result.messages() / expected);
    }

    private static World saturated() {
        var topology = Topology.complete(MUTEX_NODES);
        var busy = Workload.once(topology.nodes()).withEntries(2_000).withHoldTime(Duration.ofNanos(1_000));
        return World.of(topology).withWorkload(busy);
    }

    private static Simulation<?, ?> simulation(String name, World world, long seed) {
        return Simulation.of(algorithm(name).create(AlgorithmParameters.of(world)), world, seed);
    }

    private static Algorithm algorithm(String name) {
        return Catalogue.find(name).orElseThrow();
    }
}
