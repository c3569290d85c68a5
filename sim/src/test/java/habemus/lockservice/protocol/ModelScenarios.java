package habemus.lockservice.protocol;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.simulate.RunLimits;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.simulate.SwarmFaults;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.LatencyModel;
import habemus.world.NetworkModel;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Worlds in which the production lock is tried: some by hand, each of which kills a mutant, some by seed. */
final class ModelScenarios {

    static final Duration LEASE = Duration.ofMillis(240);

    /** Everything that goes wrong in them is over by then, and so is what comes of it. */
    private static final RunLimits SETTLED =
            RunLimits.AMPLE.withConvergenceBy(Duration.ofSeconds(20)).withMaxSteps(100_000);

    private static final Set<FaultKind> ALL = EnumSet.complementOf(EnumSet.of(FaultKind.AMNESIA, FaultKind.MISTAKE));

    private static final Set<Property> ALWAYS =
            EnumSet.of(Property.FENCES_GROW, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION);

    private ModelScenarios() {}

    /**
     * @param reign zero if the leader does not change
     * @param aim what everybody wants, see {@link LockServiceModel.Goal}
     * @param tolerance after which an operator interferes; zero if there is none
     */
    record Scenario(World world, Duration reign, int services, String aim, Duration tolerance) {
        Scenario wanting(String next) {
            return new Scenario(world, reign, services, next, tolerance);
        }

        /** Whoever is inside is put out so much later. */
        Scenario tolerating(int millis) {
            return new Scenario(world, reign, services, aim, Duration.ofMillis(millis));
        }
    }

    /** By name. The log is n1, the nodes of the service are n2 and n3; a client of an even number begins with n2. */
    static Map<String, Scenario> byHand() {
        var scenarios = new LinkedHashMap<String, Scenario>();
        renewing(scenarios);
        cutOff(scenarios);
        interfering(scenarios);
        return scenarios;
    }

    private static void renewing(Map<String, Scenario> scenarios) {
        scenarios.put(
                "acknowledgements are late, then nothing is heard of the holder",
                steady(world(5, 1_000, call(4, 0), call(5, 50))
                        .withFaults(List.of(
                                at(110, new Fault.Slow(n(2), n(4), 100)),
                                at(130, cut(nodes(4), nodes(2, 3))),
                                healed()))));
        scenarios.put(
                "an old acknowledgement comes twice, the second time after a newer renewal",
                steady(world(5, 1_000, call(4, 0), call(5, 50))
                        .withFaults(List.of(
                                at(110, new Fault.Slow(n(2), n(4), 100)),
                                at(110, new Fault.Slow(n(3), n(4), 100)),
                                at(170, cut(nodes(4), nodes(2, 3))),
                                healed()))));
        scenarios.put(
                "one who waits stands still, and its turn comes and goes",
                steady(world(6, 400, call(5, 0), call(4, 20), call(6, 40))
                        .withFaults(
                                List.of(at(390, new Fault.Pause(n(4))), at(800, new Fault.Resume(n(4))), healed()))));
        scenarios.put(
                "the news that one is let in is lost",
                steady(world(5, 100, call(5, 0), call(4, 20))
                        .withFaults(List.of(at(100, cut(nodes(2), nodes(4))), at(120, mend(nodes(2), nodes(4)))))));
        scenarios.put(
                "one who waits crashes",
                steady(world(6, 100, call(4, 0), call(5, 20), call(6, 40))
                        .withFaults(List.of(at(60, new Fault.Crash(n(5)))))));
    }

    private static void cutOff(Map<String, Scenario> scenarios) {
        scenarios.put(
                "the holder is cut off",
                steady(world(5, 1_000, call(4, 0), call(5, 50))
                        .withFaults(List.of(
                                at(100, cut(nodes(4), nodes(2, 3))), at(100, cut(nodes(2, 3), nodes(4))), healed()))));
        scenarios.put(
                "the holder's node is cut off from the log, and another leads",
                new Scenario(
                        world(5, 1_500, call(4, 0), call(5, 50))
                                .withFaults(List.of(
                                        at(100, cut(nodes(1), nodes(2))), at(100, cut(nodes(2), nodes(1))), healed())),
                        Duration.ofMillis(300),
                        2,
                        "ONE",
                        Duration.ZERO));
        scenarios.put(
                "who leads hears no more of the log, but is heard",
                steady(world(5, 1_000, call(5, 0), call(4, 20))
                        .withFaults(List.of(
                                at(100, cut(nodes(1), nodes(2))), at(250, new Fault.Slow(n(3), n(5), 20)), healed()))));
    }

    private static void interfering(Map<String, Scenario> scenarios) {
        scenarios.put(
                "an operator takes it while its client is between two nodes",
                steady(world(5, 1_000, call(4, 0), call(5, 50))
                                .withFaults(List.of(
                                        at(150, cut(nodes(2), nodes(4))), at(150, cut(nodes(4), nodes(2))), healed())))
                        .tolerating(200));
        scenarios.put(
                "an operator has another lead while the leader is between two nodes",
                steady(world(6, 1_000, call(4, 0), call(5, 20), call(6, 40))
                                .withFaults(List.of(
                                        at(150, cut(nodes(2), nodes(4))), at(150, cut(nodes(4), nodes(2))), healed())))
                        .wanting("LEAD")
                        .tolerating(200));
        scenarios.put(
                "three want two locks each",
                steady(world(7, 50, call(4, 0), call(5, 10), call(6, 20), call(7, 30)))
                        .wanting("SEVERAL"));
    }

    private static Scenario steady(World world) {
        return new Scenario(world, Duration.ZERO, 2, "ONE", Duration.ZERO);
    }

    private static World world(int size, int hold, Workload.Request... requests) {
        var topology = Topology.complete(size);
        return World.of(topology)
                .withLatency(new LatencyModel.Fixed(Duration.ofMillis(1)))
                .withWorkload(Workload.once(topology.nodes())
                        .withRequests(Arrays.asList(requests))
                        .withHoldTime(Duration.ofMillis(hold)));
    }

    private static Workload.Request call(int node, int at) {
        return new Workload.Request(n(node), Duration.ofMillis(at));
    }

    private static Fault.PlannedFault at(int millis, Fault fault) {
        return new Fault.PlannedFault(Duration.ofMillis(millis), fault);
    }

    private static Fault.Cut cut(NodeSet from, NodeSet to) {
        return new Fault.Cut(from, to, false);
    }

    private static Fault mend(NodeSet from, NodeSet to) {
        return new Fault.HealCut(cut(from, to));
    }

    private static Fault.PlannedFault healed() {
        return at(1_600, new Fault.Heal());
    }

    /** Clients that stay inside for longer than a lease, some swift network, and whatever the lock survives. */
    static Scenario bySeed(long seed) {
        var chance = new SplittableRandom(seed);
        var topology = Topology.complete(4 + chance.nextInt(3));
        var requests = new ArrayList<Workload.Request>();
        for (NodeId node : topology.nodes()) {
            requests.add(new Workload.Request(node, Duration.ofMillis(chance.nextInt(200))));
        }
        var workload = Workload.once(topology.nodes())
                .withRequests(requests)
                .withEntries(1 + chance.nextInt(4))
                .withThinkTime(Duration.ofMillis(chance.nextInt(100)))
                .withHoldTime(Duration.ofMillis(
                        1 + chance.nextInt(List.of(20, 300, 600, 900).get(chance.nextInt(4)))));
        int slowest = List.of(1, 5, 10, 20).get(chance.nextInt(4));
        var latency = new LatencyModel.Uniform(Duration.ofMillis(1), Duration.ofMillis(slowest));
        var world = World.of(topology)
                .withNetwork(NetworkModel.FIFO)
                .withLatency(latency)
                .withWorkload(workload);
        int services = Math.max(1, (topology.size() - 1) / 2);
        var aim = List.of("ONE", "ONE", "SEVERAL", "LEAD").get((int) (seed % 4));
        int tolerance = seed % 5 == 0 ? 50 + chance.nextInt(400) : 0;
        return new Scenario(SwarmFaults.inject(world, ALL, seed), LEASE.multipliedBy(4), services, aim, Duration.ZERO)
                .tolerating(tolerance);
    }

    private static boolean isPromised(Property property, Scenario scenario) {
        boolean asked = scenario.tolerance.isZero(); // an operator asks nobody
        return switch (property) {
            case MUTUAL_EXCLUSION -> asked && !FaultKind.of(scenario.world).contains(FaultKind.PAUSE);
            case NOTIFIED_BEFORE_REGRANTED -> asked;
            default -> ALWAYS.contains(property);
        };
    }

    /**
     * What is broken that the lock promises, or {@code bug}; without what a ledger has found.
     *
     * @param settled called if it has come to its end
     */
    static Set<String> broken(
            Protocol<?, ?> protocol, Scenario scenario, long seed, Consumer<TraceEvent> ledger, Runnable settled) {
        var runResult = Simulation.of(protocol, scenario.world, seed)
                .withLimits(SETTLED)
                .withTrace(ledger)
                .run();
        var broken = new TreeSet<String>();
        runResult.verdicts().forEach((property, verdict) -> {
            if (isPromised(property, scenario) && verdict == Verdict.VIOLATED) {
                broken.add(property.toString());
            }
        });
        if (runResult.end() == RunResult.End.BUG || runResult.end() == RunResult.End.LIMIT) {
            broken.add(runResult.end().toString());
        } else {
            settled.run();
        }
        return broken;
    }
}
