package habemus.lab.timeout;

import habemus.mutex.Central;
import habemus.protocol.NodeId;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.Micros;
import habemus.world.Property;
import habemus.world.SeededRandom;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.Workload.Request;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.commons.statistics.interval.BinomialConfidenceInterval;

/**
 * Simulates the central coordinator with a timeout as its lease. The holder pauses for as long as a reply takes, and
 * messages take almost no time. So the coordinator grants the lock twice exactly if the reply is late.
 */
public final class LeaseSimulation {

    /** The confidence level of the interval. */
    public static final double CONFIDENCE = 0.99;

    private static final Duration MESSAGE_DELAY = Duration.ofNanos(1_000);
    private static final NodeId HOLDER = new NodeId(2);
    private static final NodeId WAITER = new NodeId(3);
    private static final Duration FAULT_TIME = MESSAGE_DELAY.multipliedBy(10);

    /**
     * @param violatedRuns the number of runs in which two nodes held the lock because the first was late
     * @param recoveryMillis time from the crash of the holder to the next grant
     */
    public record Result(int runs, int violatedRuns, double low, double high, double recoveryMillis) {
        public double violationRate() {
            return (double) violatedRuns / runs;
        }
    }

    private final DelayDistribution delays;
    private final Duration lease;

    /** @param millis the lease, at least a microsecond: a coordinator without a lease waits forever */
    public LeaseSimulation(DelayDistribution delays, double millis) {
        this.delays = delays;
        lease = micros(millis);
        if (lease.isZero()) {
            throw new IllegalArgumentException("lease must be at least 0.001 ms, was " + millis);
        }
    }

    private static Duration micros(double millis) {
        return Micros.toDuration(Math.round(millis * 1_000));
    }

    public Result run(int runs, long seed, IntConsumer progress) {
        var random = new SeededRandom(seed);
        int violatedRuns = 0;
        for (int run = 1; run <= runs; run++) {
            var result = run(pause(micros(delays.sample(random))), seed);
            boolean violated = result.verdicts().get(Property.MUTUAL_EXCLUSION) == Verdict.VIOLATED;
            violatedRuns += violated ? 1 : 0;
            progress.accept(run);
        }
        var interval = BinomialConfidenceInterval.CLOPPER_PEARSON.fromErrorRate(runs, violatedRuns, 1 - CONFIDENCE);
        return new Result(runs, violatedRuns, interval.getLowerBound(), interval.getUpperBound(), recoveryMillis(seed));
    }

    private double recoveryMillis(long seed) {
        var crash = new Fault.PlannedFault(FAULT_TIME, new Fault.Crash(HOLDER));
        var grantRecord = run(List.of(crash), seed).grants().getLast();
        return (grantRecord.micros() - Micros.of(FAULT_TIME)) / 1e3;
    }

    private static List<Fault.PlannedFault> pause(Duration until) {
        return until.compareTo(FAULT_TIME) < 0
                ? List.of()
                : List.of(
                        new Fault.PlannedFault(FAULT_TIME, new Fault.Pause(HOLDER)),
                        new Fault.PlannedFault(until, new Fault.Resume(HOLDER)));
    }

    private RunResult run(List<Fault.PlannedFault> faults, long seed) {
        var world = World.of(Topology.complete(3))
                .withLatency(new LatencyModel.Fixed(MESSAGE_DELAY))
                .withWorkload(Workload.once(List.of())
                        .withRequests(List.of(
                                new Request(HOLDER, Duration.ZERO), new Request(WAITER, MESSAGE_DELAY.multipliedBy(5))))
                        .withHoldTime(FAULT_TIME.multipliedBy(2)))
                .withFaults(faults);
        return Simulation.of(new Central(lease, false), world, seed).run();
    }
}
