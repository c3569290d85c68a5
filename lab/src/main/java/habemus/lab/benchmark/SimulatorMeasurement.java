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

/** How many events a second the simulator handles: with a thousand messages under way, and with a million nodes. */
public final class SimulatorMeasurement {

    private static final int MUTEX_NODES = 32; // each asks 31 others: about a thousand messages under way
    private static final int RING_NODES = 1_000_000;

    private final Progress progress;

    public SimulatorMeasurement(Progress progress) {
        this.progress = progress;
    }

    /**
     * @param rounds how often each is run; the best counts, since a machine can only be disturbed in one direction
     * @param seed of every round
     */
    public List<Measurement> run(int rounds, long seed) {
        return List.of(
                best(rounds, seed, "1,000 messages under way", this::saturatedMutex),
                best(rounds, seed, "1,000 messages under way, judged", this::monitoredMutex),
                best(rounds, seed, "a ring of 1,000,000", this::millionNodeRing));
    }

    private interface Round {
        Measurement run(long seed);
    }

    private Measurement best(int rounds, long seed, String what, Round round) {
        var all = new ArrayList<Measurement>();
        for (int i = 0; i < rounds; i++) {
            progress.onProgress(what, i, rounds);
            all.add(round.run(seed));
        }
        return Collections.max(all, (a, b) -> Double.compare(a.eventsPerCpuSecond(), b.eventsPerCpuSecond()));
    }

    private Measurement saturatedMutex(long seed) {
        return Measurement.of(
                "ricart-agrawala, 32 nodes that all want in: 1,000 messages under way",
                "≥ 10 M events/s",
                () -> simulation("ricart-agrawala", saturated(), seed)
                        .withoutMonitors()
                        .run(),
                runResult -> "");
    }

    private Measurement monitoredMutex(long seed) {
        return Measurement.of(
                "the same, every property judged, vector clocks included",
                "",
                () -> simulation("ricart-agrawala", saturated(), seed).run(),
                runResult -> "");
    }

    private Measurement millionNodeRing(long seed) {
        var world = World.of(Topology.shuffledRing(RING_NODES, seed));
        return Measurement.of(
                "chang-roberts, random ring of 1,000,000 nodes that all campaign, judged",
                "≥ 1 M events/s, < 60 s, < 12 GB, messages within 1 % of n·H(n) + n",
                () -> simulation("chang-roberts", world, seed).run(),
                SimulatorMeasurement::percentOfTheory);
    }

    private static String percentOfTheory(RunResult runResult) {
        double expected = algorithm("chang-roberts").costFormulas().stream()
                .filter(costFormula -> costFormula.measure() == CostFormula.Measure.MESSAGES_ALL_CANDIDATES_MEAN)
                .findFirst()
                .orElseThrow()
                .function()
                .applyAsDouble(RING_NODES);
        return String.format(
                Locale.ROOT,
                "%,d messages, %.2f %% of n·H(n) + n",
                runResult.messages(),
                100 * runResult.messages() / expected);
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
