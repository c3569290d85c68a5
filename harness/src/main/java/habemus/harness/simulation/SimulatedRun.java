package habemus.harness.simulation;

import java.util.List;
import java.util.Optional;

/**
 * One simulated run: a virtual minute of a cluster and its clients.
 *
 * @param hash of everything that was sent, and when
 * @param events how many events the run had
 * @param violated the name of the first property that does not hold, if there is one
 * @param detail what violates it; empty if nothing does
 * @param lastLines the end of the trace, if it was wanted
 */
public record SimulatedRun(
        FaultPlan plan,
        long hash,
        long events,
        Optional<String> violated,
        String detail,
        ServiceCoverage coverage,
        List<String> lastLines) {

    /** Runs a plan without text. */
    public static SimulatedRun of(FaultPlan plan) {
        return run(plan, false, Optional.empty());
    }

    /** Runs a plan, and keeps the last lines of its trace. */
    public static SimulatedRun withTrace(FaultPlan plan) {
        return run(plan, true, Optional.empty());
    }

    /**
     * Runs a plan with the logs of all nodes on an engine.
     *
     * @param plan of {@link FaultPlan#onEngine}
     */
    public static SimulatedRun onEngine(FaultPlan plan, SimulatedEngine.Factory engine, boolean isTextWanted) {
        return run(plan, isTextWanted, Optional.of(engine));
    }

    private static SimulatedRun run(FaultPlan plan, boolean isTextWanted, Optional<SimulatedEngine.Factory> engine) {
        var world = new ServiceWorld(plan, isTextWanted, engine);
        world.nodes().subList(0, plan.nodes()).forEach(SimulatedNode::start);
        world.clients().forEach(ClientProcess::start);
        new Nemesis(world).plan();
        var checks = new FinalChecks(world);
        checks.plan();
        try {
            world.time().runUntil(FaultPlan.END_NANOS);
            if (!world.operator().unfinished().isEmpty()) {
                world.time().runUntil(FaultPlan.END_NANOS + Operator.PATIENCE_NANOS);
            }
            checks.run();
        } catch (RuntimeException | Error bug) {
            world.trace().violate(ServiceProperty.UNDAMAGED.toString(), () -> describe(bug));
        }
        var violation = world.trace().violation();
        return new SimulatedRun(
                plan,
                world.trace().hash(),
                world.time().count(),
                violation.map(RunTrace.Violation::property),
                violation.map(RunTrace.Violation::detail).orElse(""),
                world.coverage(),
                world.trace().lines());
    }

    private static String describe(Throwable bug) {
        var text = new StringBuilder(bug.toString());
        for (var frame : bug.getStackTrace()) {
            text.append("\n    at ").append(frame);
        }
        return text.toString();
    }
}
