package habemus.harness.simulation;

import habemus.harness.simulation.FaultPlan.PlannedFault;
import java.util.ArrayList;
import java.util.List;

/** Leaves out faults and clients of a violating run, as long as it violates the same property. */
public final class ServiceShrinker {

    private static final int MAX_RUNS = 400;

    private final String property;
    private int runs;

    private ServiceShrinker(String property) {
        this.property = property;
    }

    /** A run with fewer faults and clients that violates the same property, with the end of its trace. */
    public static SimulatedRun shrink(SimulatedRun violating) {
        var shrinker = new ServiceShrinker(violating.violated().orElseThrow());
        var plan = shrinker.withoutFaults(violating.plan());
        plan = shrinker.withoutClients(plan);
        plan = shrinker.withoutFaults(plan);
        return SimulatedRun.withTrace(plan);
    }

    private boolean violates(FaultPlan plan) {
        runs++;
        return runs <= MAX_RUNS
                && SimulatedRun.of(plan).violated().filter(property::equals).isPresent();
    }

    /** Leaves out half of the faults, then quarters, and so on. */
    private FaultPlan withoutFaults(FaultPlan plan) {
        var smallest = plan;
        for (int size = Math.max(1, plan.faults().size() / 2); size > 0; size /= 2) {
            for (int from = smallest.faults().size() - size; from >= 0; from -= size) {
                var fewer = smallest.withFaults(without(smallest.faults(), from, from + size));
                smallest = violates(fewer) ? fewer : smallest;
            }
        }
        return smallest;
    }

    private static List<PlannedFault> without(List<PlannedFault> faults, int from, int to) {
        var fewer = new ArrayList<>(faults);
        fewer.subList(from, Math.min(to, fewer.size())).clear();
        return fewer;
    }

    private FaultPlan withoutClients(FaultPlan plan) {
        for (int clients = 1; clients < plan.clients(); clients++) {
            var fewer = plan.withClients(clients);
            if (violates(fewer)) {
                return fewer;
            }
        }
        return plan;
    }
}
