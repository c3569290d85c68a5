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
 * @param restart how likely one given coordinator restarts while somebody is inside
 */
public record Odds(int coordinators, int quorum, double restart) {

    private static final double LN_10 = Math.log(10);

    public Odds {
        if (quorum > coordinators || 2 * quorum <= coordinators) {
            throw new IllegalArgumentException(
                    quorum + " of " + coordinators + " coordinators is no quorum: it takes more than half of them");
        }
        if (!(restart >= 0 && restart <= 1)) {
            throw new IllegalArgumentException(restart + " is no probability");
        }
    }

    /** How many must forget: as many as any two quorums have in common. */
    public int overlap() {
        return 2 * quorum - coordinators;
    }

    /** Zero where it is too small for a number of this kind; {@link #log10} is not. */
    public double violation() {
        return Math.pow(10, log10());
    }

    /**
     * The logarithm of the probability that at least {@link #overlap} of the quorum restart. All terms are positive,
     * and they are added as logarithms, so nothing is too small and nothing is lost.
     */
    public double log10() {
        var terms = IntStream.rangeClosed(overlap(), quorum)
                .mapToDouble(this::logOfExactly)
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

    private double logOfExactly(int forgetful) {
        return LogBinomialCoefficient.value(quorum, forgetful)
                + times(forgetful, Math.log(restart))
                + times(quorum - forgetful, Math.log1p(-restart));
    }

    /** Nothing is nothing, even of what is infinitely unlikely. */
    private static double times(int often, double log) {
        return often == 0 ? 0 : often * log;
    }

    /** The fewest grants with which a violation is at most so likely; nothing if not even all are enough. */
    public static OptionalInt smallestQuorum(int coordinators, double restart, double target) {
        return IntStream.rangeClosed(coordinators / 2 + 1, coordinators)
                .filter(quorum -> new Odds(coordinators, quorum, restart).log10() <= Math.log10(target))
                .findFirst();
    }
}
