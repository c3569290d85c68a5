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
 * A simulated run of an algorithm in a world. Equal protocol, world and seed give an equal run, to the last byte of the
 * trace, on every machine.
 */
public final class Simulation<S, M> {

    private final Protocol<S, M> protocol;
    private final World world;
    private final long seed;
    private final Problem problem;
    private OptionalInt bypassBound = OptionalInt.empty();
    private RunLimits limits = RunLimits.AMPLE;
    private boolean monitored = true;
    private @Nullable Consumer<TraceEvent> trace;

    private Simulation(Protocol<S, M> protocol, World world, long seed) {
        this.protocol = protocol;
        this.world = world;
        this.seed = seed;
        problem = Problem.of(protocol);
    }

    /** @param protocol its states and messages must be immutable values, see {@link ValueTypeCheck} */
    public static Simulation<?, ?> of(Protocol<?, ?> protocol, World world, long seed) {
        return new Simulation<>(protocol, world, seed);
    }

    /** Sets how often other nodes may enter while one node waits. Without a bound, bounded waiting is not monitored. */
    public Simulation<S, M> withBypassBound(OptionalInt bypass) {
        bypassBound = bypass;
        return this;
    }

    public Simulation<S, M> withLimits(RunLimits next) {
        limits = next;
        return this;
    }

    public Simulation<S, M> withTrace(Consumer<TraceEvent> next) {
        trace = next;
        return this;
    }

    /** Runs without property monitors, which is faster. The result has no verdicts. */
    public Simulation<S, M> withoutMonitors() {
        monitored = false;
        return this;
    }

    /** Runs to the end. Can be called again, with the same result. */
    public RunResult run() {
        var monitors = monitored ? new MonitorSet(Property.of(protocol), world, bypassBound) : null;
        var recorder =
                new RunRecorder(problem, monitors, trace, world.workload().writing());
        var loop = new SimulationLoop<>(protocol, world, seed, recorder);
        RunResult.End end;
        String bug = null;
        try {
            loop.startNodes();
            end = loop.runUntilEnd(limits);
        } catch (ProtocolBug thrown) {
            end = RunResult.End.BUG;
            bug = thrown.getMessage();
        }
        return recorder.result(end, loop.waiters(), loop.faultsWithoutEffect(), bug);
    }
}
