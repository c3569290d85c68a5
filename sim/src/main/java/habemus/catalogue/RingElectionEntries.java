package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_BEST;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_BOUND;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_MEAN;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_WORST;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ONE_CANDIDATE_WORST;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.BEST_WINS;
import static habemus.world.Property.ONE_LEADER_PER_TERM;
import static habemus.world.Property.STABILITY;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.election.AnonymousRing;
import habemus.election.ChangRoberts;
import habemus.election.Franklin;
import habemus.election.HirschbergSinclair;
import habemus.election.ItaiRodeh;
import habemus.election.Peterson;
import habemus.world.FaultKind;
import java.util.stream.IntStream;

/** The entries of the elections whose nodes know only their neighbours on a ring. */
final class RingElectionEntries {

    private static final AlgorithmOption<Integer> SIDES =
            AlgorithmOption.number("sides", 0, "how many sides the dice have; 0: as many as there are nodes");

    private RingElectionEntries() {}

    static Algorithm anonymousRing() {
        return AlgorithmBuilder.election(
                        "anonymous-ring",
                        "nodes without names: the candidate that gets a vote is elected, and hopes that it is its own")
                .onRing()
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "2n", n -> 2.0 * n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "2n", n -> 2.0 * n)
                .guarantees(Guarantee.of(TERMINATION).tolerating(REORDER, PAUSE, SLOWNESS))
                .build(algorithmParameters -> new AnonymousRing());
    }

    static Algorithm itaiRodeh() {
        return AlgorithmBuilder.election(
                        "itai-rodeh",
                        "nodes without names roll dice; the highest number leads, and who shares it rolls again")
                .onRing()
                .option(SIDES)
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "2n", n -> 2.0 * n)
                .guarantees(Guarantee.of(TERMINATION, UNIQUENESS, ONE_LEADER_PER_TERM, STABILITY)
                        .tolerating(PAUSE, SLOWNESS))
                .build(algorithmParameters -> new ItaiRodeh(
                        algorithmParameters.nodeCount(),
                        algorithmParameters.get(SIDES) == 0
                                ? algorithmParameters.nodeCount()
                                : algorithmParameters.get(SIDES)));
    }

    static Algorithm changRoberts() {
        return choosingTheBest(
                        "chang-roberts",
                        "ids go round a ring, each node lets only higher ones pass; the one that comes home leads",
                        REORDER,
                        PAUSE,
                        SLOWNESS)
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "3n-1", n -> 3.0 * n - 1)
                .cost(MESSAGES_ALL_CANDIDATES_BEST, "3n-1", n -> 3.0 * n - 1)
                .cost(MESSAGES_ALL_CANDIDATES_MEAN, "n·H(n) + n", n -> n * harmonic(n) + n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "n(n+1)/2 + n", n -> n * (n + 1.0) / 2 + n)
                .build(algorithmParameters -> new ChangRoberts(algorithmParameters.ranking()));
    }

    private static double harmonic(int n) {
        return IntStream.rangeClosed(1, n).mapToDouble(i -> 1.0 / i).sum();
    }

    static Algorithm franklin() {
        return choosingTheBest(
                        "franklin",
                        "in each round ask both neighbours that are left, and go on only if better than both",
                        REORDER,
                        PAUSE,
                        SLOWNESS)
                .cost(MESSAGES_ALL_CANDIDATES_BEST, "5n", n -> 5.0 * n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "2n(⌊log2 n⌋+1) + n", n -> 2.0 * n * (log(n) + 1) + n)
                .build(algorithmParameters -> new Franklin(algorithmParameters.ranking()));
    }

    static Algorithm hirschbergSinclair() {
        return choosingTheBest(
                        "hirschberg-sinclair",
                        "a tournament on a ring: ask one node on each side, then two, then four, while all are worse",
                        REORDER,
                        PAUSE,
                        SLOWNESS)
                .cost(
                        MESSAGES_ALL_CANDIDATES_BOUND,
                        "8n(⌈log2 n⌉+1) + n",
                        n -> 8.0 * n * (Integer.SIZE - Integer.numberOfLeadingZeros(n - 1) + 1) + n)
                .build(algorithmParameters -> new HirschbergSinclair(algorithmParameters.ranking()));
    }

    static Algorithm peterson() {
        return choosingTheBest(
                        "peterson",
                        "halve the candidates on a one-way ring: who is left plays for the best one before it",
                        PAUSE,
                        SLOWNESS)
                .cost(MESSAGES_ALL_CANDIDATES_BEST, "4n", n -> 4.0 * n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "2n⌊log2 n⌋ + 2n", n -> 2.0 * n * log(n) + 2.0 * n)
                .build(algorithmParameters -> new Peterson(algorithmParameters.ranking()));
    }

    private static int log(int n) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(n);
    }

    private static AlgorithmBuilder choosingTheBest(String name, String summary, FaultKind... survived) {
        return AlgorithmBuilder.election(name, summary)
                .onRing()
                .ranked()
                .guarantees(Guarantee.of(TERMINATION, UNIQUENESS, ONE_LEADER_PER_TERM, AGREEMENT, BEST_WINS, STABILITY)
                        .tolerating(survived));
    }
}
