package habemus.lab.quorum;

import habemus.mutex.MajorityQuorum;
import habemus.mutex.Quorum;
import habemus.mutex.RequestNumbers;
import habemus.protocol.NodeId;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.LatencyModel.PerLink.Link;
import habemus.world.Property;
import habemus.world.SeededRandom;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.Workload.Request;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Estimates the probability of {@link AmnesiaProbability} by simulating the algorithm. Violations are rare, so the
 * simulation makes restarts likely and weights each run by the true probability of its restarts (importance sampling).
 *
 * <p>In each run one node acquires the lock with the grants of the first coordinators, exactly a quorum. Some of these
 * restart. Then a second node requests the lock.
 */
public final class AmnesiaSimulation {

    /** The confidence level of the interval. */
    public static final double CONFIDENCE = 0.99;

    /** The largest number of coordinators that is simulated. */
    public static final int MAX_COORDINATORS = 200;

    private static final Duration MESSAGE_DELAY = Duration.ofMillis(1);
    private static final Duration LATE_DELAY = Duration.ofSeconds(10);
    private static final Duration CRASH_TIME = MESSAGE_DELAY.multipliedBy(3);
    private static final Duration RESTART_TIME = MESSAGE_DELAY.multipliedBy(4);
    private static final Duration RIVAL_REQUEST_TIME = MESSAGE_DELAY.multipliedBy(5);
    private static final Duration HOLD_TIME = MESSAGE_DELAY.multipliedBy(20);

    /** @param violatedRuns the number of runs in which two nodes held the lock */
    public record Estimate(double probability, double low, double high, int runs, int violatedRuns) {
        /** Whether the interval contains the value up to rounding. If all runs have the same weight it is a point. */
        public boolean contains(double value) {
            double rounding = 1e-12 * value;
            return low <= value + rounding && value - rounding <= high;
        }
    }

    private final AmnesiaProbability amnesiaProbability;
    private final double samplingProbability; // of a restart, in these runs
    private final NodeId holder;
    private final NodeId rival;
    private final World world;

    public AmnesiaSimulation(AmnesiaProbability amnesiaProbability) {
        if (amnesiaProbability.coordinators() > MAX_COORDINATORS) {
            throw new IllegalArgumentException(
                    "coordinators must be at most " + MAX_COORDINATORS + ", was " + amnesiaProbability.coordinators());
        }
        this.amnesiaProbability = amnesiaProbability;
        samplingProbability = Math.max(
                amnesiaProbability.restartProbability(),
                (double) amnesiaProbability.overlap() / amnesiaProbability.quorum());
        holder = new NodeId(amnesiaProbability.coordinators() + 1);
        rival = new NodeId(amnesiaProbability.coordinators() + 2);
        world = World.of(Topology.complete(amnesiaProbability.coordinators() + 2))
                .withLatency(latency())
                .withWorkload(Workload.once(List.of())
                        .withRequests(
                                List.of(new Request(holder, Duration.ZERO), new Request(rival, RIVAL_REQUEST_TIME)))
                        .withHoldTime(HOLD_TIME));
    }

    /** Requests of the holder to coordinators outside its quorum arrive too late. */
    private LatencyModel latency() {
        var late = IntStream.rangeClosed(amnesiaProbability.quorum() + 1, amnesiaProbability.coordinators())
                .mapToObj(number -> new Link(holder, new NodeId(number), new LatencyModel.Fixed(LATE_DELAY)))
                .toList();
        return new LatencyModel.PerLink(new LatencyModel.Fixed(MESSAGE_DELAY), late);
    }

    /** @param progress receives the number of finished runs */
    public Estimate run(int runs, long seed, IntConsumer progress) {
        var random = new SeededRandom(seed);
        double sum = 0;
        double squares = 0;
        int violated = 0;
        for (int run = 1; run <= runs; run++) {
            var restarting = IntStream.rangeClosed(1, amnesiaProbability.quorum())
                    .filter(any -> random.nextDouble() < samplingProbability)
                    .mapToObj(NodeId::new)
                    .toList();
            if (isViolated(restarting, random.nextLong())) {
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
        var faults = new ArrayList<Fault.PlannedFault>();
        for (NodeId node : restarting) {
            faults.add(new Fault.PlannedFault(CRASH_TIME, new Fault.Crash(node)));
            faults.add(new Fault.PlannedFault(RESTART_TIME, new Fault.Restart(node, true)));
        }
        var protocol = new Quorum(
                new MajorityQuorum(amnesiaProbability.coordinators(), amnesiaProbability.quorum()),
                new RequestNumbers(0),
                false,
                LATE_DELAY,
                Duration.ZERO);
        return Simulation.of(protocol, world.withFaults(faults), seed)
                        .run()
                        .verdicts()
                        .get(Property.MUTUAL_EXCLUSION)
                == Verdict.VIOLATED;
    }

    /** The true probability of so many restarts, divided by their probability in these runs. */
    private double weight(int restarts) {
        return Math.pow(amnesiaProbability.restartProbability() / samplingProbability, restarts)
                * Math.pow(stayingUpRatio(), amnesiaProbability.quorum() - restarts);
    }

    private double stayingUpRatio() {
        return samplingProbability == 1 ? 1 : (1 - amnesiaProbability.restartProbability()) / (1 - samplingProbability);
    }
}
