package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.CLIENT_DELAY;
import static habemus.catalogue.CostFormula.Measure.HANDOVER_DELAY;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY_BEST;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY_BUSY;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY_WORST;
import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.LOSS;
import static habemus.world.FaultKind.PARTITION;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.SLOWNESS;
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

    private static final AlgorithmOption<Boolean> CLOCKED_REPLIES =
            AlgorithmOption.flag("clocked-replies", "a Reply tells the time too, which the published form does not");
    private static final AlgorithmOption<List<Long>> CLOCKS =
            AlgorithmOption.numbers("clocks", "where the Lamport clocks of n1, n2 … stand at the start");
    private static final AlgorithmOption<Duration> LEASE = AlgorithmOption.duration(
            "lease", Duration.ZERO, "after what time the coordinator takes the lock back; 0: never");
    private static final AlgorithmOption<Boolean> ACKNOWLEDGE =
            AlgorithmOption.flag("acknowledge", "the coordinator answers a Release");
    private static final AlgorithmOption<Boolean> REGENERATE =
            AlgorithmOption.flag("regenerate", "crashed nodes are skipped, and a lost token is replaced");

    public static final List<Algorithm> ALL = List.of(
            central(),
            tokenRing(),
            lamport(),
            ricartAgrawala(),
            ricartAgrawalaByPriority(),
            QuorumMutexEntries.maekawa(),
            QuorumMutexEntries.maekawaDeadlockFree(),
            suzukiKasami(),
            raymond(),
            QuorumMutexEntries.quorum(),
            LockServiceEntries.fenced(),
            RingElectionEntries.anonymousRing(),
            RingElectionEntries.itaiRodeh(),
            RingElectionEntries.changRoberts(),
            RingElectionEntries.franklin(),
            RingElectionEntries.hirschbergSinclair(),
            RingElectionEntries.peterson(),
            BullyEntries.ring(),
            BullyEntries.bully(),
            BullyEntries.bullyEfficient(),
            BullyEntries.bullyStable(),
            BullyEntries.maxAlive(),
            GraphElectionEntries.yoYo(),
            TermElectionEntries.termMajority(),
            GossipEntries.gossipLargeGroup(),
            DetectorEntries.perfect(),
            DetectorEntries.eventuallyPerfect(),
            DetectorEntries.phiAccrual());

    private Catalogue() {}

    public static Optional<Algorithm> find(String name) {
        return ALL.stream().filter(algorithm -> algorithm.name().equals(name)).findFirst();
    }

    private static Algorithm central() {
        return AlgorithmBuilder.mutex(
                        "central", "ask the coordinator, n1, who lets in one after the other as they come")
                .option(LEASE)
                .option(ACKNOWLEDGE)
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "3", n -> 3)
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "2", n -> n == 2 ? 1 : 2)
                .coordinators(algorithmParameters -> NodeSet.of(Central.COORDINATOR))
                .guarantees(Catalogue::centralGuarantees)
                .build(algorithmParameters ->
                        new Central(algorithmParameters.get(LEASE), algorithmParameters.get(ACKNOWLEDGE)));
    }

    /** A lease makes it a matter of time whether two get in. */
    private static List<Guarantee> centralGuarantees(AlgorithmParameters algorithmParameters) {
        var lease = algorithmParameters.get(LEASE);
        var safe = Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW);
        return List.of(
                Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION).tolerating(REORDER, DUPLICATION, PAUSE, SLOWNESS),
                lease.isZero()
                        ? safe.tolerating(REORDER, DUPLICATION, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS)
                        : safe.tolerating(REORDER, DUPLICATION, LOSS, CRASH, PARTITION)
                                .assuming(new TimingAssumption.Synchronous(
                                        lease.dividedBy(2).minusMillis(1))));
    }

    private static Algorithm tokenRing() {
        return AlgorithmBuilder.mutex("token-ring", "whoever has the token may enter; it goes round and round")
                .option(REGENERATE)
                .cost(MESSAGES_PER_ENTRY_BUSY, "1", n -> 1)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .bypassBound(n -> n - 1)
                .guarantees(algorithmParameters -> List.of(
                        tokenSafety(),
                        Guarantee.of(BOUNDED_WAITING).tolerating(REORDER, PAUSE, SLOWNESS),
                        algorithmParameters.get(REGENERATE)
                                ? Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION)
                                        .tolerating(REORDER, CRASH, PAUSE, SLOWNESS)
                                        .assuming(new TimingAssumption.CrashDetection())
                                : tokenLiveness()))
                .build(algorithmParameters -> new TokenRing(algorithmParameters.get(REGENERATE)));
    }

    private static Algorithm suzukiKasami() {
        return AlgorithmBuilder.mutex(
                        "suzuki-kasami", "tell everybody that you want the token, which knows who still waits")
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "n", n -> n)
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .guarantees(tokenLiveness(), tokenSafety())
                .build(algorithmParameters -> new SuzukiKasami());
    }

    private static Algorithm raymond() {
        return AlgorithmBuilder.mutex("raymond", "ask the neighbour in a tree who is nearer to the token")
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "2⌊log2 n⌋", n -> 2 * depth(n))
                .cost(CLIENT_DELAY, "2⌊log2 n⌋", n -> 2 * depth(n))
                .guarantees(tokenLiveness(), tokenSafety())
                .build(algorithmParameters -> new Raymond());
    }

    /** Whoever waits for a token gets it, as long as it is somewhere. */
    private static Guarantee tokenLiveness() {
        return Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION).tolerating(REORDER, PAUSE, SLOWNESS);
    }

    /** There is never more than one token, unless a message arrives twice or a node starts anew. */
    private static Guarantee tokenSafety() {
        return Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW).tolerating(REORDER, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS);
    }

    private static int depth(int nodes) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(nodes);
    }

    private static Algorithm lamport() {
        return AlgorithmBuilder.mutex("lamport", "everybody keeps the queue of all requests; enter when first in it")
                .cost(MESSAGES_PER_ENTRY, "3(n-1)", n -> 3.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .bypassBound(n -> 2 * (n - 1))
                .guarantees(
                        Guarantee.of(MUTUAL_EXCLUSION, DEADLOCK_FREEDOM, NO_STARVATION, BOUNDED_WAITING, FENCES_GROW)
                                .tolerating(PAUSE, SLOWNESS))
                .build(algorithmParameters -> new Lamport());
    }

    private static Algorithm ricartAgrawala() {
        return likeRicartAgrawala("ricart-agrawala", "ask everybody with a stamp; enter when everybody has answered")
                .option(CLOCKED_REPLIES)
                .option(CLOCKS)
                .build(algorithmParameters ->
                        new RicartAgrawala(algorithmParameters.get(CLOCKED_REPLIES), algorithmParameters.get(CLOCKS)));
    }

    private static Algorithm ricartAgrawalaByPriority() {
        return likeRicartAgrawala(
                        "ricart-agrawala-by-priority",
                        "the broken twin: compares fixed priorities in place of stamps, and lets two in")
                .broken()
                .build(algorithmParameters -> new RicartAgrawalaByPriority());
    }

    private static AlgorithmBuilder likeRicartAgrawala(String name, String summary) {
        return AlgorithmBuilder.mutex(name, summary)
                .cost(MESSAGES_PER_ENTRY, "2(n-1)", n -> 2.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .bypassBound(n -> 2 * (n - 1))
                .guarantees(
                        Guarantee.of(MUTUAL_EXCLUSION, DEADLOCK_FREEDOM, NO_STARVATION, FENCES_GROW)
                                .tolerating(REORDER, PAUSE, SLOWNESS),
                        Guarantee.of(BOUNDED_WAITING).tolerating(PAUSE, SLOWNESS));
    }
}
