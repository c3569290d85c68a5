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
import habemus.mutex.RequestNumbers;
import habemus.mutex.VotingSets;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The catalogue entries of the mutual exclusion algorithms that collect votes. */
final class QuorumMutexEntries {

    private static final AlgorithmOption<VotingSets> SETS = new AlgorithmOption<>(
            "sets",
            new VotingSets.Smallest(),
            "voting sets: a grid, the lines of a projective-plane, the smallest of both, or explicit sets; each set"
                    + " contains its node, and any two sets intersect",
            "KIND|1,2/2,3/3,1",
            VotingSets::parse);
    private static final AlgorithmOption<Integer> COORDINATORS =
            AlgorithmOption.number("coordinators", 0, "number of coordinators, the first nodes; 0: all nodes");
    private static final AlgorithmOption<Integer> QUORUM =
            AlgorithmOption.number("quorum", 0, "size of a quorum, more than half of the coordinators; 0: a majority");
    private static final AlgorithmOption<Boolean> DURABLE =
            AlgorithmOption.flag("durable", "a coordinator saves its grant before sending it");
    private static final AlgorithmOption<Duration> DELAYED_RESTART = AlgorithmOption.duration(
            "delayed-restart", Duration.ZERO, "time for which a restarted coordinator grants nothing");
    private static final AlgorithmOption<Duration> RETRY_TIMEOUT = AlgorithmOption.duration(
            "retry-timeout", Duration.ofMillis(500), "time after which a node releases its grants and retries");

    private static final AlgorithmOption<Integer> NUMBERS = AlgorithmOption.number(
            "numbers", 0, "how many request numbers there are before the first comes again, at least 3; 0: no limit");

    private QuorumMutexEntries() {}

    static Algorithm maekawa() {
        return likeMaekawa(
                        "maekawa",
                        "A node collects the votes of its voting set; any two sets share a voter. It may deadlock.")
                .guarantees(Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW)
                        .tolerating(REORDER, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS))
                .build(parameters -> new Maekawa(parameters.get(SETS)));
    }

    static Algorithm maekawaDeadlockFree() {
        return likeMaekawa(
                        "maekawa-deadlock-free",
                        "A voter recalls its vote for an older request: Maekawa with Sanders' correction.")
                .guarantees(
                        Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW).tolerating(LOSS, CRASH, PAUSE, PARTITION, SLOWNESS),
                        Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION).tolerating(PAUSE, SLOWNESS))
                .build(parameters -> new MaekawaDeadlockFree(parameters.get(SETS)));
    }

    private static AlgorithmBuilder likeMaekawa(String name, String summary) {
        return AlgorithmBuilder.mutex(name, summary)
                .option(SETS)
                .cost(MESSAGES_PER_ENTRY_WORST, "3(k-1)", n -> 3.0 * (largestSet(n) - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "2, or 1 if n ≤ 3", n -> n <= 3 ? 1 : 2); // the next holder is the voter itself
    }

    /** The set of n1 is the largest: its row is full, and no column is longer than its own. */
    private static int largestSet(int nodes) {
        var first = new Neighbourhood(
                new NodeId(1),
                IntStream.rangeClosed(2, nodes).mapToObj(NodeId::new).toList());
        return SETS.defaultValue().of(first).size();
    }

    static Algorithm quorum() {
        return AlgorithmBuilder.mutex(
                        "quorum",
                        "A node asks all coordinators, and enters with the grants of a majority, or retries later.")
                .option(COORDINATORS)
                .option(QUORUM)
                .option(DURABLE)
                .option(DELAYED_RESTART)
                .option(RETRY_TIMEOUT)
                .option(NUMBERS)
                .retriesForever()
                .coordinators(QuorumMutexEntries::coordinators)
                .cost(MESSAGES_PER_ENTRY_WORST, "3(n-1)", n -> 3.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .guarantees(QuorumMutexEntries::quorumGuarantees)
                .build(parameters -> new Quorum(
                        new MajorityQuorum(parameters.get(COORDINATORS), parameters.get(QUORUM)),
                        new RequestNumbers(parameters.get(NUMBERS)),
                        parameters.get(DURABLE),
                        parameters.get(RETRY_TIMEOUT),
                        parameters.get(DELAYED_RESTART)));
    }

    /** Empty if all nodes are coordinators: then no node has a special role. */
    private static NodeSet coordinators(AlgorithmParameters parameters) {
        int count = parameters.get(COORDINATORS);
        return count >= parameters.nodeCount()
                ? NodeSet.NONE
                : NodeSet.of(
                        IntStream.rangeClosed(1, count).mapToObj(NodeId::new).toList());
    }

    /** If request numbers come again, an old message may be taken for a new one, unless messages arrive in time. */
    private static List<Guarantee> quorumGuarantees(AlgorithmParameters parameters) {
        var safe = Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW);
        var inTime = new TimingAssumption.Synchronous(
                parameters.get(RETRY_TIMEOUT).dividedBy(2).minusMillis(1));
        var live = Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION).assuming(inTime);
        if (parameters.get(NUMBERS) > 0) {
            return List.of(safe.assuming(inTime), live);
        }
        return List.of(
                parameters.get(DURABLE)
                        ? safe.tolerating(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                        : safe.tolerating(REORDER, DUPLICATION, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS),
                live.tolerating(REORDER, DUPLICATION));
    }
}
