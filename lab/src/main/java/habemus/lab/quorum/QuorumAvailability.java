package habemus.lab.quorum;

/**
 * The probability that no node can enter because fewer coordinators are up than a quorum needs.
 *
 * @param coordinators number of coordinators
 * @param quorum number of grants that a node needs
 * @param downProbability the probability that a given coordinator is down
 */
public record QuorumAvailability(int coordinators, int quorum, double downProbability) {

    public QuorumAvailability {
        if (quorum < 1 || quorum > coordinators) {
            throw new IllegalArgumentException(
                    "quorum must be from 1 to " + coordinators + " coordinators, was " + quorum);
        }
        if (!(downProbability >= 0 && downProbability <= 1)) {
            throw new IllegalArgumentException("down probability must be from 0 to 1, was " + downProbability);
        }
    }

    /** How many coordinators may be down while nodes still enter. */
    public int toleratedCrashes() {
        return coordinators - quorum;
    }

    /** The logarithm of the probability that more coordinators are down than are tolerated. */
    public double log10Blocked() {
        return new BinomialTail(coordinators, downProbability).log10AtLeast(toleratedCrashes() + 1);
    }
}
