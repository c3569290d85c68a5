package habemus.lab.timeout;

import habemus.mutex.Central;
import habemus.protocol.NodeId;
import habemus.simulate.Outcome;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.Latency;
import habemus.world.Micros;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.Workload.Call;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import org.apache.commons.statistics.interval.BinomialConfidenceInterval;

/**
 * What becomes of the central coordinator with a timeout as its lease. Whoever is inside stands still for as long as an
 * answer takes, and messages take next to nothing; so the coordinator is mistaken exactly if the answer is late.
 */
public final class LeaseTrials {

    /** How likely the interval contains the truth. */
    public static final double CONFIDENCE = 0.99;

    private static final Duration INSTANT = Duration.ofNanos(1_000);
    private static final NodeId HOLDER = new NodeId(2);
    private static final NodeId WAITER = new NodeId(3);
    private static final Duration SOON = INSTANT.multipliedBy(10);

    /**
     * @param mistakes in how many runs two were inside because the first was late
     * @param recovery how long it took to let in the next one after the first had crashed, in milliseconds
     */
    public record Seen(int runs, int mistakes, double low, double high, double recovery) {
        public double part() {
            return (double) mistakes / runs;
        }
    }

    private final Delays delays;
    private final Duration lease;

    /** @param millis the lease, more than nothing: a coordinator without one waits for ever */
    public LeaseTrials(Delays delays, double millis) {
        this.delays = delays;
        lease = micros(millis);
        if (lease.isZero()) {
            throw new IllegalArgumentException("a lease takes some time");
        }
    }

    private static Duration micros(double millis) {
        return Micros.toDuration(Math.round(millis * 1_000));
    }

    public Seen run(int runs, long seed, IntConsumer progress) {
        var chance = new SplittableRandom(seed);
        int mistakes = 0;
        for (int run = 1; run <= runs; run++) {
            var outcome = run(pause(micros(delays.draw(chance))), seed);
            boolean both = outcome.verdicts().get(Property.MUTUAL_EXCLUSION) == Verdict.VIOLATED;
            mistakes += both ? 1 : 0;
            progress.accept(run);
        }
        var interval = BinomialConfidenceInterval.CLOPPER_PEARSON.fromErrorRate(runs, mistakes, 1 - CONFIDENCE);
        return new Seen(runs, mistakes, interval.getLowerBound(), interval.getUpperBound(), recovery(seed));
    }

    private double recovery(long seed) {
        var crash = new Fault.Planned(SOON, new Fault.Crash(HOLDER));
        var granted = run(List.of(crash), seed).grants().getLast();
        return (granted.micros() - Micros.of(SOON)) / 1e3;
    }

    private static List<Fault.Planned> pause(Duration until) {
        return until.compareTo(SOON) < 0
                ? List.of()
                : List.of(
                        new Fault.Planned(SOON, new Fault.Pause(HOLDER)),
                        new Fault.Planned(until, new Fault.Resume(HOLDER)));
    }

    private Outcome run(List<Fault.Planned> faults, long seed) {
        var world = World.of(Topology.complete(3))
                .taking(new Latency.Fixed(INSTANT))
                .wanting(Workload.once(List.of())
                        .calling(List.of(new Call(HOLDER, Duration.ZERO), new Call(WAITER, INSTANT.multipliedBy(5))))
                        .holding(SOON.multipliedBy(2)))
                .struckBy(faults);
        return Simulation.of(new Central(lease, false), world, seed).run();
    }
}
