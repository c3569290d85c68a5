package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.MESSAGES_PER_HEARTBEAT;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_UNTIL_ALL_KNOW;
import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.DUPLICATION;
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

/** The entries of the elections with terms, each of which has at most one leader. */
final class TermElectionEntries {

    private static final AlgorithmOption<VoteWeights> WEIGHTS = new AlgorithmOption<>(
            "weights",
            VoteWeights.EQUAL,
            "how much the votes of n1, n2 … count; who is not listed weighs 1",
            "N,N…",
            VoteWeights::parse);
    private static final AlgorithmOption<Boolean> PRE_VOTE =
            AlgorithmOption.enabledFlag("pre-vote", "whether a node asks before it begins a new term");
    private static final AlgorithmOption<Boolean> TRANSFER = AlgorithmOption.enabledFlag(
            "transfer", "whether who follows and wants to lead asks its leader to make room");
    private static final AlgorithmOption<Duration> PATIENCE = AlgorithmOption.positiveDuration(
            "patience", Duration.ofMillis(300), "how long a node waits at least for its leader, and up to twice that");
    private static final AlgorithmOption<Duration> BEAT =
            AlgorithmOption.positiveDuration("beat", Duration.ofMillis(100), "how often a leader says that it leads");

    private TermElectionEntries() {}

    static Algorithm termMajority() {
        return AlgorithmBuilder.election(
                        "term-majority", "a node votes once a term; who has more than half of the weight leads it")
                .option(WEIGHTS)
                .option(PRE_VOTE)
                .option(TRANSFER)
                .option(PATIENCE)
                .option(BEAT)
                .retriesForever()
                .cost(MESSAGES_UNTIL_ALL_KNOW, "5(n-1)", n -> 5.0 * (n - 1))
                .cost(MESSAGES_PER_HEARTBEAT, "2(n-1)", n -> 2.0 * (n - 1))
                .guarantees(TermElectionEntries::guarantees)
                .build(TermElectionEntries::create);
    }

    private static TermMajority create(AlgorithmParameters algorithmParameters) {
        var patience = algorithmParameters.get(PATIENCE);
        var beat = algorithmParameters.get(BEAT);
        if (beat.compareTo(patience) >= 0) {
            throw new IllegalArgumentException("--beat is shorter than --patience, or every leader is given up");
        }
        return new TermMajority(
                algorithmParameters.get(WEIGHTS),
                algorithmParameters.get(PRE_VOTE),
                algorithmParameters.get(TRANSFER),
                patience,
                beat);
    }

    /** A vote must be there and back, and a beat there, before anybody loses patience. */
    private static Duration inTime(Duration patience, Duration beat) {
        var half = patience.dividedBy(2);
        var rest = patience.minus(beat);
        return (rest.compareTo(half) < 0 ? rest : half).minusMillis(1);
    }

    private static List<Guarantee> guarantees(AlgorithmParameters algorithmParameters) {
        var inTime = new TimingAssumption.DelayBound(
                inTime(algorithmParameters.get(PATIENCE), algorithmParameters.get(BEAT)));
        return List.of(
                Guarantee.of(ONE_LEADER_PER_TERM)
                        .tolerating(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS, MISTAKE),
                Guarantee.of(TERMINATION, AGREEMENT)
                        .tolerating(REORDER, DUPLICATION, LOSS, PAUSE, PARTITION, SLOWNESS, MISTAKE)
                        .assuming(inTime));
    }
}
