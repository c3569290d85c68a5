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

/** One run in one world, checked against the guarantees of the algorithm. */
public record FuzzCase(Algorithm algorithm, AlgorithmParameters parameters, World world, long seed) {

    /** Reported as a violation if the run ends with a {@link habemus.protocol.ProtocolBug}. */
    public static final String PROTOCOL_BUG = "protocol-bug";

    /** Reported as a violation if the run does not end after all faults are healed. */
    public static final String LIVELOCK = "livelock";

    /** A few nodes need a few hundred steps. */
    private static final long MAX_STEPS = 20_000;

    public void trace(Consumer<TraceEvent> reader) {
        simulation().withTrace(reader).run();
    }

    /** The names of the guarantees that the algorithm violates in this run. */
    public Set<String> violations() {
        var guaranteed = algorithm.guaranteed(parameters, world);
        var result = simulation().run();
        var violations = new TreeSet<String>();
        for (Property property : guaranteed) {
            if (result.verdicts().get(property) == Verdict.VIOLATED) {
                violations.add(property.toString());
            }
        }
        if (result.end() == RunResult.End.BUG && !guaranteed.isEmpty()) {
            violations.add(PROTOCOL_BUG);
        }
        boolean mustEnd = guaranteed.stream().anyMatch(property -> property.when() == Property.When.EVENTUALLY);
        if (result.end() == RunResult.End.LIMIT && mustEnd && !isServed(result)) {
            violations.add(LIVELOCK);
        }
        return violations;
    }

    /** Whether a mutex that runs for ever, such as a token ring, has served all requests, or still has faults. */
    private boolean isServed(RunResult result) {
        return algorithm.problem() == Problem.MUTEX
                && (result.waiters().isEmpty() || result.micros() < SwarmFaults.FAULT_PERIOD_MICROS);
    }

    private Simulation<?, ?> simulation() {
        return Simulation.of(algorithm.create(parameters), world, seed)
                .withBypassBound(algorithm.bypassBound(world.topology().size()))
                .withLimits(SwarmFaults.limits().withMaxSteps(MAX_STEPS));
    }
}
