package habemus.fenced;

import static habemus.Given.n;
import static habemus.Given.nodes;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.simulate.Limits;
import habemus.simulate.Outcome;
import habemus.simulate.Simulation;
import habemus.simulate.Swarm;
import habemus.world.Fault;
import habemus.world.Hazard;
import habemus.world.Latency;
import habemus.world.Network;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceLine;
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
final class Trials {

    static final Duration LEASE = Duration.ofMillis(240);

    /** Everything that goes wrong in them is over by then, and so is what comes of it. */
    private static final Limits SETTLED =
            Limits.AMPLE.settledAt(Duration.ofSeconds(20)).steps(100_000);

    private static final Set<Hazard> ALL = EnumSet.complementOf(EnumSet.of(Hazard.AMNESIA, Hazard.MISTAKE));

    private static final Set<Property> ALWAYS =
            EnumSet.of(Property.FENCES_GROW, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION);

    private Trials() {}

    /**
     * @param reign zero if the leader does not change
     * @param aim what everybody wants, see {@link Fenced.Aim}
     * @param tolerance after which an operator interferes; zero if there is none
     */
    record Trial(World world, Duration reign, int services, String aim, Duration tolerance) {
        Trial wanting(String next) {
            return new Trial(world, reign, services, next, tolerance);
        }

        /** Whoever is inside is put out so much later. */
        Trial tolerating(int millis) {
            return new Trial(world, reign, services, aim, Duration.ofMillis(millis));
        }
    }

    /** By name. The log is n1, the nodes of the service are n2 and n3; a client of an even number begins with n2. */
    static Map<String, Trial> byHand() {
        var trials = new LinkedHashMap<String, Trial>();
        renewing(trials);
        cutOff(trials);
        interfering(trials);
        return trials;
    }

    private static void renewing(Map<String, Trial> trials) {
        trials.put(
                "acknowledgements are late, then nothing is heard of the holder",
                steady(world(5, 1_000, call(4, 0), call(5, 50))
                        .struckBy(List.of(
                                at(110, new Fault.Slow(n(2), n(4), 100)),
                                at(130, cut(nodes(4), nodes(2, 3))),
                                healed()))));
        trials.put(
                "an old acknowledgement comes twice, the second time after a newer renewal",
                steady(world(5, 1_000, call(4, 0), call(5, 50))
                        .struckBy(List.of(
                                at(110, new Fault.Slow(n(2), n(4), 100)),
                                at(110, new Fault.Slow(n(3), n(4), 100)),
                                at(170, cut(nodes(4), nodes(2, 3))),
                                healed()))));
        trials.put(
                "one who waits stands still, and its turn comes and goes",
                steady(world(6, 400, call(5, 0), call(4, 20), call(6, 40))
                        .struckBy(List.of(at(390, new Fault.Pause(n(4))), at(800, new Fault.Resume(n(4))), healed()))));
        trials.put(
                "the news that one is let in is lost",
                steady(world(5, 100, call(5, 0), call(4, 20))
                        .struckBy(List.of(at(100, cut(nodes(2), nodes(4))), at(120, mend(nodes(2), nodes(4)))))));
        trials.put(
                "one who waits crashes",
                steady(world(6, 100, call(4, 0), call(5, 20), call(6, 40))
                        .struckBy(List.of(at(60, new Fault.Crash(n(5)))))));
    }

    private static void cutOff(Map<String, Trial> trials) {
        trials.put(
                "the holder is cut off",
                steady(world(5, 1_000, call(4, 0), call(5, 50))
                        .struckBy(List.of(
                                at(100, cut(nodes(4), nodes(2, 3))), at(100, cut(nodes(2, 3), nodes(4))), healed()))));
        trials.put(
                "the holder's node is cut off from the log, and another leads",
                new Trial(
                        world(5, 1_500, call(4, 0), call(5, 50))
                                .struckBy(List.of(
                                        at(100, cut(nodes(1), nodes(2))), at(100, cut(nodes(2), nodes(1))), healed())),
                        Duration.ofMillis(300),
                        2,
                        "ONE",
                        Duration.ZERO));
        trials.put(
                "who leads hears no more of the log, but is heard",
                steady(world(5, 1_000, call(5, 0), call(4, 20))
                        .struckBy(List.of(
                                at(100, cut(nodes(1), nodes(2))), at(250, new Fault.Slow(n(3), n(5), 20)), healed()))));
    }

    private static void interfering(Map<String, Trial> trials) {
        trials.put(
                "an operator takes it while its client is between two nodes",
                steady(world(5, 1_000, call(4, 0), call(5, 50))
                                .struckBy(List.of(
                                        at(150, cut(nodes(2), nodes(4))), at(150, cut(nodes(4), nodes(2))), healed())))
                        .tolerating(200));
        trials.put(
                "an operator has another lead while the leader is between two nodes",
                steady(world(6, 1_000, call(4, 0), call(5, 20), call(6, 40))
                                .struckBy(List.of(
                                        at(150, cut(nodes(2), nodes(4))), at(150, cut(nodes(4), nodes(2))), healed())))
                        .wanting("LEAD")
                        .tolerating(200));
        trials.put(
                "three want two locks each",
                steady(world(7, 50, call(4, 0), call(5, 10), call(6, 20), call(7, 30)))
                        .wanting("SEVERAL"));
    }

    private static Trial steady(World world) {
        return new Trial(world, Duration.ZERO, 2, "ONE", Duration.ZERO);
    }

    private static World world(int size, int hold, Workload.Call... calls) {
        var topology = Topology.complete(size);
        return World.of(topology)
                .taking(new Latency.Fixed(Duration.ofMillis(1)))
                .wanting(Workload.once(topology.nodes())
                        .calling(Arrays.asList(calls))
                        .holding(Duration.ofMillis(hold)));
    }

    private static Workload.Call call(int node, int at) {
        return new Workload.Call(n(node), Duration.ofMillis(at));
    }

    private static Fault.Planned at(int millis, Fault fault) {
        return new Fault.Planned(Duration.ofMillis(millis), fault);
    }

    private static Fault.Cut cut(NodeSet from, NodeSet to) {
        return new Fault.Cut(from, to, false);
    }

    private static Fault mend(NodeSet from, NodeSet to) {
        return new Fault.Mend(cut(from, to));
    }

    private static Fault.Planned healed() {
        return at(1_600, new Fault.Heal());
    }

    /** Clients that stay inside for longer than a lease, some swift network, and whatever the lock survives. */
    static Trial bySeed(long seed) {
        var chance = new SplittableRandom(seed);
        var topology = Topology.complete(4 + chance.nextInt(3));
        var calls = new ArrayList<Workload.Call>();
        for (NodeId node : topology.nodes()) {
            calls.add(new Workload.Call(node, Duration.ofMillis(chance.nextInt(200))));
        }
        var workload = Workload.once(topology.nodes())
                .calling(calls)
                .entering(1 + chance.nextInt(4))
                .thinking(Duration.ofMillis(chance.nextInt(100)))
                .holding(Duration.ofMillis(
                        1 + chance.nextInt(List.of(20, 300, 600, 900).get(chance.nextInt(4)))));
        int slowest = List.of(1, 5, 10, 20).get(chance.nextInt(4));
        var latency = new Latency.Uniform(Duration.ofMillis(1), Duration.ofMillis(slowest));
        var world = World.of(topology).over(Network.FIFO).taking(latency).wanting(workload);
        int services = Math.max(1, (topology.size() - 1) / 2);
        var aim = List.of("ONE", "ONE", "SEVERAL", "LEAD").get((int) (seed % 4));
        int tolerance = seed % 5 == 0 ? 50 + chance.nextInt(400) : 0;
        return new Trial(Swarm.strike(world, ALL, seed), LEASE.multipliedBy(4), services, aim, Duration.ZERO)
                .tolerating(tolerance);
    }

    private static boolean isPromised(Property property, Trial trial) {
        boolean asked = trial.tolerance.isZero(); // an operator asks nobody
        return switch (property) {
            case MUTUAL_EXCLUSION -> asked && !Hazard.of(trial.world).contains(Hazard.PAUSE);
            case TOLD_BEFORE_REGRANTED -> asked;
            default -> ALWAYS.contains(property);
        };
    }

    /**
     * What is broken that the lock promises, or {@code bug}; without what a ledger has found.
     *
     * @param settled called if it has come to its end
     */
    static Set<String> broken(
            Protocol<?, ?> protocol, Trial trial, long seed, Consumer<TraceLine> ledger, Runnable settled) {
        var outcome = Simulation.of(protocol, trial.world, seed)
                .within(SETTLED)
                .tracing(ledger)
                .run();
        var broken = new TreeSet<String>();
        outcome.verdicts().forEach((property, verdict) -> {
            if (isPromised(property, trial) && verdict == Verdict.VIOLATED) {
                broken.add(property.toString());
            }
        });
        if (outcome.end() == Outcome.End.BUG || outcome.end() == Outcome.End.LIMIT) {
            broken.add(outcome.end().toString());
        } else {
            settled.run();
        }
        return broken;
    }
}
