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

/** Worlds for the model of the lock service: hand-written ones, each of which kills a mutant, and random ones. */
final class ModelScenarios {

    static final Duration LEASE = Duration.ofMillis(240);

    /** By then all faults are over and the system has converged. */
    private static final RunLimits LIMITS =
            RunLimits.AMPLE.withConvergenceBy(Duration.ofSeconds(20)).withMaxSteps(100_000);

    private static final Set<FaultKind> FAULTS = EnumSet.complementOf(EnumSet.of(
            FaultKind.AMNESIA,
            FaultKind.MISTAKE,
            FaultKind.TAIL_LOSS,
            FaultKind.CLOCK_RATE,
            FaultKind.JOIN,
            FaultKind.LEAVE));

    private static final Set<Property> ALWAYS =
            EnumSet.of(Property.FENCES_GROW, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION);

    private ModelScenarios() {}

    /**
     * @param leaderChangeInterval zero if the leader does not change
     * @param goal name of a {@link LockServiceModel.Goal}; a string, because a mutant has its own enum
     * @param revokeAfter time after which an operator revokes every hold; zero for never
     */
    record Scenario(World world, Duration leaderChangeInterval, int servers, String goal, Duration revokeAfter) {
        Scenario withGoal(String next) {
            return new Scenario(world, leaderChangeInterval, servers, next, revokeAfter);
        }

        Scenario revokingAfterMillis(int millis) {
            return new Scenario(world, leaderChangeInterval, servers, goal, Duration.ofMillis(millis));
        }
    }

    /** By name. The log is n1, the lock servers are n2 and n3; clients with even numbers start with n2. */
    static Map<String, Scenario> byHand() {
        var scenarios = new LinkedHashMap<String, Scenario>();
        renewals(scenarios);
        partitions(scenarios);
        adminActions(scenarios);
        return scenarios;
    }

    private static void renewals(Map<String, Scenario> scenarios) {
        scenarios.put(
                "acknowledgements are late, then the holder is partitioned",
                steady(world(5, 1_000, request(4, 0), request(5, 50))
                        .withFaults(List.of(
                                at(110, new Fault.Slow(n(2), n(4), 100)),
                                at(130, cut(nodes(4), nodes(2, 3))),
                                healAll()))));
        scenarios.put(
                "an old acknowledgement is delivered after a newer renewal",
                steady(world(5, 1_000, request(4, 0), request(5, 50))
                        .withFaults(List.of(
                                at(110, new Fault.Slow(n(2), n(4), 100)),
                                at(110, new Fault.Slow(n(3), n(4), 100)),
                                at(170, cut(nodes(4), nodes(2, 3))),
                                healAll()))));
        scenarios.put(
                "a waiter is paused while it is granted and expires",
                steady(world(6, 400, request(5, 0), request(4, 20), request(6, 40))
                        .withFaults(
                                List.of(at(390, new Fault.Pause(n(4))), at(800, new Fault.Resume(n(4))), healAll()))));
        scenarios.put(
                "the result of a grant is lost",
                steady(world(5, 100, request(5, 0), request(4, 20))
                        .withFaults(List.of(at(100, cut(nodes(2), nodes(4))), at(120, heal(nodes(2), nodes(4)))))));
        scenarios.put(
                "a waiter crashes",
                steady(world(6, 100, request(4, 0), request(5, 20), request(6, 40))
                        .withFaults(List.of(at(60, new Fault.Crash(n(5)))))));
    }

    private static void partitions(Map<String, Scenario> scenarios) {
        scenarios.put(
                "the holder is partitioned",
                steady(world(5, 1_000, request(4, 0), request(5, 50))
                        .withFaults(List.of(
                                at(100, cut(nodes(4), nodes(2, 3))), at(100, cut(nodes(2, 3), nodes(4))), healAll()))));
        scenarios.put(
                "the holder's server is partitioned from the log, and the leader changes",
                new Scenario(
                        world(5, 1_500, request(4, 0), request(5, 50))
                                .withFaults(List.of(
                                        at(100, cut(nodes(1), nodes(2))), at(100, cut(nodes(2), nodes(1))), healAll())),
                        Duration.ofMillis(300),
                        2,
                        "ONE_LOCK",
                        Duration.ZERO));
        scenarios.put(
                "the leader sends to the log, but receives nothing from it",
                steady(world(5, 1_000, request(5, 0), request(4, 20))
                        .withFaults(List.of(
                                at(100, cut(nodes(1), nodes(2))),
                                at(250, new Fault.Slow(n(3), n(5), 20)),
                                healAll()))));
    }

    private static void adminActions(Map<String, Scenario> scenarios) {
        scenarios.put(
                "an operator revokes a hold while its client switches nodes",
                steady(world(5, 1_000, request(4, 0), request(5, 50))
                                .withFaults(List.of(
                                        at(150, cut(nodes(2), nodes(4))), at(150, cut(nodes(4), nodes(2))), healAll())))
                        .revokingAfterMillis(200));
        scenarios.put(
                "an operator transfers leadership while the leader switches nodes",
                steady(world(6, 1_000, request(4, 0), request(5, 20), request(6, 40))
                                .withFaults(List.of(
                                        at(150, cut(nodes(2), nodes(4))), at(150, cut(nodes(4), nodes(2))), healAll())))
                        .withGoal("LEADERSHIP")
                        .revokingAfterMillis(200));
        scenarios.put(
                "four clients acquire two locks each",
                steady(world(7, 50, request(4, 0), request(5, 10), request(6, 20), request(7, 30)))
                        .withGoal("TWO_LOCKS"));
    }

    private static Scenario steady(World world) {
        return new Scenario(world, Duration.ZERO, 2, "ONE_LOCK", Duration.ZERO);
    }

    private static World world(int size, int hold, Workload.Request... requests) {
        var topology = Topology.complete(size);
        return World.of(topology)
                .withLatency(new LatencyModel.Fixed(Duration.ofMillis(1)))
                .withWorkload(Workload.once(topology.nodes())
                        .withRequests(Arrays.asList(requests))
                        .withHoldTime(Duration.ofMillis(hold)));
    }

    private static Workload.Request request(int node, int at) {
        return new Workload.Request(n(node), Duration.ofMillis(at));
    }

    private static Fault.PlannedFault at(int millis, Fault fault) {
        return new Fault.PlannedFault(Duration.ofMillis(millis), fault);
    }

    private static Fault.Cut cut(NodeSet from, NodeSet to) {
        return new Fault.Cut(from, to, false);
    }

    private static Fault heal(NodeSet from, NodeSet to) {
        return new Fault.HealCut(cut(from, to));
    }

    private static Fault.PlannedFault healAll() {
        return at(1_600, new Fault.Heal());
    }

    /** Holds up to several leases long, a network of a few milliseconds, and all faults that the service tolerates. */
    static Scenario bySeed(long seed) {
        var random = new SplittableRandom(seed);
        var topology = Topology.complete(4 + random.nextInt(3));
        var requests = new ArrayList<Workload.Request>();
        for (NodeId node : topology.nodes()) {
            requests.add(new Workload.Request(node, Duration.ofMillis(random.nextInt(200))));
        }
        var workload = Workload.once(topology.nodes())
                .withRequests(requests)
                .withEntries(1 + random.nextInt(4))
                .withThinkTime(Duration.ofMillis(random.nextInt(100)))
                .withHoldTime(Duration.ofMillis(
                        1 + random.nextInt(List.of(20, 300, 600, 900).get(random.nextInt(4)))));
        int maxMillis = List.of(1, 5, 10, 20).get(random.nextInt(4));
        var latency = new LatencyModel.Uniform(Duration.ofMillis(1), Duration.ofMillis(maxMillis));
        var world = World.of(topology)
                .withNetwork(NetworkModel.FIFO)
                .withLatency(latency)
                .withWorkload(workload);
        int servers = Math.max(1, (topology.size() - 1) / 2);
        var goal = List.of("ONE_LOCK", "ONE_LOCK", "TWO_LOCKS", "LEADERSHIP").get((int) (seed % 4));
        int revokeMillis = seed % 5 == 0 ? 50 + random.nextInt(400) : 0;
        return new Scenario(
                        SwarmFaults.inject(world, FAULTS, seed), LEASE.multipliedBy(4), servers, goal, Duration.ZERO)
                .revokingAfterMillis(revokeMillis);
    }

    private static boolean isGuaranteed(Property property, Scenario scenario) {
        boolean isWithoutRevocations = scenario.revokeAfter.isZero();
        return switch (property) {
            case MUTUAL_EXCLUSION ->
                isWithoutRevocations && !FaultKind.of(scenario.world).contains(FaultKind.PAUSE);
            case NOTIFIED_BEFORE_REGRANTED -> isWithoutRevocations;
            default -> ALWAYS.contains(property);
        };
    }

    /**
     * Runs a scenario, and returns the violated guarantees, or {@code bug}.
     *
     * @param listener gets the trace; its own findings are not in the result
     * @param onConverged called if the run converged
     */
    static Set<String> violations(
            Protocol<?, ?> protocol,
            Scenario scenario,
            long seed,
            Consumer<TraceEvent> listener,
            Runnable onConverged) {
        var result = Simulation.of(protocol, scenario.world, seed)
                .withLimits(LIMITS)
                .withTrace(listener)
                .run();
        var violations = new TreeSet<String>();
        result.verdicts().forEach((property, verdict) -> {
            if (isGuaranteed(property, scenario) && verdict == Verdict.VIOLATED) {
                violations.add(property.toString());
            }
        });
        if (result.end() == RunResult.End.BUG || result.end() == RunResult.End.LIMIT) {
            violations.add(result.end().toString());
        } else {
            onConverged.run();
        }
        return violations;
    }
}
