package habemus.lab.quorum;

import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The probability that two nodes hold a quorum lock because coordinators restarted without their state. The first node
 * holds the grants of a quorum, and the coordinators outside the quorum grant the second. The second node also holds
 * the lock if as many members of the quorum restart as two quorums have in common.
 *
 * @param coordinators number of coordinators
 * @param quorum number of grants a node needs, more than half of the coordinators
 * @param restartProbability the probability that a given coordinator restarts while the lock is held
 */
public record AmnesiaProbability(int coordinators, int quorum, double restartProbability) {

    public AmnesiaProbability {
        if (quorum > coordinators || 2 * quorum <= coordinators) {
            throw new IllegalArgumentException("quorum must be more than half of " + coordinators
                    + " coordinators and at most all, was " + quorum);
        }
        if (!(restartProbability >= 0 && restartProbability <= 1)) {
            throw new IllegalArgumentException("restart probability must be from 0 to 1, was " + restartProbability);
        }
    }

    /** How many coordinators any two quorums have in common: so many must restart for a violation. */
    public int overlap() {
        return 2 * quorum - coordinators;
    }

    /** The probability of a violation. Zero if it is too small for a {@code double}; see {@link #log10Probability}. */
    public double violationProbability() {
        return Math.pow(10, log10Probability());
    }

    /** The logarithm of the probability that at least {@link #overlap} members of the quorum restart. */
    public double log10Probability() {
        return new BinomialTail(quorum, restartProbability).log10AtLeast(overlap());
    }

    /** The smallest quorum whose violation probability is at most the target; empty if there is none. */
    public static OptionalInt smallestQuorum(int coordinators, double restartProbability, double target) {
        return IntStream.rangeClosed(coordinators / 2 + 1, coordinators)
                .filter(quorum -> new AmnesiaProbability(coordinators, quorum, restartProbability).log10Probability()
                        <= Math.log10(target))
                .findFirst();
    }
}
