package habemus.cli.simulate;

import habemus.catalogue.Algorithm;
import habemus.check.model.CheckReport;
import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.ExperimentParser;
import habemus.cli.experiment.RunArguments;
import habemus.cli.experiment.WorldOption;
import habemus.simulate.RunResult;
import habemus.simulate.SwarmFaults;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Tries seed after seed, on all cores. What it finds does not depend on how many there are: of every property the
 * violation with the lowest seed.
 */
final class Fuzzer {

    private static final int BATCH_SIZE = 256;
    /** Whoever is not done by then will never be; a few nodes need a few hundred. */
    private static final long MAX_STEPS = 20_000;

    /** What a run that should be impossible is said to violate. */
    private static final String BUG = "bug";
    /** What a run is said to violate that does not come to rest although all is well again. */
    private static final String LIVELOCK = "livelock";

    /** @param violatedProperties the properties that this run violates, of those that are judged */
    private record SeedResult(RunArguments arguments, long seed, long steps, List<String> violatedProperties) {}

    /** @param arguments of the run with the lowest seed that violates it */
    record Violation(String property, long seed, RunArguments arguments) {

        /** What the checker calls it. */
        String checkerProperty() {
            return property.equals(BUG) ? CheckReport.PROTOCOL_BUG : property;
        }

        boolean isKnownToChecker() {
            return !property.equals(LIVELOCK);
        }
    }

    /**
     * All runs of an algorithm.
     *
     * @param steps in all of them together
     */
    record Result(Algorithm algorithm, long seeds, long steps, List<Violation> violations) {}

    private final RunArguments arguments;
    private final boolean onlyGuarantees;

    /** If nothing is said of the world, it is as bad as the algorithm promises to survive, and promises are judged. */
    Fuzzer(RunArguments given) {
        boolean told = Arrays.stream(WorldOption.values())
                .anyMatch(o -> o != WorldOption.SEED && o != WorldOption.DETECTOR && given.has(o));
        this.arguments = told ? given : given.with(WorldOption.SWARM, WorldOption.GUARANTEED);
        onlyGuarantees = this.arguments
                .find(WorldOption.SWARM)
                .filter(swarm -> swarm.text().equals(WorldOption.GUARANTEED))
                .isPresent();
    }

    /** @param progress is told how many seeds were tried */
    Result fuzz(long first, long count, LongConsumer progress) {
        long steps = 0;
        var violations = new LinkedHashMap<String, Violation>();
        runSeed(first); // what is wrong with the options is said before others are tried beside it
        for (long done = 0; done < count; done += BATCH_SIZE) {
            for (SeedResult seedResult : runBatch(first + done, Math.min(BATCH_SIZE, count - done))) {
                steps += seedResult.steps;
                seedResult.violatedProperties.forEach(property -> violations.putIfAbsent(
                        property, new Violation(property, seedResult.seed, seedResult.arguments)));
            }
            progress.accept(Math.min(count, done + BATCH_SIZE));
        }
        return new Result(arguments.algorithm(), count, steps, List.copyOf(violations.values()));
    }

    /** In the order of their seeds. */
    private List<SeedResult> runBatch(long from, long count) {
        return LongStream.range(from, from + count)
                .parallel()
                .mapToObj(this::runSeed)
                .toList();
    }

    private SeedResult runSeed(long seed) {
        var words = FuzzInputs.draw(arguments, seed);
        var experiment = ExperimentParser.parse(words);
        var runLimits = experiment.runLimits();
        var runResult = experiment
                .withLimits(runLimits.withMaxSteps(Math.min(MAX_STEPS, runLimits.maxSteps())))
                .run();
        var broken = violatedProperties(experiment, runResult);
        var shown = broken.contains(LIVELOCK) ? words.with(WorldOption.STEPS, Long.toString(MAX_STEPS)) : words;
        return new SeedResult(shown, seed, runResult.steps(), broken);
    }

    private List<String> violatedProperties(Experiment experiment, RunResult runResult) {
        var judged = onlyGuarantees
                ? experiment.algorithm().guaranteed(experiment.algorithmParameters(), experiment.world())
                : EnumSet.allOf(Property.class);
        var broken = new ArrayList<String>();
        runResult.verdicts().forEach((property, verdict) -> {
            if (verdict == Verdict.VIOLATED && judged.contains(property)) {
                broken.add(property.toString());
            }
        });
        if (runResult.end() == RunResult.End.BUG && !judged.isEmpty()) {
            broken.add(BUG);
        }
        boolean convergence = judged.stream().anyMatch(property -> property.when() == Property.When.EVENTUALLY);
        boolean endless = runResult.end() == RunResult.End.LIMIT && !arguments.has(WorldOption.STEPS);
        if (endless && experiment.runLimits().expectsConvergence() && convergence && !isServed(experiment, runResult)) {
            broken.add(LIVELOCK);
        }
        return List.copyOf(broken);
    }

    /** Whether everybody got in so far, although messages go round; while there is trouble, who waits may still do. */
    private static boolean isServed(Experiment experiment, RunResult runResult) {
        return experiment.algorithm().problem() == Problem.MUTEX
                && (runResult.waiters().isEmpty() || runResult.micros() < SwarmFaults.FAULT_PERIOD_MICROS);
    }
}
