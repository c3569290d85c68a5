package habemus;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Setting;
import habemus.simulate.Outcome;
import habemus.simulate.Simulation;
import habemus.simulate.Swarm;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import habemus.world.World;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One run in one world, held against what the algorithm promises there. */
public record Trial(Algorithm algorithm, Setting setting, World world, long seed) {

    /** What a run that should be impossible breaks. */
    public static final String BUG = "protocol-bug";
    /** What a run breaks that does not settle although all is well again. */
    public static final String LIVELOCK = "livelock";

    /** Whoever is not done by then will never be; a few nodes need a few hundred. */
    private static final long MOST_STEPS = 20_000;

    public void trace(Consumer<TraceLine> reader) {
        simulation().tracing(reader).run();
    }

    /** The names of the promises that the algorithm breaks in this run. */
    public Set<String> broken() {
        var promised = algorithm.promised(setting, world);
        var outcome = simulation().run();
        var broken = new TreeSet<String>();
        for (Property property : promised) {
            if (outcome.verdicts().get(property) == Verdict.VIOLATED) {
                broken.add(property.toString());
            }
        }
        if (outcome.end() == Outcome.End.BUG && !promised.isEmpty()) {
            broken.add(BUG);
        }
        boolean settles = promised.stream().anyMatch(property -> property.when() == Property.When.IN_THE_END);
        if (outcome.end() == Outcome.End.LIMIT && settles && !isServed(outcome)) {
            broken.add(LIVELOCK);
        }
        return broken;
    }

    /** Whether everybody got in so far, although messages go round; while there is trouble, who waits may still do. */
    private boolean isServed(Outcome outcome) {
        return algorithm.problem() == Problem.MUTEX
                && (outcome.waiting().isEmpty() || outcome.micros() < Swarm.TROUBLE);
    }

    private Simulation<?, ?> simulation() {
        return Simulation.of(algorithm.make(setting), world, seed)
                .bounding(algorithm.bypassBound(world.topology().size()))
                .within(Swarm.limits().steps(MOST_STEPS));
    }
}
