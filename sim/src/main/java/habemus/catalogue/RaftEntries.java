package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_HEARTBEAT;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_PROPOSAL;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_UNTIL_ALL_KNOW;
import static habemus.world.FaultKind.CLOCK_RATE;
import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.LOSS;
import static habemus.world.FaultKind.MISTAKE;
import static habemus.world.FaultKind.PARTITION;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.RESTART;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.FaultKind.TAIL_LOSS;
import static habemus.world.Property.ACKNOWLEDGED_STAYS;
import static habemus.world.Property.COMMITTED_STAYS;
import static habemus.world.Property.CONFIGURATION_SAFETY;
import static habemus.world.Property.ELECTION_SAFETY;
import static habemus.world.Property.LEADER_APPEND_ONLY;
import static habemus.world.Property.LEADER_COMPLETENESS;
import static habemus.world.Property.LOG_MATCHING;
import static habemus.world.Property.ONE_APPLICATION;
import static habemus.world.Property.PROGRESS;
import static habemus.world.Property.READS_ARE_LINEARIZABLE;
import static habemus.world.Property.STATE_MACHINE_SAFETY;

import habemus.election.VoteWeights;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.raft.Raft;
import habemus.world.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The catalogue entry of Raft. */
final class RaftEntries {

    private static final AlgorithmOption<VoteWeights> WEIGHTS = new AlgorithmOption<>(
            "weights",
            VoteWeights.EQUAL,
            "vote weights of n1, n2 …; nodes that are not listed have weight 1",
            "N,N…",
            VoteWeights::parse);
    private static final AlgorithmOption<Integer> VOTERS =
            AlgorithmOption.number("voters", 0, "nodes that vote at first: n1 to this one; 0 for all nodes");
    private static final AlgorithmOption<Boolean> PRE_VOTE =
            AlgorithmOption.enabledFlag("pre-vote", "whether a node runs a pre-vote before it starts a new term");
    private static final AlgorithmOption<Boolean> CHECK_QUORUM =
            AlgorithmOption.enabledFlag("check-quorum", "whether a leader that hears no majority steps down");
    private static final AlgorithmOption<Integer> BATCH =
            AlgorithmOption.number("batch", 64, "most entries in one message");
    private static final AlgorithmOption<Integer> IN_FLIGHT =
            AlgorithmOption.number("in-flight", 8, "most unacknowledged messages with entries to one member");
    private static final AlgorithmOption<Integer> CHUNK =
            AlgorithmOption.number("chunk", 1 << 16, "bytes of a snapshot in one message");
    private static final AlgorithmOption<Duration> ELECTION_TIMEOUT = AlgorithmOption.positiveDuration(
            "election-timeout", Duration.ofMillis(300), "shortest election timeout; the longest is twice that");
    private static final AlgorithmOption<Duration> HEARTBEAT =
            AlgorithmOption.positiveDuration("heartbeat", Duration.ofMillis(100), "heartbeat interval of a leader");

    private static final FaultKind[] TOLERATED = {
        REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS, MISTAKE, TAIL_LOSS, CLOCK_RATE
    };

    private RaftEntries() {}

    static Algorithm raft() {
        return AlgorithmBuilder.log(
                        "raft", "A leader replicates its log; a majority that has synced an entry commits it.")
                .option(VOTERS)
                .option(WEIGHTS)
                .option(PRE_VOTE)
                .option(CHECK_QUORUM)
                .option(BATCH)
                .option(IN_FLIGHT)
                .option(CHUNK)
                .option(ELECTION_TIMEOUT)
                .option(HEARTBEAT)
                .cost(MESSAGES_UNTIL_ALL_KNOW, "5(n-1)", n -> 5.0 * (n - 1))
                .cost(MESSAGES_PER_PROPOSAL, "3(n-1)", n -> 3.0 * (n - 1))
                .cost(MESSAGES_PER_HEARTBEAT, "2(n-1)", n -> 2.0 * (n - 1))
                .retriesForever()
                .guarantees(RaftEntries::guarantees)
                .build(RaftEntries::create);
    }

    private static Raft create(AlgorithmParameters parameters) {
        requireAtLeast(0, VOTERS, parameters);
        requireAtLeast(1, BATCH, parameters);
        requireAtLeast(1, IN_FLIGHT, parameters);
        requireAtLeast(1, CHUNK, parameters);
        var voters = NodeSet.of(IntStream.rangeClosed(1, parameters.get(VOTERS))
                .mapToObj(NodeId::new)
                .toList());
        return new Raft(
                voters,
                parameters.get(WEIGHTS),
                parameters.get(PRE_VOTE),
                parameters.get(CHECK_QUORUM),
                new Raft.Flow(parameters.get(BATCH), parameters.get(IN_FLIGHT), parameters.get(CHUNK)),
                parameters.get(ELECTION_TIMEOUT),
                parameters.get(HEARTBEAT));
    }

    private static void requireAtLeast(int least, AlgorithmOption<Integer> option, AlgorithmParameters parameters) {
        if (parameters.get(option) < least) {
            throw new IllegalArgumentException(
                    "--" + option.name() + " must be at least " + least + ", was " + parameters.get(option));
        }
    }

    /** Without pre-vote and check-quorum, a removed node that does not know it deposes one leader after the other. */
    private static List<Guarantee> guarantees(AlgorithmParameters parameters) {
        var safety = Guarantee.of(
                        ELECTION_SAFETY,
                        LEADER_APPEND_ONLY,
                        LOG_MATCHING,
                        LEADER_COMPLETENESS,
                        STATE_MACHINE_SAFETY,
                        COMMITTED_STAYS,
                        ACKNOWLEDGED_STAYS,
                        READS_ARE_LINEARIZABLE,
                        CONFIGURATION_SAFETY,
                        ONE_APPLICATION)
                .tolerating(TOLERATED);
        var maxDelay = parameters.get(ELECTION_TIMEOUT).dividedBy(2).minusMillis(1);
        var progress = Guarantee.of(PROGRESS).tolerating(TOLERATED).assuming(new TimingAssumption.DelayBound(maxDelay));
        return parameters.get(PRE_VOTE) || parameters.get(CHECK_QUORUM) ? List.of(safety, progress) : List.of(safety);
    }
}
