package habemus.harness.simulation;

import habemus.client.FenceGuard;
import habemus.lockservice.Quotas;
import habemus.lockservice.Usage;
import habemus.service.server.ServerLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** All parts of one simulated run. */
final class ServiceWorld {

    private static final long QUOTA_DRAW = 0x9E3779B97F4A7C15L; // so that the quotas change no other choice

    private final FaultPlan plan;
    private final ServerLimits limits;
    private final RunTrace trace;
    private final VirtualTime time;
    private final ServiceCoverage coverage = new ServiceCoverage();
    private final VirtualNetwork network;
    private final LogSafetyMonitor logSafety;
    private final CommittedHistory history;
    private final ClientGrantMonitor grants;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<ClientProcess> clients = new ArrayList<>();
    private final Operator operator;
    private final Optional<SimulatedEngine> engine;
    private final FenceGuard guard = FenceGuard.inMemory();

    /** @param engine of the logs of all nodes; empty for logs that the nodes keep themselves */
    ServiceWorld(FaultPlan plan, boolean isTextWanted, Optional<SimulatedEngine.Factory> engine) {
        this.plan = plan;
        limits = drawLimits(new SplittableRandom(plan.seed() ^ QUOTA_DRAW));
        trace = new RunTrace(isTextWanted);
        time = new VirtualTime(trace);
        trace.setTime(time);
        var random = new SplittableRandom(plan.seed() ^ 0x5DEECE66DL);
        network = new VirtualNetwork(time, trace, random.split(), plan.nodes() + 1 + FaultPlan.CLIENTS);
        logSafety = new LogSafetyMonitor(trace, coverage, plan.nodes() + 1, plan.keepsData());
        grants = new ClientGrantMonitor(this);
        history = new CommittedHistory(this);
        for (int number = 1; number <= plan.nodes() + 1; number++) {
            nodes.add(new SimulatedNode(this, number, random.split()));
        }
        for (int i = 0; i < plan.clients(); i++) {
            clients.add(new ClientProcess(this, i, new SplittableRandom(plan.seed() * 31 + i)));
        }
        operator = new Operator(this, random.split());
        this.engine = engine.map(factory -> factory.create(new EngineClock(), random.split(), FaultPlan.HEALED_NANOS));
    }

    private final class EngineClock implements SimulatedEngine.Clock {
        @Override
        public long now() {
            return time.now();
        }

        @Override
        public void after(long nanos, Runnable action) {
            time.after(nanos, action);
        }

        @Override
        public void line(String text) {
            trace.line(() -> text);
        }
    }

    /** Empty if the nodes keep their logs themselves. */
    Optional<SimulatedEngine> engine() {
        return engine;
    }

    /** In some runs the quotas are so small that clients meet them. */
    private static ServerLimits drawLimits(SplittableRandom random) {
        if (random.nextInt(4) > 0) {
            return ServerLimits.DEFAULT;
        }
        var total = new Usage(
                random.nextLong(6, 16), random.nextLong(3, 9), random.nextLong(3, 12), random.nextLong(9_000, 20_000));
        return ServerLimits.DEFAULT.withQuotas(new Quotas(total, total));
    }

    /** The limits of all nodes. */
    ServerLimits limits() {
        return limits;
    }

    FaultPlan plan() {
        return plan;
    }

    RunTrace trace() {
        return trace;
    }

    VirtualTime time() {
        return time;
    }

    ServiceCoverage coverage() {
        return coverage;
    }

    VirtualNetwork network() {
        return network;
    }

    LogSafetyMonitor logSafety() {
        return logSafety;
    }

    CommittedHistory history() {
        return history;
    }

    ClientGrantMonitor grants() {
        return grants;
    }

    /** All nodes, in the order of their numbers. The last one is not a member at first. */
    List<SimulatedNode> nodes() {
        return nodes;
    }

    List<ClientProcess> clients() {
        return clients;
    }

    Operator operator() {
        return operator;
    }

    /** The guard of all resources that clients write to. */
    FenceGuard guard() {
        return guard;
    }

    /** The number of the process of a client. */
    int clientProcess(int client) {
        return plan.nodes() + 1 + client;
    }

    void count(ServiceSituation situation) {
        coverage.count(situation);
    }

    void line(Supplier<String> text) {
        trace.line(text);
    }

    void violate(ServiceProperty property, Supplier<String> detail) {
        trace.violate(property.toString(), () -> property.sentence() + ": " + detail.get());
    }
}
