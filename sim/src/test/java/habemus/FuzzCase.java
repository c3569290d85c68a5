package habemus;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.simulate.SwarmFaults;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import habemus.world.World;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One run in one world, held against what the algorithm promises there. */
public record FuzzCase(Algorithm algorithm, AlgorithmParameters algorithmParameters, World world, long seed) {

    /** What a run that should be impossible breaks. */
    public static final String PROTOCOL_BUG = "protocol-bug";
    /** What a run breaks that does not settle although all is well again. */
    public static final String LIVELOCK = "livelock";

    /** Whoever is not done by then will never be; a few nodes need a few hundred. */
    private static final long MAX_STEPS = 20_000;

    public void trace(Consumer<TraceEvent> reader) {
        simulation().withTrace(reader).run();
    }

    /** The names of the promises that the algorithm breaks in this run. */
    public Set<String> violations() {
        var promised = algorithm.guaranteed(algorithmParameters, world);
        var runResult = simulation().run();
        var broken = new TreeSet<String>();
        for (Property property : promised) {
            if (runResult.verdicts().get(property) == Verdict.VIOLATED) {
                broken.add(property.toString());
            }
        }
        if (runResult.end() == RunResult.End.BUG && !promised.isEmpty()) {
            broken.add(PROTOCOL_BUG);
        }
        boolean settles = promised.stream().anyMatch(property -> property.when() == Property.When.EVENTUALLY);
        if (runResult.end() == RunResult.End.LIMIT && settles && !isServed(runResult)) {
            broken.add(LIVELOCK);
        }
        return broken;
    }

    /** Whether everybody got in so far, although messages go round; while there is trouble, who waits may still do. */
    private boolean isServed(RunResult runResult) {
        return algorithm.problem() == Problem.MUTEX
                && (runResult.waiters().isEmpty() || runResult.micros() < SwarmFaults.FAULT_PERIOD_MICROS);
    }

    private Simulation<?, ?> simulation() {
        return Simulation.of(algorithm.create(algorithmParameters), world, seed)
                .withBypassBound(algorithm.bypassBound(world.topology().size()))
                .withLimits(SwarmFaults.limits().withMaxSteps(MAX_STEPS));
    }
}
