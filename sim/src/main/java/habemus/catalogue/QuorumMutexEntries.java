package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.CLIENT_DELAY;
import static habemus.catalogue.CostFormula.Measure.HANDOVER_DELAY;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY_WORST;
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
import static habemus.world.Property.NO_STARVATION;

import habemus.mutex.Maekawa;
import habemus.mutex.MaekawaDeadlockFree;
import habemus.mutex.MajorityQuorum;
import habemus.mutex.Quorum;
import habemus.mutex.VotingSets;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The entries of the algorithms that let in whoever has enough votes. */
final class QuorumMutexEntries {

    private static final AlgorithmOption<VotingSets> SETS = new AlgorithmOption<>(
            "sets",
            new VotingSets.Smallest(),
            "whom each node asks: a grid, the lines of a projective-plane, the smallest of both, or sets by hand, each"
                    + " with its node in it and any two with a node in common",
            "KIND|1,2/2,3/3,1",
            VotingSets::parse);
    private static final AlgorithmOption<Integer> COORDINATORS =
            AlgorithmOption.number("coordinators", 0, "how many nodes are coordinators, the first ones; 0: all");
    private static final AlgorithmOption<Integer> QUORUM =
            AlgorithmOption.number("quorum", 0, "how many grants it takes, more than half; 0: as few as possible");
    private static final AlgorithmOption<Boolean> DURABLE =
            AlgorithmOption.flag("durable", "a coordinator saves its grant before it sends it");
    private static final AlgorithmOption<Duration> DELAYED_RESTART = AlgorithmOption.duration(
            "delayed-restart", Duration.ZERO, "how long a coordinator that came back grants nothing");
    private static final AlgorithmOption<Duration> PATIENCE = AlgorithmOption.duration(
            "patience", Duration.ofMillis(500), "after what time a node gives its grants back");

    private QuorumMutexEntries() {}

    static Algorithm maekawa() {
        return likeMaekawa("maekawa", "ask your voting set; any two sets share a voter, who has one vote. May deadlock")
                .guarantees(Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW)
                        .tolerating(REORDER, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS))
                .build(algorithmParameters -> new Maekawa(algorithmParameters.get(SETS)));
    }

    static Algorithm maekawaDeadlockFree() {
        return likeMaekawa("maekawa-deadlock-free", "the same, but votes are asked back for older requests")
                .guarantees(
                        Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW).tolerating(LOSS, CRASH, PAUSE, PARTITION, SLOWNESS),
                        Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION).tolerating(PAUSE, SLOWNESS))
                .build(algorithmParameters -> new MaekawaDeadlockFree(algorithmParameters.get(SETS)));
    }

    private static AlgorithmBuilder likeMaekawa(String name, String summary) {
        return AlgorithmBuilder.mutex(name, summary)
                .option(SETS)
                .cost(MESSAGES_PER_ENTRY_WORST, "3(k-1)", n -> 3.0 * (largestSet(n) - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "2, or 1 if n ≤ 3", n -> n <= 3 ? 1 : 2); // the next one is the voter itself
    }

    /** That of n1: its row is full, its column no shorter than any. */
    private static int largestSet(int nodes) {
        var first = new Neighbourhood(
                new NodeId(1),
                IntStream.rangeClosed(2, nodes).mapToObj(NodeId::new).toList());
        return SETS.defaultValue().of(first).size();
    }

    static Algorithm quorum() {
        return AlgorithmBuilder.mutex(
                        "quorum", "ask all coordinators; enter with the grants of more than half, or try again later")
                .option(COORDINATORS)
                .option(QUORUM)
                .option(DURABLE)
                .option(DELAYED_RESTART)
                .option(PATIENCE)
                .retriesForever()
                .coordinators(QuorumMutexEntries::coordinators)
                .cost(MESSAGES_PER_ENTRY_WORST, "3(n-1)", n -> 3.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .guarantees(QuorumMutexEntries::quorumGuarantees)
                .build(algorithmParameters -> new Quorum(
                        new MajorityQuorum(algorithmParameters.get(COORDINATORS), algorithmParameters.get(QUORUM)),
                        algorithmParameters.get(DURABLE),
                        algorithmParameters.get(PATIENCE),
                        algorithmParameters.get(DELAYED_RESTART)));
    }

    /** None if all nodes are: then nobody has a part of its own. */
    private static NodeSet coordinators(AlgorithmParameters algorithmParameters) {
        int some = algorithmParameters.get(COORDINATORS);
        return some >= algorithmParameters.nodeCount()
                ? NodeSet.NONE
                : NodeSet.of(
                        IntStream.rangeClosed(1, some).mapToObj(NodeId::new).toList());
    }

    private static List<Guarantee> quorumGuarantees(AlgorithmParameters algorithmParameters) {
        var safe = Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW);
        var inTime = new TimingAssumption.Synchronous(
                algorithmParameters.get(PATIENCE).dividedBy(2).minusMillis(1));
        return List.of(
                algorithmParameters.get(DURABLE)
                        ? safe.tolerating(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                        : safe.tolerating(REORDER, DUPLICATION, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS),
                Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION)
                        .tolerating(REORDER, DUPLICATION)
                        .assuming(inTime));
    }
}
