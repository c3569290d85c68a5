package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_BEST;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_BOUND;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_MEAN;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_WORST;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_FIRST_ROUND_TRIP;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_NOT_FORWARDED_BOUND;
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

/** The catalogue entries of the elections on rings. */
final class RingElectionEntries {

    private static final AlgorithmOption<Integer> SIDES =
            AlgorithmOption.number("sides", 0, "number of random values to draw from; 0: the number of nodes");

    private static final AlgorithmOption<Boolean> ANSWERS =
            AlgorithmOption.flag("answers", "decide by the answers to the own id p: p wins, -p loses");

    private RingElectionEntries() {}

    static Algorithm anonymousRing() {
        return AlgorithmBuilder.election(
                        "anonymous-ring",
                        "Nodes have no ids: a candidate that receives a vote takes it for its own and leads.")
                .onRing()
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "2n", n -> 2.0 * n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "2n", n -> 2.0 * n)
                .guarantees(Guarantee.of(TERMINATION).tolerating(REORDER, PAUSE, SLOWNESS))
                .build(parameters -> new AnonymousRing());
    }

    static Algorithm itaiRodeh() {
        return AlgorithmBuilder.election(
                        "itai-rodeh",
                        "Anonymous nodes draw random numbers; the highest one leads, nodes that share it draw again.")
                .onRing()
                .option(SIDES)
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "2n", n -> 2.0 * n)
                .guarantees(Guarantee.of(TERMINATION, UNIQUENESS, ONE_LEADER_PER_TERM, STABILITY)
                        .tolerating(PAUSE, SLOWNESS))
                .build(parameters -> new ItaiRodeh(
                        parameters.nodeCount(),
                        parameters.get(SIDES) == 0 ? parameters.nodeCount() : parameters.get(SIDES)));
    }

    static Algorithm changRoberts() {
        return choosingTheBest(
                        "chang-roberts",
                        "Ids circulate on a ring, each node forwards only higher ones; the id that returns leads.",
                        REORDER,
                        PAUSE,
                        SLOWNESS)
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "3n-1", n -> 3.0 * n - 1)
                .cost(MESSAGES_ALL_CANDIDATES_BEST, "3n-1", n -> 3.0 * n - 1)
                .cost(MESSAGES_ALL_CANDIDATES_MEAN, "n·H(n) + n", n -> n * harmonic(n) + n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "n(n+1)/2 + n", n -> n * (n + 1.0) / 2 + n)
                .build(parameters -> new ChangRoberts(parameters.ranking()));
    }

    private static double harmonic(int n) {
        return IntStream.rangeClosed(1, n).mapToDouble(i -> 1.0 / i).sum();
    }

    static Algorithm franklin() {
        return choosingTheBest(
                        "franklin",
                        "In each round a node compares with its active neighbours; only a local best stays active.",
                        REORDER,
                        PAUSE,
                        SLOWNESS)
                .cost(MESSAGES_ALL_CANDIDATES_BEST, "5n", n -> 5.0 * n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "2n(⌊log2 n⌋+1) + n", n -> 2.0 * n * (log(n) + 1) + n)
                .cost(ANSWERS, MESSAGES_FIRST_ROUND_TRIP, "4n", n -> 4.0 * n)
                .cost(ANSWERS, MESSAGES_NOT_FORWARDED_BOUND, "8n", n -> 8.0 * n)
                .option(ANSWERS)
                .build(parameters -> new Franklin(parameters.ranking(), parameters.get(ANSWERS)));
    }

    static Algorithm hirschbergSinclair() {
        return choosingTheBest(
                        "hirschberg-sinclair",
                        "A node compares with one node on each side, then two, then four: a tournament on a ring.",
                        REORDER,
                        PAUSE,
                        SLOWNESS)
                .cost(
                        MESSAGES_ALL_CANDIDATES_BOUND,
                        "8n(⌈log2 n⌉+1) + n",
                        n -> 8.0 * n * (Integer.SIZE - Integer.numberOfLeadingZeros(n - 1) + 1) + n)
                .build(parameters -> new HirschbergSinclair(parameters.ranking()));
    }

    static Algorithm peterson() {
        return choosingTheBest(
                        "peterson",
                        "An active node on a one-way ring takes over the best id before it: the candidates are halved.",
                        PAUSE,
                        SLOWNESS)
                .cost(MESSAGES_ALL_CANDIDATES_BEST, "4n", n -> 4.0 * n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "2n⌊log2 n⌋ + 2n", n -> 2.0 * n * log(n) + 2.0 * n)
                .build(parameters -> new Peterson(parameters.ranking()));
    }

    private static int log(int n) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(n);
    }

    private static AlgorithmBuilder choosingTheBest(String name, String summary, FaultKind... tolerated) {
        return AlgorithmBuilder.election(name, summary)
                .onRing()
                .ranked()
                .guarantees(Guarantee.of(TERMINATION, UNIQUENESS, ONE_LEADER_PER_TERM, AGREEMENT, BEST_WINS, STABILITY)
                        .tolerating(tolerated));
    }
}
