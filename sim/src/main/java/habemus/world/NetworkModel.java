package habemus.world;

/**
 * The order, loss and duplication of messages.
 *
 * @param inOrder whether each directed link delivers messages in the order they were sent
 * @param loss the probability that a message is lost
 * @param duplication the probability that a message is delivered twice
 */
public record NetworkModel(boolean inOrder, double loss, double duplication) {

    /** In order, exactly once. */
    public static final NetworkModel FIFO = new NetworkModel(true, 0, 0);
    /** In any order, exactly once. */
    public static final NetworkModel BAG = new NetworkModel(false, 0, 0);
    /** In any order, at least once. */
    public static final NetworkModel DUPLICATING = new NetworkModel(false, 0, 0.1);
    /** In any order, at most once. */
    public static final NetworkModel LOSSY = new NetworkModel(false, 0.1, 0);

    public NetworkModel {
        if (!(loss >= 0 && loss <= 1 && duplication >= 0 && duplication <= 1)) {
            throw new IllegalArgumentException(
                    "loss and duplication must be probabilities from 0 to 1, were " + loss + " and " + duplication);
        }
    }

    public NetworkModel withLoss(double probability) {
        return new NetworkModel(inOrder, probability, duplication);
    }

    public NetworkModel withDuplication(double probability) {
        return new NetworkModel(inOrder, loss, probability);
    }

    /** The name of the weakest guarantee that applies. */
    @Override
    public String toString() {
        return loss > 0 ? "lossy" : duplication > 0 ? "duplicating" : inOrder ? "fifo" : "bag";
    }
}
