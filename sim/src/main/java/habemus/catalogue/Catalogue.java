package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.CLIENT_DELAY;
import static habemus.catalogue.CostFormula.Measure.HANDOVER_DELAY;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY_BEST;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY_BUSY;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_ENTRY_WORST;
import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.JOIN;
import static habemus.world.FaultKind.LEAVE;
import static habemus.world.FaultKind.LOSS;
import static habemus.world.FaultKind.PARTITION;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.SLOWNESS;
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

/** All algorithms. To add one, write its entry and list it in {@link #ALL}. */
public final class Catalogue {

    private static final AlgorithmOption<Boolean> CLOCKED_REPLIES =
            AlgorithmOption.flag("clocked-replies", "a Reply also carries the clock, unlike in the paper");
    private static final AlgorithmOption<List<Long>> CLOCKS =
            AlgorithmOption.numbers("clocks", "initial Lamport clocks of n1, n2 …");
    private static final AlgorithmOption<Duration> LEASE = AlgorithmOption.duration(
            "lease", Duration.ZERO, "time after which the coordinator revokes the lock; 0: never");
    private static final AlgorithmOption<Boolean> ACKNOWLEDGE =
            AlgorithmOption.flag("acknowledge", "the coordinator acknowledges a Release");
    private static final AlgorithmOption<Boolean> REGENERATE =
            AlgorithmOption.flag("regenerate", "skip crashed nodes and regenerate a lost token");

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
            DetectorEntries.phiAccrual(),
            RaftEntries.raft(),
            ThreadEntries.sharedCounter(),
            ThreadEntries.putIfAbsent(),
            ThreadEntries.lostWakeup(),
            ThreadEntries.busyWaiting(),
            ThreadEntries.lockOrder(),
            ThreadEntries.diningPhilosophers(),
            ThreadEntries.producerConsumer(),
            ThreadEntries.readersWriters(),
            ThreadEntries.semaphore(),
            ThreadEntries.barrier(),
            ThreadEntries.relay());

    private Catalogue() {}

    public static Optional<Algorithm> find(String name) {
        return ALL.stream().filter(algorithm -> algorithm.name().equals(name)).findFirst();
    }

    private static Algorithm central() {
        return AlgorithmBuilder.mutex(
                        "central", "A node asks the coordinator, n1, which grants requests in the order of arrival.")
                .option(LEASE)
                .option(ACKNOWLEDGE)
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "3", n -> 3)
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "2", n -> n == 2 ? 1 : 2)
                .coordinators(parameters -> NodeSet.of(Central.COORDINATOR))
                .guarantees(Catalogue::centralGuarantees)
                .build(parameters -> new Central(parameters.get(LEASE), parameters.get(ACKNOWLEDGE)));
    }

    /** With a lease, mutual exclusion depends on timing. */
    private static List<Guarantee> centralGuarantees(AlgorithmParameters parameters) {
        var lease = parameters.get(LEASE);
        var safe = Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW);
        return List.of(
                Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION)
                        .tolerating(REORDER, DUPLICATION, PAUSE, SLOWNESS, JOIN, LEAVE),
                lease.isZero()
                        ? safe.tolerating(REORDER, DUPLICATION, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS, JOIN, LEAVE)
                        : safe.tolerating(REORDER, DUPLICATION, LOSS, CRASH, PARTITION, JOIN, LEAVE)
                                .assuming(new TimingAssumption.Synchronous(
                                        lease.dividedBy(2).minusMillis(1))));
    }

    private static Algorithm tokenRing() {
        return AlgorithmBuilder.mutex("token-ring", "The node with the token may enter; the token circulates for ever.")
                .option(REGENERATE)
                .cost(MESSAGES_PER_ENTRY_BUSY, "1", n -> 1)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .guarantees(parameters -> List.of(
                        parameters.get(REGENERATE)
                                ? tokenSafety()
                                : Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW)
                                        .tolerating(REORDER, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS, JOIN, LEAVE),
                        Guarantee.boundedWaiting("n-1", n -> n - 1).tolerating(REORDER, PAUSE, SLOWNESS),
                        parameters.get(REGENERATE)
                                ? Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION)
                                        .tolerating(REORDER, CRASH, PAUSE, SLOWNESS)
                                        .assuming(new TimingAssumption.CrashDetection())
                                : Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION)
                                        .tolerating(REORDER, PAUSE, SLOWNESS, JOIN, LEAVE)))
                .build(parameters -> new TokenRing(parameters.get(REGENERATE)));
    }

    private static Algorithm suzukiKasami() {
        return AlgorithmBuilder.mutex(
                        "suzuki-kasami",
                        "A node broadcasts a request for the token, which carries the queue of waiters.")
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "n", n -> n)
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .guarantees(tokenLiveness(), tokenSafety())
                .build(parameters -> new SuzukiKasami());
    }

    private static Algorithm raymond() {
        return AlgorithmBuilder.mutex("raymond", "A node asks its neighbour in a tree that is closer to the token.")
                .cost(MESSAGES_PER_ENTRY_BEST, "0", n -> 0)
                .cost(MESSAGES_PER_ENTRY_WORST, "2⌊log2 n⌋", n -> 2 * depth(n))
                .cost(CLIENT_DELAY, "2⌊log2 n⌋", n -> 2 * depth(n))
                .guarantees(tokenLiveness(), tokenSafety())
                .build(parameters -> new Raymond());
    }

    /** Every waiter gets the token, as long as the token is not lost. */
    private static Guarantee tokenLiveness() {
        return Guarantee.of(DEADLOCK_FREEDOM, NO_STARVATION).tolerating(REORDER, PAUSE, SLOWNESS);
    }

    /** There is at most one token, unless a message is duplicated or a node restarts. */
    private static Guarantee tokenSafety() {
        return Guarantee.of(MUTUAL_EXCLUSION, FENCES_GROW).tolerating(REORDER, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS);
    }

    private static int depth(int nodes) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(nodes);
    }

    private static Algorithm lamport() {
        return AlgorithmBuilder.mutex(
                        "lamport",
                        "Every node keeps the queue of all requests, and enters when its own request is first.")
                .cost(MESSAGES_PER_ENTRY, "3(n-1)", n -> 3.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .guarantees(
                        Guarantee.of(MUTUAL_EXCLUSION, DEADLOCK_FREEDOM, NO_STARVATION, FENCES_GROW)
                                .tolerating(PAUSE, SLOWNESS),
                        timestampedWaiting())
                .build(parameters -> new Lamport());
    }

    private static Algorithm ricartAgrawala() {
        return likeRicartAgrawala(
                        "ricart-agrawala",
                        "A node sends a timestamped request to all nodes, and enters when all have replied.")
                .option(CLOCKED_REPLIES)
                .option(CLOCKS)
                .build(parameters -> new RicartAgrawala(parameters.get(CLOCKED_REPLIES), parameters.get(CLOCKS)));
    }

    private static Algorithm ricartAgrawalaByPriority() {
        return likeRicartAgrawala(
                        "ricart-agrawala-by-priority",
                        "It compares fixed priorities, not timestamps, and grants to two nodes: broken on purpose.")
                .broken()
                .build(parameters -> new RicartAgrawalaByPriority());
    }

    private static AlgorithmBuilder likeRicartAgrawala(String name, String summary) {
        return AlgorithmBuilder.mutex(name, summary)
                .cost(MESSAGES_PER_ENTRY, "2(n-1)", n -> 2.0 * (n - 1))
                .cost(CLIENT_DELAY, "2", n -> 2)
                .cost(HANDOVER_DELAY, "1", n -> 1)
                .guarantees(
                        Guarantee.of(MUTUAL_EXCLUSION, DEADLOCK_FREEDOM, NO_STARVATION, FENCES_GROW)
                                .tolerating(REORDER, PAUSE, SLOWNESS),
                        timestampedWaiting());
    }

    /** A node may enter once with the request that is out, and once with a stamp that it drew before ours arrived. */
    private static Guarantee timestampedWaiting() {
        return Guarantee.boundedWaiting("2(n-1)", n -> 2 * (n - 1)).tolerating(PAUSE, SLOWNESS);
    }
}
