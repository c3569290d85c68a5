package habemus.lab.quorum;

import habemus.mutex.Majority;
import habemus.mutex.Quorum;
import habemus.protocol.NodeId;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.Latency;
import habemus.world.Latency.PerLink.Link;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.Workload.Call;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The same odds by running the algorithm. Violations are too rare to wait for, so restarts are made likely, and every
 * run counts for as much as its restarts are really likely compared with that (importance sampling).
 *
 * <p>In every run one node enters with the grants of the first coordinators, exactly a quorum; some of these restart;
 * then another node asks.
 */
public final class Trials {

    /** How likely the interval contains the truth. */
    public static final double CONFIDENCE = 0.99;

    /** More coordinators than this are not simulated. */
    public static final int COORDINATORS_MAX = 200;

    private static final Duration UNIT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration CRASH = UNIT.multipliedBy(3);
    private static final Duration RESTART = UNIT.multipliedBy(4);
    private static final Duration RIVAL = UNIT.multipliedBy(5);
    private static final Duration HOLD = UNIT.multipliedBy(20);

    /** @param violated in how many of the runs two were inside */
    public record Estimate(double violation, double low, double high, int runs, int violated) {
        /** Whether the interval does, but for rounding: if every run counts the same it is a point. */
        public boolean contains(double probability) {
            double rounding = 1e-12 * probability;
            return low <= probability + rounding && probability - rounding <= high;
        }
    }

    private final Odds odds;
    private final double sampled; // how likely a restart is in these runs
    private final NodeId holder;
    private final NodeId rival;
    private final World world;

    public Trials(Odds odds) {
        if (odds.coordinators() > COORDINATORS_MAX) {
            throw new IllegalArgumentException("at most " + COORDINATORS_MAX + " coordinators are simulated");
        }
        this.odds = odds;
        sampled = Math.max(odds.restart(), (double) odds.overlap() / odds.quorum());
        holder = new NodeId(odds.coordinators() + 1);
        rival = new NodeId(odds.coordinators() + 2);
        world = World.of(Topology.complete(odds.coordinators() + 2))
                .taking(latency())
                .wanting(Workload.once(List.of())
                        .calling(List.of(new Call(holder, Duration.ZERO), new Call(rival, RIVAL)))
                        .holding(HOLD));
    }

    /** What the holder asks of those outside its quorum comes too late. */
    private Latency latency() {
        var late = IntStream.rangeClosed(odds.quorum() + 1, odds.coordinators())
                .mapToObj(number -> new Link(holder, new NodeId(number), new Latency.Fixed(LONG)))
                .toList();
        return new Latency.PerLink(new Latency.Fixed(UNIT), late);
    }

    /** @param progress told how many runs are done */
    public Estimate run(int runs, long seed, IntConsumer progress) {
        var chance = new SplittableRandom(seed);
        double sum = 0;
        double squares = 0;
        int violated = 0;
        for (int run = 1; run <= runs; run++) {
            var restarting = IntStream.rangeClosed(1, odds.quorum())
                    .filter(any -> chance.nextDouble() < sampled)
                    .mapToObj(NodeId::new)
                    .toList();
            if (isViolated(restarting, chance.nextLong())) {
                double weight = weight(restarting.size());
                sum += weight;
                squares += weight * weight;
                violated++;
            }
            progress.accept(run);
        }
        double mean = sum / runs;
        double deviation = Math.sqrt(Math.max(0, squares / runs - mean * mean) / runs);
        double half = NormalDistribution.of(0, 1).inverseSurvivalProbability((1 - CONFIDENCE) / 2) * deviation;
        return new Estimate(mean, Math.max(0, mean - half), mean + half, runs, violated);
    }

    private boolean isViolated(List<NodeId> restarting, long seed) {
        var faults = new ArrayList<Fault.Planned>();
        for (NodeId node : restarting) {
            faults.add(new Fault.Planned(CRASH, new Fault.Crash(node)));
            faults.add(new Fault.Planned(RESTART, new Fault.Restart(node, true)));
        }
        var protocol = new Quorum(new Majority(odds.coordinators(), odds.quorum()), false, LONG, Duration.ZERO);
        return Simulation.of(protocol, world.struckBy(faults), seed)
                        .run()
                        .verdicts()
                        .get(Property.MUTUAL_EXCLUSION)
                == Verdict.VIOLATED;
    }

    /** How much likelier, or less likely, so many restarts really are. */
    private double weight(int restarts) {
        return Math.pow(odds.restart() / sampled, restarts) * Math.pow(ratioOfStaying(), odds.quorum() - restarts);
    }

    private double ratioOfStaying() {
        return sampled == 1 ? 1 : (1 - odds.restart()) / (1 - sampled);
    }
}
