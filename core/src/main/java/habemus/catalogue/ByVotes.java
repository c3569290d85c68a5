package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.CLIENT_DELAY;
import static habemus.catalogue.Cost.Measure.HANDOVER_DELAY;
import static habemus.catalogue.Cost.Measure.MESSAGES_PER_ENTRY_WORST;
import static habemus.world.Hazard.CRASH;
import static habemus.world.Hazard.DUPLICATION;
import static habemus.world.Hazard.LOSS;
import static habemus.world.Hazard.PARTITION;
import static habemus.world.Hazard.PAUSE;
import static habemus.world.Hazard.REORDER;
import static habemus.world.Hazard.RESTART;
import static habemus.world.Hazard.SLOWNESS;
import static habemus.world.Property.DEADLOCK_FREEDOM;
import static habemus.world.Property.FENCES_GROW;
import static habemus.world.Property.MUTUAL_EXCLUSION;
import static habemus.world.Property.NO_STARVATION;

import habemus.mutex.Maekawa;
import habemus.mutex.MaekawaDeadlockFree;
import habemus.mutex.Majority;
import habemus.mutex.Quorum;
import habemus.mutex.VotingSets;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The entries of the algorithms that let in whoever has enough votes. */
final class ByVotes {

    private static final Option<VotingSets> SETS = new Option<>(
            "sets",
            new VotingSets.Smallest(),
            "whom each node asks: a grid, the lines of a projective-plane, the smallest of both, or sets by hand, each"
                    + " with its node in it and any two with a node in common",
            "KIND|1,2/2,3/3,1",
            VotingSets::read);
    private static final Option<Integer> COORDINATORS =
            Option.number("coordinators", 0, "how many nodes are coordinators, the first ones; 0: all");
    private static final Option<Integer> QUORUM =
            Option.number("quorum", 0, "how many grants it takes, more than half; 0: as few as possible");
    private static final Option<Boolean> DURABLE =
            Option.flag("durable", "a coordinator saves its grant before it sends it");
    private static final Option<Duration> DELAYED_RESTART =
            Option.duration("delayed-restart", Duration.ZERO, "how long a coordinator that came back grants nothing");
    private static final Option<Duration> PATIENCE =
            Option.duration("patience", Duration.ofMillis(500), "after what time a node gives its grants back");

    private ByVotes() {}

    static Algorithm maekawa() {
        return likeMaekawa("maekawa", "ask your voting set; any two sets share a voter, who has one vote. May deadlock")
                .promises(Promise.of(MUTUAL_EXCLUSION, FENCES_GROW)
                        .surviving(REORDER, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS))
                .madeBy(setting -> new Maekawa(setting.get(SETS)));
    }

    static Algorithm maekawaDeadlockFree() {
        return likeMaekawa("maekawa-deadlock-free", "the same, but votes are asked back for older requests")
                .promises(
                        Promise.of(MUTUAL_EXCLUSION, FENCES_GROW).surviving(LOSS, CRASH, PAUSE, PARTITION, SLOWNESS),
                        Promise.of(DEADLOCK_FREEDOM, NO_STARVATION).surviving(PAUSE, SLOWNESS))
                .madeBy(setting -> new MaekawaDeadlockFree(setting.get(SETS)));
    }

    private static Draft likeMaekawa(String name, String summary) {
        return Draft.mutex(name, summary)
                .option(SETS)
                .cost(MESSAGES_PER_ENTRY_WORST, "3(k-1)", n -> 3.0 * (largestSet(n) - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "2, or 1 if n ≤ 3", n -> n <= 3 ? 1 : 2); // the next one is the voter itself
    }

    /** That of n1: its row is full, its column no shorter than any. */
    private static int largestSet(int nodes) {
        var first = new Place(
                new NodeId(1),
                IntStream.rangeClosed(2, nodes).mapToObj(NodeId::new).toList());
        return SETS.standard().of(first).size();
    }

    static Algorithm quorum() {
        return Draft.mutex(
                        "quorum", "ask all coordinators; enter with the grants of more than half, or try again later")
                .option(COORDINATORS)
                .option(QUORUM)
                .option(DURABLE)
                .option(DELAYED_RESTART)
                .option(PATIENCE)
                .retrying()
                .coordinatedBy(ByVotes::coordinators)
                .cost(MESSAGES_PER_ENTRY_WORST, "3(n-1)", n -> 3.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .promises(ByVotes::promisesOfQuorum)
                .madeBy(setting -> new Quorum(
                        new Majority(setting.get(COORDINATORS), setting.get(QUORUM)),
                        setting.get(DURABLE),
                        setting.get(PATIENCE),
                        setting.get(DELAYED_RESTART)));
    }

    /** None if all nodes are: then nobody has a part of its own. */
    private static NodeSet coordinators(Setting setting) {
        int some = setting.get(COORDINATORS);
        return some >= setting.nodes()
                ? NodeSet.NONE
                : NodeSet.of(
                        IntStream.rangeClosed(1, some).mapToObj(NodeId::new).toList());
    }

    private static List<Promise> promisesOfQuorum(Setting setting) {
        var safe = Promise.of(MUTUAL_EXCLUSION, FENCES_GROW);
        var inTime = new Timing.Synchronous(setting.get(PATIENCE).dividedBy(2).minusMillis(1));
        return List.of(
                setting.get(DURABLE)
                        ? safe.surviving(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                        : safe.surviving(REORDER, DUPLICATION, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS),
                Promise.of(DEADLOCK_FREEDOM, NO_STARVATION)
                        .surviving(REORDER, DUPLICATION)
                        .under(inTime));
    }
}
