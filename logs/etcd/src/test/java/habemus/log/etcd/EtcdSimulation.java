package habemus.log.etcd;

import habemus.harness.simulation.FaultPlan;
import habemus.harness.simulation.SimulatedEngine;
import habemus.harness.simulation.SimulatedRun;
import java.util.Optional;
import java.util.stream.LongStream;

/** Runs the whole service in virtual time, with its log on a simulated etcd. */
public final class EtcdSimulation {

    private static final int BATCH_SIZE = 2; // most defects are found early

    private EtcdSimulation() {}

    /** The run with the lowest seed that violates a property. */
    static Optional<SimulatedRun> firstViolation(long seeds, SimulatedEngine.Factory engine) {
        for (long first = 1; first <= seeds; first += BATCH_SIZE) {
            var violation = LongStream.range(first, first + BATCH_SIZE)
                    .parallel()
                    .mapToObj(seed -> SimulatedRun.onEngine(FaultPlan.draw(seed).onEngine(), engine, false))
                    .filter(run -> run.violated().isPresent())
                    .findFirst();
            if (violation.isPresent()) {
                return violation;
            }
        }
        return Optional.empty();
    }

    /**
     * Its arguments and its result have types of the Java runtime only, so that it can be called in another class
     * loader.
     *
     * @return the lowest seed that violates a property, a space, and the property; empty if there is none
     */
    public static String findViolation(long seeds) {
        return firstViolation(seeds, SimulatedEtcd.factory())
                .map(run -> run.plan().seed() + " " + run.violated().orElseThrow())
                .orElse("");
    }
}
