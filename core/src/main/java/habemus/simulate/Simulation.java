package habemus.simulate;

import habemus.protocol.Admission;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.world.Court;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceLine;
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
    private Limits limits = Limits.AMPLE;
    private boolean judged = true;
    private @Nullable Consumer<TraceLine> trace;

    private Simulation(Protocol<S, M> protocol, World world, long seed) {
        this.protocol = protocol;
        this.world = world;
        this.seed = seed;
        problem = Problem.of(protocol);
    }

    /** @throws IllegalArgumentException if the protocol's states or messages are no values: see {@link Admission} */
    public static Simulation<?, ?> of(Protocol<?, ?> protocol, World world, long seed) {
        Admission.check(protocol);
        return new Simulation<>(protocol, world, seed);
    }

    /** How often one who waits may be passed, if there is such a bound. */
    public Simulation<S, M> bounding(OptionalInt bypass) {
        bypassBound = bypass;
        return this;
    }

    public Simulation<S, M> within(Limits next) {
        limits = next;
        return this;
    }

    public Simulation<S, M> tracing(Consumer<TraceLine> next) {
        trace = next;
        return this;
    }

    /** Nobody judges, which is faster; every verdict stays open. */
    public Simulation<S, M> unjudged() {
        judged = false;
        return this;
    }

    /** Walks the run to its end. */
    public Outcome run() {
        var court = judged ? new Court(Property.of(protocol), world, bypassBound) : null;
        var journal = new Journal(problem, court, trace, world.workload().writing());
        var run = new Run<>(protocol, world, seed, journal);
        Outcome.End end;
        String bug = null;
        try {
            run.begin();
            end = run.walk(limits);
        } catch (ProtocolBug impossible) {
            end = Outcome.End.BUG;
            bug = impossible.getMessage();
        }
        return journal.outcome(end, run.waiting(), bug);
    }
}
