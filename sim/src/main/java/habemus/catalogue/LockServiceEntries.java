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

/** The entry of the production lock. */
final class LockServiceEntries {

    private static final AlgorithmOption<Integer> SERVICES = AlgorithmOption.number(
            "services", 0, "how many nodes of the service there are, after the log, n1; 0: half of the others");
    private static final AlgorithmOption<Duration> LEASE = AlgorithmOption.positiveDuration(
            "lease", Duration.ofMillis(240), "after what time a client of whom nothing is heard loses what it has");
    private static final AlgorithmOption<Duration> REIGN = AlgorithmOption.duration(
            "reign", Duration.ofMillis(960), "for how long one node of the service leads at most; 0: for ever");
    private static final AlgorithmOption<Boolean> SEVERAL =
            AlgorithmOption.flag("several", "everybody wants two locks at once");
    private static final AlgorithmOption<Boolean> LEAD =
            AlgorithmOption.flag("lead", "everybody wants to lead instead, some with a higher rank");
    private static final AlgorithmOption<Duration> TOLERANCE = AlgorithmOption.duration(
            "tolerance", Duration.ZERO, "after what time an operator takes it from whoever has it; 0: never");

    private LockServiceEntries() {}

    static Algorithm fenced() {
        return AlgorithmBuilder.mutex(
                        "fenced", "the production lock: ask a node of the service, which asks a replicated log, n1")
                .option(SERVICES)
                .option(LEASE)
                .option(REIGN)
                .option(SEVERAL)
                .option(LEAD)
                .option(TOLERANCE)
                .retriesForever()
                .coordinators(
                        algorithmParameters -> NodeSet.of(IntStream.rangeClosed(1, 1 + services(algorithmParameters))
                                .mapToObj(NodeId::new)
                                .toList()))
                .guarantees(LockServiceEntries::guarantees)
                .build(algorithmParameters -> new LockServiceModel(
                        services(algorithmParameters),
                        algorithmParameters.get(LEASE),
                        algorithmParameters.get(REIGN),
                        aim(algorithmParameters),
                        algorithmParameters.get(TOLERANCE)));
    }

    private static LockServiceModel.Goal aim(AlgorithmParameters algorithmParameters) {
        return algorithmParameters.get(LEAD)
                ? LockServiceModel.Goal.LEADERSHIP
                : algorithmParameters.get(SEVERAL) ? LockServiceModel.Goal.TWO_LOCKS : LockServiceModel.Goal.ONE_LOCK;
    }

    private static int services(AlgorithmParameters algorithmParameters) {
        int some = algorithmParameters.get(SERVICES);
        return some > 0 ? some : Math.max(1, (algorithmParameters.nodeCount() - 1) / 2);
    }

    /**
     * Whoever stands still may overlap with another, but learns it in time; to get in takes swift messages. An operator
     * asks nobody: who hears late of being let in may have been put out, and another be in. What a resource makes of
     * their fences is the same.
     */
    private static List<Guarantee> guarantees(AlgorithmParameters algorithmParameters) {
        var swift =
                new TimingAssumption.DelayBound(algorithmParameters.get(LEASE).dividedBy(12));
        var fences = Guarantee.of(FENCES_GROW)
                .tolerating(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                .assuming(new TimingAssumption.Clocked());
        if (!algorithmParameters.get(TOLERANCE).isZero()) {
            return List.of(Guarantee.of(FENCES_GROW).assuming(swift));
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
                        .assuming(swift));
    }
}
