package habemus.harness.simulation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Runs many seeds in parallel, each on one thread. For each property it reports the violation with the lowest seed,
 * independently of the number of cores.
 */
public final class ServiceFuzzer {

    private static final int BATCH_SIZE = 256;
    private static final int SEARCH_BATCH_SIZE = 16; // most defects are found early

    /**
     * The result of all runs.
     *
     * @param events of all runs together
     * @param hash of everything that the runs have sent, and when: the sum over the runs
     * @param violations the run with the lowest seed for each property that does not hold
     */
    public record Result(long seeds, long events, long hash, List<SimulatedRun> violations, ServiceCoverage coverage) {}

    private final LongFunction<FaultPlan> plans;

    /** @param plans what the run of a seed does */
    public ServiceFuzzer(LongFunction<FaultPlan> plans) {
        this.plans = plans;
    }

    /** @param progress receives the number of completed seeds */
    public Result fuzz(long first, long count, LongConsumer progress) {
        long events = 0;
        long hash = 0;
        var violations = new LinkedHashMap<String, SimulatedRun>();
        var coverage = new ServiceCoverage();
        for (long done = 0; done < count; done += BATCH_SIZE) {
            for (var run : runBatch(first + done, Math.min(BATCH_SIZE, count - done))) {
                events += run.events();
                hash += run.hash();
                coverage.add(run.coverage());
                run.violated().ifPresent(property -> violations.putIfAbsent(property, run));
            }
            progress.accept(Math.min(count, done + BATCH_SIZE));
        }
        return new Result(count, events, hash, List.copyOf(violations.values()), coverage);
    }

    /** In the order of the seeds. */
    private List<SimulatedRun> runBatch(long from, long count) {
        return LongStream.range(from, from + count)
                .parallel()
                .mapToObj(seed -> SimulatedRun.of(plans.apply(seed)))
                .toList();
    }

    /**
     * Searches for a violation. Its arguments and its result have types of the Java runtime only, so that it can be
     * called in another class loader.
     *
     * @return the lowest seed that violates a property, a space, and the property; empty if there is none
     */
    public static String findViolation(long first, long count) {
        var fuzzer = new ServiceFuzzer(FaultPlan::draw);
        for (long done = 0; done < count; done += SEARCH_BATCH_SIZE) {
            for (var run : fuzzer.runBatch(first + done, Math.min(SEARCH_BATCH_SIZE, count - done))) {
                if (run.violated().isPresent()) {
                    return run.plan().seed() + " " + run.violated().get();
                }
            }
        }
        return "";
    }
}
