package habemus.catalogue;

import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.LOSS;
import static habemus.world.FaultKind.PARTITION;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.RESTART;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.DEADLOCK_FREEDOM;
import static habemus.world.Property.FENCES_GROW;
import static habemus.world.Property.MUTUAL_EXCLUSION;
import static habemus.world.Property.NOTIFIED_BEFORE_REGRANTED;
import static habemus.world.Property.NO_STARVATION;

import habemus.lockservice.protocol.LockServiceModel;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The catalogue entry of the production lock service. */
final class LockServiceEntries {

    private static final AlgorithmOption<Integer> SERVERS = AlgorithmOption.number(
            "servers", 0, "number of lock servers, numbered after the log, n1; 0: half of the other nodes");
    private static final AlgorithmOption<Duration> LEASE = AlgorithmOption.positiveDuration(
            "lease", Duration.ofMillis(240), "time after which a session expires without renewal");
    private static final AlgorithmOption<Duration> LEADERSHIP = AlgorithmOption.duration(
            "leadership", Duration.ofMillis(960), "longest time that one lock server leads; 0: unlimited");
    private static final AlgorithmOption<Boolean> TWO_LOCKS =
            AlgorithmOption.flag("two-locks", "every client acquires two locks at once");
    private static final AlgorithmOption<Boolean> LEAD =
            AlgorithmOption.flag("lead", "clients campaign for an election instead, some with a higher rank");
    private static final AlgorithmOption<Duration> REVOKE_AFTER = AlgorithmOption.duration(
            "revoke-after", Duration.ZERO, "time after which an operator revokes the lock from its holder; 0: never");

    private LockServiceEntries() {}

    static Algorithm fenced() {
        return AlgorithmBuilder.mutex(
                        "fenced",
                        "Clients ask lock servers, which append to a replicated log, n1: the production lock.")
                .option(SERVERS)
                .option(LEASE)
                .option(LEADERSHIP)
                .option(TWO_LOCKS)
                .option(LEAD)
                .option(REVOKE_AFTER)
                .retriesForever()
                .coordinators(parameters -> NodeSet.of(IntStream.rangeClosed(1, 1 + servers(parameters))
                        .mapToObj(NodeId::new)
                        .toList()))
                .guarantees(LockServiceEntries::guarantees)
                .build(parameters -> new LockServiceModel(
                        servers(parameters),
                        parameters.get(LEASE),
                        parameters.get(LEADERSHIP),
                        goal(parameters),
                        parameters.get(REVOKE_AFTER)));
    }

    private static LockServiceModel.Goal goal(AlgorithmParameters parameters) {
        return parameters.get(LEAD)
                ? LockServiceModel.Goal.LEADERSHIP
                : parameters.get(TWO_LOCKS) ? LockServiceModel.Goal.TWO_LOCKS : LockServiceModel.Goal.ONE_LOCK;
    }

    private static int servers(AlgorithmParameters parameters) {
        int servers = parameters.get(SERVERS);
        return servers > 0 ? servers : Math.max(1, (parameters.nodeCount() - 1) / 2);
    }

    /**
     * A paused holder may overlap with the next one, but is notified before it acts again. Progress needs short delays.
     *
     * <p>An operator revokes without waiting for the holder. A client that learns late of its grant may already have
     * lost it to another client. Then only growing fences are guaranteed.
     */
    private static List<Guarantee> guarantees(AlgorithmParameters parameters) {
        var shortDelay = new TimingAssumption.DelayBound(parameters.get(LEASE).dividedBy(12));
        var fences = Guarantee.of(FENCES_GROW)
                .tolerating(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                .assuming(new TimingAssumption.Clocked());
        if (!parameters.get(REVOKE_AFTER).isZero()) {
            return List.of(Guarantee.of(FENCES_GROW).assuming(shortDelay));
        }
        return List.of(
                fences,
                Guarantee.of(NOTIFIED_BEFORE_REGRANTED)
                        .tolerating(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                        .assuming(new TimingAssumption.Clocked()),
                Guarantee.of(MUTUAL_EXCLUSION)
                        .tolerating(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PARTITION, SLOWNESS)
                        .assuming(new TimingAssumption.Clocked()),
                Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION)
                        .tolerating(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                        .assuming(shortDelay));
    }
}
