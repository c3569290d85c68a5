package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_HEARTBEAT;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_UNTIL_ALL_KNOW;
import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.JOIN;
import static habemus.world.FaultKind.LEAVE;
import static habemus.world.FaultKind.LOSS;
import static habemus.world.FaultKind.MISTAKE;
import static habemus.world.FaultKind.PARTITION;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.RESTART;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.ONE_LEADER_PER_TERM;
import static habemus.world.Property.TERMINATION;

import habemus.election.TermMajority;
import habemus.election.VoteWeights;
import java.time.Duration;
import java.util.List;

/** The catalogue entries of the elections with at most one leader per term. */
final class TermElectionEntries {

    private static final AlgorithmOption<VoteWeights> WEIGHTS = new AlgorithmOption<>(
            "weights",
            VoteWeights.EQUAL,
            "vote weights of n1, n2 …; nodes that are not listed have weight 1",
            "N,N…",
            VoteWeights::parse);
    private static final AlgorithmOption<Boolean> PRE_VOTE =
            AlgorithmOption.enabledFlag("pre-vote", "whether a node runs a pre-vote before it starts a new term");
    private static final AlgorithmOption<Boolean> TRANSFER = AlgorithmOption.enabledFlag(
            "transfer", "whether a follower that campaigns asks its leader for a leadership transfer");
    private static final AlgorithmOption<Duration> ELECTION_TIMEOUT = AlgorithmOption.positiveDuration(
            "election-timeout", Duration.ofMillis(300), "shortest election timeout; the longest is twice that");
    private static final AlgorithmOption<Duration> HEARTBEAT =
            AlgorithmOption.positiveDuration("heartbeat", Duration.ofMillis(100), "heartbeat interval of a leader");

    private TermElectionEntries() {}

    static Algorithm termMajority() {
        return AlgorithmBuilder.election(
                        "term-majority",
                        "A node votes once per term; the candidate with a weighted majority leads the term.")
                .option(WEIGHTS)
                .option(PRE_VOTE)
                .option(TRANSFER)
                .option(ELECTION_TIMEOUT)
                .option(HEARTBEAT)
                .retriesIfTimersAreEarly()
                .cost(MESSAGES_UNTIL_ALL_KNOW, "5(n-1)", n -> 5.0 * (n - 1))
                .cost(MESSAGES_PER_HEARTBEAT, "2(n-1)", n -> 2.0 * (n - 1))
                .guarantees(TermElectionEntries::guarantees)
                .build(TermElectionEntries::create);
    }

    private static TermMajority create(AlgorithmParameters parameters) {
        var electionTimeout = parameters.get(ELECTION_TIMEOUT);
        var heartbeat = parameters.get(HEARTBEAT);
        if (heartbeat.compareTo(electionTimeout) >= 0) {
            throw new IllegalArgumentException("--heartbeat must be shorter than --election-timeout "
                    + electionTimeout.toMillis() + ", was " + heartbeat.toMillis());
        }
        return new TermMajority(
                parameters.get(WEIGHTS),
                parameters.get(PRE_VOTE),
                parameters.get(TRANSFER),
                electionTimeout,
                heartbeat);
    }

    /** The delay bound: a vote round trip, and a heartbeat, must fit into the election timeout. */
    private static Duration delayBound(Duration electionTimeout, Duration heartbeat) {
        var half = electionTimeout.dividedBy(2);
        var afterHeartbeat = electionTimeout.minus(heartbeat);
        return (afterHeartbeat.compareTo(half) < 0 ? afterHeartbeat : half).minusMillis(1);
    }

    private static List<Guarantee> guarantees(AlgorithmParameters parameters) {
        var timing = new TimingAssumption.DelayBound(
                delayBound(parameters.get(ELECTION_TIMEOUT), parameters.get(HEARTBEAT)));
        return List.of(
                Guarantee.of(ONE_LEADER_PER_TERM)
                        .tolerating(
                                REORDER,
                                DUPLICATION,
                                LOSS,
                                CRASH,
                                RESTART,
                                PAUSE,
                                PARTITION,
                                SLOWNESS,
                                MISTAKE,
                                JOIN,
                                LEAVE),
                Guarantee.of(TERMINATION, AGREEMENT)
                        .tolerating(REORDER, DUPLICATION, LOSS, PAUSE, PARTITION, SLOWNESS, MISTAKE, JOIN, LEAVE)
                        .assuming(timing));
    }
}
