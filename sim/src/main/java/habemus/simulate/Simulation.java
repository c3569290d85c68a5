package habemus.simulate;

import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.ValueTypeCheck;
import habemus.world.MonitorSet;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of an algorithm in a world, chosen by a seed. Equal protocol, world and seed give an equal run: the same
 * steps at the same times, to the last byte of the trace.
 */
public final class Simulation<S, M> {

    private final Protocol<S, M> protocol;
    private final World world;
    private final long seed;
    private final Problem problem;
    private OptionalInt bypassBound = OptionalInt.empty();
    private RunLimits runLimits = RunLimits.AMPLE;
    private boolean monitored = true;
    private @Nullable Consumer<TraceEvent> trace;

    private Simulation(Protocol<S, M> protocol, World world, long seed) {
        this.protocol = protocol;
        this.world = world;
        this.seed = seed;
        problem = Problem.of(protocol);
    }

    /** @throws IllegalArgumentException if the protocol's states or messages are no values: see {@link ValueTypeCheck} */
    public static Simulation<?, ?> of(Protocol<?, ?> protocol, World world, long seed) {
        ValueTypeCheck.check(protocol);
        return new Simulation<>(protocol, world, seed);
    }

    /** How often one who waits may be passed, if there is such a bound. */
    public Simulation<S, M> withBypassBound(OptionalInt bypass) {
        bypassBound = bypass;
        return this;
    }

    public Simulation<S, M> withLimits(RunLimits next) {
        runLimits = next;
        return this;
    }

    public Simulation<S, M> withTrace(Consumer<TraceEvent> next) {
        trace = next;
        return this;
    }

    /** Nobody judges, which is faster; every verdict stays open. */
    public Simulation<S, M> withoutMonitors() {
        monitored = false;
        return this;
    }

    /** Walks the run to its end. */
    public RunResult run() {
        var monitorSet = monitored ? new MonitorSet(Property.of(protocol), world, bypassBound) : null;
        var runRecorder =
                new RunRecorder(problem, monitorSet, trace, world.workload().writing());
        var simulationLoop = new SimulationLoop<>(protocol, world, seed, runRecorder);
        RunResult.End end;
        String bug = null;
        try {
            simulationLoop.startNodes();
            end = simulationLoop.runUntilEnd(runLimits);
        } catch (ProtocolBug impossible) {
            end = RunResult.End.BUG;
            bug = impossible.getMessage();
        }
        return runRecorder.result(end, simulationLoop.waiters(), bug);
    }
}
