package habemus.lab.quorum;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.commons.numbers.combinatorics.LogBinomialCoefficient;

/**
 * The odds that two are inside because coordinators came back without their grants. One is inside with the grants of a
 * quorum; the coordinators outside it grant another; so that one gets in too if as many members of the quorum forget as
 * two quorums have in common.
 *
 * @param coordinators how many there are
 * @param quorum how many grants it takes
 * @param restartProbability how likely one given coordinator restarts while somebody is inside
 */
public record AmnesiaProbability(int coordinators, int quorum, double restartProbability) {

    private static final double LN_10 = Math.log(10);

    public AmnesiaProbability {
        if (quorum > coordinators || 2 * quorum <= coordinators) {
            throw new IllegalArgumentException(
                    quorum + " of " + coordinators + " coordinators is no quorum: it takes more than half of them");
        }
        if (!(restartProbability >= 0 && restartProbability <= 1)) {
            throw new IllegalArgumentException(restartProbability + " is no probability");
        }
    }

    /** How many must forget: as many as any two quorums have in common. */
    public int overlap() {
        return 2 * quorum - coordinators;
    }

    /** Zero where it is too small for a number of this kind; {@link #log10Probability} is not. */
    public double violationProbability() {
        return Math.pow(10, log10Probability());
    }

    /**
     * The logarithm of the probability that at least {@link #overlap} of the quorum restart. All terms are positive,
     * and they are added as logarithms, so nothing is too small and nothing is lost.
     */
    public double log10Probability() {
        var terms = IntStream.rangeClosed(overlap(), quorum)
                .mapToDouble(this::logProbabilityOfRestarts)
                .toArray();
        double largest = IntStream.range(0, terms.length)
                .mapToDouble(i -> terms[i])
                .max()
                .orElseThrow();
        if (largest == Double.NEGATIVE_INFINITY) {
            return largest;
        }
        double sum = 0;
        for (double term : terms) {
            sum += Math.exp(term - largest);
        }
        return Math.min(0, (largest + Math.log(sum)) / LN_10);
    }

    private double logProbabilityOfRestarts(int restarts) {
        return LogBinomialCoefficient.value(quorum, restarts)
                + times(restarts, Math.log(restartProbability))
                + times(quorum - restarts, Math.log1p(-restartProbability));
    }

    /** Nothing is nothing, even of what is infinitely unlikely. */
    private static double times(int count, double log) {
        return count == 0 ? 0 : count * log;
    }

    /** The fewest grants with which a violation is at most so likely; nothing if not even all are enough. */
    public static OptionalInt smallestQuorum(int coordinators, double restart, double target) {
        return IntStream.rangeClosed(coordinators / 2 + 1, coordinators)
                .filter(quorum ->
                        new AmnesiaProbability(coordinators, quorum, restart).log10Probability() <= Math.log10(target))
                .findFirst();
    }
}
