package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.check.Report;
import habemus.simulate.Outcome;
import habemus.simulate.Swarm;
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

    private static final int BATCH = 256;
    /** Whoever is not done by then will never be; a few nodes need a few hundred. */
    private static final long MOST_STEPS = 20_000;

    /** What a run that should be impossible is said to violate. */
    private static final String BUG = "bug";
    /** What a run is said to violate that does not come to rest although all is well again. */
    private static final String LIVELOCK = "livelock";

    /** @param broken the properties that this run violates, of those that are judged */
    private record Trial(RunWords words, long seed, long steps, List<String> broken) {}

    /** @param words of the run with the lowest seed that violates it */
    record Violation(String property, long seed, RunWords words) {

        /** What the checker calls it. */
        String checked() {
            return property.equals(BUG) ? Report.PROTOCOL_BUG : property;
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

    private final RunWords given;
    private final boolean onlyPromises;

    /** If nothing is said of the world, it is as bad as the algorithm promises to survive, and promises are judged. */
    Fuzzer(RunWords given) {
        boolean told = Arrays.stream(WorldOption.values())
                .anyMatch(o -> o != WorldOption.SEED && o != WorldOption.DETECTOR && given.has(o));
        this.given = told ? given : given.with(WorldOption.SWARM, WorldOption.PROMISED);
        onlyPromises = this.given
                .ifGiven(WorldOption.SWARM)
                .filter(swarm -> swarm.text().equals(WorldOption.PROMISED))
                .isPresent();
    }

    /** @param progress is told how many seeds were tried */
    Result fuzz(long first, long count, LongConsumer progress) {
        long steps = 0;
        var violations = new LinkedHashMap<String, Violation>();
        trial(first); // what is wrong with the options is said before others are tried beside it
        for (long done = 0; done < count; done += BATCH) {
            for (Trial trial : batch(first + done, Math.min(BATCH, count - done))) {
                steps += trial.steps;
                trial.broken.forEach(
                        property -> violations.putIfAbsent(property, new Violation(property, trial.seed, trial.words)));
            }
            progress.accept(Math.min(count, done + BATCH));
        }
        return new Result(given.algorithm(), count, steps, List.copyOf(violations.values()));
    }

    /** In the order of their seeds. */
    private List<Trial> batch(long from, long count) {
        return LongStream.range(from, from + count)
                .parallel()
                .mapToObj(this::trial)
                .toList();
    }

    private Trial trial(long seed) {
        var words = FuzzDraw.draw(given, seed);
        var experiment = ExperimentReader.read(words);
        var limits = experiment.limits();
        var outcome = experiment
                .within(limits.steps(Math.min(MOST_STEPS, limits.steps())))
                .run();
        var broken = broken(experiment, outcome);
        var shown = broken.contains(LIVELOCK) ? words.with(WorldOption.STEPS, Long.toString(MOST_STEPS)) : words;
        return new Trial(shown, seed, outcome.steps(), broken);
    }

    private List<String> broken(Experiment experiment, Outcome outcome) {
        var judged = onlyPromises
                ? experiment.algorithm().promised(experiment.setting(), experiment.world())
                : EnumSet.allOf(Property.class);
        var broken = new ArrayList<String>();
        outcome.verdicts().forEach((property, verdict) -> {
            if (verdict == Verdict.VIOLATED && judged.contains(property)) {
                broken.add(property.toString());
            }
        });
        if (outcome.end() == Outcome.End.BUG && !judged.isEmpty()) {
            broken.add(BUG);
        }
        boolean convergence = judged.stream().anyMatch(property -> property.when() == Property.When.IN_THE_END);
        boolean endless = outcome.end() == Outcome.End.LIMIT && !given.has(WorldOption.STEPS);
        if (endless && experiment.limits().settled() && convergence && !isServed(experiment, outcome)) {
            broken.add(LIVELOCK);
        }
        return List.copyOf(broken);
    }

    /** Whether everybody got in so far, although messages go round; while there is trouble, who waits may still do. */
    private static boolean isServed(Experiment experiment, Outcome outcome) {
        return experiment.algorithm().problem() == Problem.MUTEX
                && (outcome.waiting().isEmpty() || outcome.micros() < Swarm.TROUBLE);
    }
}
