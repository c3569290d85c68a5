package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.CLIENT_DELAY;
import static habemus.catalogue.Cost.Measure.HANDOVER_DELAY;
import static habemus.catalogue.Cost.Measure.MESSAGES_PER_ENTRY;
import static habemus.catalogue.Cost.Measure.MESSAGES_PER_ENTRY_BEST;
import static habemus.catalogue.Cost.Measure.MESSAGES_PER_ENTRY_BUSY;
import static habemus.catalogue.Cost.Measure.MESSAGES_PER_ENTRY_WORST;
import static habemus.world.Hazard.CRASH;
import static habemus.world.Hazard.DUPLICATION;
import static habemus.world.Hazard.LOSS;
import static habemus.world.Hazard.PARTITION;
import static habemus.world.Hazard.PAUSE;
import static habemus.world.Hazard.REORDER;
import static habemus.world.Hazard.SLOWNESS;
import static habemus.world.Property.BOUNDED_WAITING;
import static habemus.world.Property.DEADLOCK_FREEDOM;
import static habemus.world.Property.FENCES_GROW;
import static habemus.world.Property.MUTUAL_EXCLUSION;
import static habemus.world.Property.NO_STARVATION;

import habemus.mutex.Central;
import habemus.mutex.Lamport;
import habemus.mutex.Raymond;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.mutex.SuzukiKasami;
import habemus.mutex.TokenRing;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Every algorithm there is. A new one is a name in {@link #ALL} and an entry below. */
public final class Catalogue {

    private static final Option<Boolean> CLOCKED_REPLIES =
            Option.flag("clocked-replies", "a Reply tells the time too, which the published form does not");
    private static final Option<List<Long>> CLOCKS =
            Option.numbers("clocks", "where the Lamport clocks of n1, n2 … stand at the start");
    private static final Option<Duration> LEASE =
            Option.duration("lease", Duration.ZERO, "after what time the coordinator takes the lock back; 0: never");
    private static final Option<Boolean> ACKNOWLEDGE = Option.flag("acknowledge", "the coordinator answers a Release");
    private static final Option<Boolean> REGENERATE =
            Option.flag("regenerate", "crashed nodes are skipped, and a lost token is replaced");

    public static final List<Algorithm> ALL = List.of(
            central(),
            tokenRing(),
            lamport(),
            ricartAgrawala(),
            ricartAgrawalaByPriority(),
            ByVotes.maekawa(),
            ByVotes.maekawaDeadlockFree(),
            suzukiKasami(),
            raymond(),
            ByVotes.quorum(),
            OnLog.fenced(),
            OnRings.anonymousRing(),
            OnRings.itaiRodeh(),
            OnRings.changRoberts(),
            OnRings.franklin(),
            OnRings.hirschbergSinclair(),
            OnRings.peterson(),
            Bullies.ring(),
            Bullies.bully(),
            Bullies.bullyEfficient(),
            Bullies.bullyStable(),
            Bullies.maxAlive(),
            OnGraphs.yoYo(),
            ByTerms.termMajority(),
            ByGossip.gossipLargeGroup(),
            Detectors.perfect(),
            Detectors.eventuallyPerfect(),
            Detectors.phiAccrual());

    private Catalogue() {}

    public static Optional<Algorithm> find(String name) {
        return ALL.stream().filter(algorithm -> algorithm.name().equals(name)).findFirst();
    }

    private static Algorithm central() {
        return Draft.mutex("central", "ask the coordinator, n1, who lets in one after the other as they come")
                .option(LEASE)
                .option(ACKNOWLEDGE)
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "3", n -> 3)
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "2", n -> n == 2 ? 1 : 2)
                .coordinatedBy(setting -> NodeSet.of(Central.COORDINATOR))
                .promises(Catalogue::promisesOfCentral)
                .madeBy(setting -> new Central(setting.get(LEASE), setting.get(ACKNOWLEDGE)));
    }

    /** A lease makes it a matter of time whether two get in. */
    private static List<Promise> promisesOfCentral(Setting setting) {
        var lease = setting.get(LEASE);
        var safe = Promise.of(MUTUAL_EXCLUSION, FENCES_GROW);
        return List.of(
                Promise.of(DEADLOCK_FREEDOM, NO_STARVATION).surviving(REORDER, DUPLICATION, PAUSE, SLOWNESS),
                lease.isZero()
                        ? safe.surviving(REORDER, DUPLICATION, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS)
                        : safe.surviving(REORDER, DUPLICATION, LOSS, CRASH, PARTITION)
                                .under(new Timing.Synchronous(lease.dividedBy(2).minusMillis(1))));
    }

    private static Algorithm tokenRing() {
        return Draft.mutex("token-ring", "whoever has the token may enter; it goes round and round")
                .option(REGENERATE)
                .cost(MESSAGES_PER_ENTRY_BUSY, "1", n -> 1)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .passedAtMost(n -> n - 1)
                .promises(setting -> List.of(
                        safeWithToken(),
                        Promise.of(BOUNDED_WAITING).surviving(REORDER, PAUSE, SLOWNESS),
                        setting.get(REGENERATE)
                                ? Promise.of(DEADLOCK_FREEDOM, NO_STARVATION)
                                        .surviving(REORDER, CRASH, PAUSE, SLOWNESS)
                                        .under(new Timing.Noticing())
                                : aliveWithToken()))
                .madeBy(setting -> new TokenRing(setting.get(REGENERATE)));
    }

    private static Algorithm suzukiKasami() {
        return Draft.mutex("suzuki-kasami", "tell everybody that you want the token, which knows who still waits")
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "n", n -> n)
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .promises(aliveWithToken(), safeWithToken())
                .madeBy(setting -> new SuzukiKasami());
    }

    private static Algorithm raymond() {
        return Draft.mutex("raymond", "ask the neighbour in a tree who is nearer to the token")
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "2⌊log2 n⌋", n -> 2 * depth(n))
                .cost(CLIENT_DELAY, "2⌊log2 n⌋", n -> 2 * depth(n))
                .promises(aliveWithToken(), safeWithToken())
                .madeBy(setting -> new Raymond());
    }

    /** Whoever waits for a token gets it, as long as it is somewhere. */
    private static Promise aliveWithToken() {
        return Promise.of(DEADLOCK_FREEDOM, NO_STARVATION).surviving(REORDER, PAUSE, SLOWNESS);
    }

    /** There is never more than one token, unless a message arrives twice or a node starts anew. */
    private static Promise safeWithToken() {
        return Promise.of(MUTUAL_EXCLUSION, FENCES_GROW).surviving(REORDER, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS);
    }

    private static int depth(int nodes) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(nodes);
    }

    private static Algorithm lamport() {
        return Draft.mutex("lamport", "everybody keeps the queue of all requests; enter when first in it")
                .cost(MESSAGES_PER_ENTRY, "3(n-1)", n -> 3.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .passedAtMost(n -> 2 * (n - 1))
                .promises(Promise.of(MUTUAL_EXCLUSION, DEADLOCK_FREEDOM, NO_STARVATION, BOUNDED_WAITING, FENCES_GROW)
                        .surviving(PAUSE, SLOWNESS))
                .madeBy(setting -> new Lamport());
    }

    private static Algorithm ricartAgrawala() {
        return likeRicartAgrawala("ricart-agrawala", "ask everybody with a stamp; enter when everybody has answered")
                .option(CLOCKED_REPLIES)
                .option(CLOCKS)
                .madeBy(setting -> new RicartAgrawala(setting.get(CLOCKED_REPLIES), setting.get(CLOCKS)));
    }

    private static Algorithm ricartAgrawalaByPriority() {
        return likeRicartAgrawala(
                        "ricart-agrawala-by-priority",
                        "the broken twin: compares fixed priorities in place of stamps, and lets two in")
                .broken()
                .madeBy(setting -> new RicartAgrawalaByPriority());
    }

    private static Draft likeRicartAgrawala(String name, String summary) {
        return Draft.mutex(name, summary)
                .cost(MESSAGES_PER_ENTRY, "2(n-1)", n -> 2.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .passedAtMost(n -> 2 * (n - 1))
                .promises(
                        Promise.of(MUTUAL_EXCLUSION, DEADLOCK_FREEDOM, NO_STARVATION, FENCES_GROW)
                                .surviving(REORDER, PAUSE, SLOWNESS),
                        Promise.of(BOUNDED_WAITING).surviving(PAUSE, SLOWNESS));
    }
}
