package habemus.cli.simulate;

import habemus.catalogue.Algorithm;
import habemus.check.model.CheckReport;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.RequiredProperties;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.WorldOption;
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
import java.util.Set;
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
    /** A log with small messages that overtake each other resends much before it has caught up. */
    private static final long MAX_LOG_STEPS = 200_000;

    private static final Set<WorldOption> NOT_OF_THE_WORLD =
            EnumSet.of(WorldOption.SEED, WorldOption.DETECTOR, WorldOption.REQUIRE);

    /** Reported for a protocol bug. */
    private static final String BUG = "bug";
    /** Reported for a run that does not come to rest although all faults are healed. */
    private static final String LIVELOCK = "livelock";

    /** @param counts whether the algorithm guarantees the property in this world, or it is required */
    private record UntrueProperty(String name, boolean counts) {}

    private record SeedResult(
            RunArguments arguments,
            long seed,
            long steps,
            List<UntrueProperty> untrueProperties,
            Map<LogCoverage.Situation, Long> coverage) {}

    /**
     * A property that is not true in a run.
     *
     * @param counts whether the algorithm guarantees the property in this world, or it is required
     * @param arguments the run with the lowest seed
     */
    record Violation(String property, boolean counts, long seed, RunArguments arguments) {

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
            List<Violation> all,
            Map<LogCoverage.Situation, Long> coverage) {

        /** The violations that count. */
        List<Violation> violations() {
            return all.stream().filter(Violation::counts).toList();
        }

        /** What is not true in some run, but not guaranteed there. */
        List<Violation> notGuaranteed() {
            return all.stream().filter(violation -> !violation.counts).toList();
        }
    }

    private final RunArguments arguments;
    private final boolean onlyGuarantees;

    /** Without options of the world: injects the faults that the algorithm tolerates, and checks its guarantees. */
    Fuzzer(RunArguments given) {
        boolean hasWorld =
                Arrays.stream(WorldOption.values()).anyMatch(o -> !NOT_OF_THE_WORLD.contains(o) && given.has(o));
        this.arguments = hasWorld ? given : given.with(WorldOption.SWARM, WorldOption.GUARANTEED);
        onlyGuarantees = this.arguments
                .find(WorldOption.SWARM)
                .filter(swarm -> swarm.text().equals(WorldOption.GUARANTEED))
                .isPresent();
    }

    /** @param progress receives the number of completed seeds */
    Result fuzz(long first, long count, LongConsumer progress) {
        long steps = 0;
        var violations = new LinkedHashMap<UntrueProperty, Violation>();
        var coverage = new EnumMap<LogCoverage.Situation, Long>(LogCoverage.Situation.class);
        if (arguments.algorithm().problem() == Problem.LOG) {
            Arrays.stream(LogCoverage.Situation.values()).forEach(situation -> coverage.put(situation, 0L));
        }
        runSeed(first); // reports invalid options before the parallel runs
        for (long done = 0; done < count; done += BATCH_SIZE) {
            for (SeedResult seedResult : runBatch(first + done, Math.min(BATCH_SIZE, count - done))) {
                steps += seedResult.steps;
                seedResult.coverage.forEach((situation, times) -> coverage.merge(situation, times, Long::sum));
                seedResult.untrueProperties.forEach(untrue -> violations.putIfAbsent(
                        untrue, new Violation(untrue.name, untrue.counts, seedResult.seed, seedResult.arguments)));
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
                .withLimits(runLimits.withMaxSteps(Math.min(maxSteps(), runLimits.maxSteps())))
                .run();
        var untrue = untrueProperties(experiment, result);
        boolean isEndless = untrue.stream().anyMatch(property -> property.name.equals(LIVELOCK));
        var replayed = isEndless ? drawn.with(WorldOption.STEPS, Long.toString(maxSteps())) : drawn;
        return new SeedResult(replayed, seed, result.steps(), untrue, result.logCoverage());
    }

    private long maxSteps() {
        return arguments.algorithm().problem() == Problem.LOG ? MAX_LOG_STEPS : MAX_STEPS;
    }

    /** With the faults that the algorithm tolerates, only its guarantees are of interest. */
    private List<UntrueProperty> untrueProperties(Experiment experiment, RunResult result) {
        var required = onlyGuarantees ? RequiredProperties.guaranteed(experiment) : experiment.required();
        var untrue = new ArrayList<UntrueProperty>();
        result.verdicts().forEach((property, verdict) -> {
            if (verdict == Verdict.VIOLATED && (required.contains(property) || !onlyGuarantees)) {
                untrue.add(new UntrueProperty(property.toString(), required.contains(property)));
            }
        });
        if (result.end() == RunResult.End.BUG
                && !(onlyGuarantees && required.properties().isEmpty())) {
            untrue.add(new UntrueProperty(BUG, true));
        }
        boolean convergence =
                required.properties().stream().anyMatch(property -> property.when() == Property.When.EVENTUALLY);
        boolean endless = result.end() == RunResult.End.LIMIT && !arguments.has(WorldOption.STEPS);
        if (endless
                && experiment.runLimits().expectsConvergence()
                && (convergence || !onlyGuarantees)
                && !isServed(experiment, result)) {
            untrue.add(new UntrueProperty(LIVELOCK, convergence));
        }
        return List.copyOf(untrue);
    }

    /** Whether all requests were granted although messages circulate. During faults a waiter may still be granted. */
    private static boolean isServed(Experiment experiment, RunResult result) {
        return experiment.algorithm().problem() == Problem.MUTEX
                && (result.waiters().isEmpty() || result.micros() < SwarmFaults.FAULT_PERIOD_MICROS);
    }
}
