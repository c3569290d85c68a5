package habemus.lab.bench;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Cost;
import habemus.catalogue.Setting;
import habemus.simulate.Outcome;
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
public final class SimulatorBench {

    private static final int FLOCK = 32; // each asks 31 others: about a thousand messages under way
    private static final int MILLION = 1_000_000;

    private final Progress progress;

    public SimulatorBench(Progress progress) {
        this.progress = progress;
    }

    /**
     * @param rounds how often each is run; the best counts, since a machine can only be disturbed in one direction
     * @param seed of every round
     */
    public List<Measurement> run(int rounds, long seed) {
        return List.of(
                best(rounds, seed, "1,000 messages under way", this::flock),
                best(rounds, seed, "1,000 messages under way, judged", this::judgedFlock),
                best(rounds, seed, "a ring of 1,000,000", this::million));
    }

    private interface Round {
        Measurement run(long seed);
    }

    private Measurement best(int rounds, long seed, String what, Round round) {
        var all = new ArrayList<Measurement>();
        for (int i = 0; i < rounds; i++) {
            progress.at(what, i, rounds);
            all.add(round.run(seed));
        }
        return Collections.max(all, (a, b) -> Double.compare(a.eventsPerCpuSecond(), b.eventsPerCpuSecond()));
    }

    private Measurement flock(long seed) {
        return Measurement.of(
                "ricart-agrawala, 32 nodes that all want in: 1,000 messages under way",
                "≥ 10 M events/s",
                () -> simulation("ricart-agrawala", saturated(), seed)
                        .unjudged()
                        .run(),
                outcome -> "");
    }

    private Measurement judgedFlock(long seed) {
        return Measurement.of(
                "the same, every property judged, vector clocks included",
                "",
                () -> simulation("ricart-agrawala", saturated(), seed).run(),
                outcome -> "");
    }

    private Measurement million(long seed) {
        var world = World.of(Topology.shuffledRing(MILLION, seed));
        return Measurement.of(
                "chang-roberts, random ring of 1,000,000 nodes that all campaign, judged",
                "≥ 1 M events/s, < 60 s, < 12 GB, messages within 1 % of n·H(n) + n",
                () -> simulation("chang-roberts", world, seed).run(),
                SimulatorBench::besideTheory);
    }

    private static String besideTheory(Outcome outcome) {
        double expected = algorithm("chang-roberts").costs().stream()
                .filter(cost -> cost.measure() == Cost.Measure.MESSAGES_ALL_CANDIDATES_MEAN)
                .findFirst()
                .orElseThrow()
                .of()
                .applyAsDouble(MILLION);
        return String.format(
                Locale.ROOT,
                "%,d messages, %.2f %% of n·H(n) + n",
                outcome.messages(),
                100 * outcome.messages() / expected);
    }

    private static World saturated() {
        var topology = Topology.complete(FLOCK);
        var busy = Workload.once(topology.nodes()).entering(2_000).holding(Duration.ofNanos(1_000));
        return World.of(topology).wanting(busy);
    }

    private static Simulation<?, ?> simulation(String name, World world, long seed) {
        return Simulation.of(algorithm(name).make(Setting.of(world)), world, seed);
    }

    private static Algorithm algorithm(String name) {
        return Catalogue.find(name).orElseThrow();
    }
}
