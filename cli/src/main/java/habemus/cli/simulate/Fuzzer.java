package habemus.cli.simulate;

import habemus.catalogue.Algorithm;
import habemus.check.model.CheckReport;
import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.ExperimentParser;
import habemus.cli.experiment.RunArguments;
import habemus.cli.experiment.WorldOption;
import habemus.simulate.LogCoverage;
import habemus.simulate.RunResult;
import habemus.simulate.SwarmFaults;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Runs many seeds in parallel. For each property it reports the violation with the lowest seed, independently of the
 * number of cores.
 */
final class Fuzzer {

    private static final int BATCH_SIZE = 256;
    /** A run of a few nodes needs a few hundred steps; a run of this length never ends. */
    private static final long MAX_STEPS = 20_000;

    /** Reported for a protocol bug. */
    private static final String BUG = "bug";
    /** Reported for a run that does not come to rest although all faults are healed. */
    private static final String LIVELOCK = "livelock";

    /** @param violatedProperties of the checked properties */
    private record SeedResult(
            RunArguments arguments,
            long seed,
            long steps,
            List<String> violatedProperties,
            Map<LogCoverage.Situation, Long> coverage) {}

    /** @param arguments the run with the lowest seed that violates the property */
    record Violation(String property, long seed, RunArguments arguments) {

        /** The name that the checker uses. */
        String checkerProperty() {
            return property.equals(BUG) ? CheckReport.PROTOCOL_BUG : property;
        }

        boolean isKnownToChecker() {
            return !property.equals(LIVELOCK);
        }
    }

    /**
     * The result of all runs of an algorithm.
     *
     * @param steps of all runs together
     * @param coverage how often each situation of a replicated log occurred; empty for other problems
     */
    record Result(
            Algorithm algorithm,
            long seeds,
            long steps,
            List<Violation> violations,
            Map<LogCoverage.Situation, Long> coverage) {}

    private final RunArguments arguments;
    private final boolean onlyGuarantees;

    /** Without options of the world: injects the faults that the algorithm tolerates, and checks its guarantees. */
    Fuzzer(RunArguments given) {
        boolean hasWorld = Arrays.stream(WorldOption.values())
                .anyMatch(o -> o != WorldOption.SEED && o != WorldOption.DETECTOR && given.has(o));
        this.arguments = hasWorld ? given : given.with(WorldOption.SWARM, WorldOption.GUARANTEED);
        onlyGuarantees = this.arguments
                .find(WorldOption.SWARM)
                .filter(swarm -> swarm.text().equals(WorldOption.GUARANTEED))
                .isPresent();
    }

    /** @param progress receives the number of completed seeds */
    Result fuzz(long first, long count, LongConsumer progress) {
        long steps = 0;
        var violations = new LinkedHashMap<String, Violation>();
        var coverage = new EnumMap<LogCoverage.Situation, Long>(LogCoverage.Situation.class);
        if (arguments.algorithm().problem() == Problem.LOG) {
            Arrays.stream(LogCoverage.Situation.values()).forEach(situation -> coverage.put(situation, 0L));
        }
        runSeed(first); // reports invalid options before the parallel runs
        for (long done = 0; done < count; done += BATCH_SIZE) {
            for (SeedResult seedResult : runBatch(first + done, Math.min(BATCH_SIZE, count - done))) {
                steps += seedResult.steps;
                seedResult.coverage.forEach((situation, times) -> coverage.merge(situation, times, Long::sum));
                seedResult.violatedProperties.forEach(property -> violations.putIfAbsent(
                        property, new Violation(property, seedResult.seed, seedResult.arguments)));
            }
            progress.accept(Math.min(count, done + BATCH_SIZE));
        }
        return new Result(arguments.algorithm(), count, steps, List.copyOf(violations.values()), coverage);
    }

    /** In the order of the seeds. */
    private List<SeedResult> runBatch(long from, long count) {
        return LongStream.range(from, from + count)
                .parallel()
                .mapToObj(this::runSeed)
                .toList();
    }

    private SeedResult runSeed(long seed) {
        var drawn = FuzzInputs.draw(arguments, seed);
        var experiment = ExperimentParser.parse(drawn);
        var runLimits = experiment.runLimits();
        var result = experiment
                .withLimits(runLimits.withMaxSteps(Math.min(MAX_STEPS, runLimits.maxSteps())))
                .run();
        var violated = violatedProperties(experiment, result);
        var replayed = violated.contains(LIVELOCK) ? drawn.with(WorldOption.STEPS, Long.toString(MAX_STEPS)) : drawn;
        return new SeedResult(replayed, seed, result.steps(), violated, result.logCoverage());
    }

    private List<String> violatedProperties(Experiment experiment, RunResult result) {
        var checked = onlyGuarantees
                ? experiment.algorithm().guaranteed(experiment.algorithmParameters(), experiment.world())
                : EnumSet.allOf(Property.class);
        var violated = new ArrayList<String>();
        result.verdicts().forEach((property, verdict) -> {
            if (verdict == Verdict.VIOLATED && checked.contains(property)) {
                violated.add(property.toString());
            }
        });
        if (result.end() == RunResult.End.BUG && !checked.isEmpty()) {
            violated.add(BUG);
        }
        boolean convergence = checked.stream().anyMatch(property -> property.when() == Property.When.EVENTUALLY);
        boolean endless = result.end() == RunResult.End.LIMIT && !arguments.has(WorldOption.STEPS);
        if (endless && experiment.runLimits().expectsConvergence() && convergence && !isServed(experiment, result)) {
            violated.add(LIVELOCK);
        }
        return List.copyOf(violated);
    }

    /** Whether all requests were granted although messages circulate. During faults a waiter may still be granted. */
    private static boolean isServed(Experiment experiment, RunResult result) {
        return experiment.algorithm().problem() == Problem.MUTEX
                && (result.waiters().isEmpty() || result.micros() < SwarmFaults.FAULT_PERIOD_MICROS);
    }
}
