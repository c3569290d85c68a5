package habemus.world;

/**
 * What a network does to messages, beyond taking its time.
 *
 * @param inOrder whether messages from one node to another arrive in the order they were sent
 * @param loss how likely a message is lost
 * @param duplication how likely a message arrives a second time
 */
public record NetworkModel(boolean inOrder, double loss, double duplication) {

    /** In order, each message once. */
    public static final NetworkModel FIFO = new NetworkModel(true, 0, 0);
    /** In any order, each message once. */
    public static final NetworkModel BAG = new NetworkModel(false, 0, 0);
    /** In any order, some messages twice. */
    public static final NetworkModel DUPLICATING = new NetworkModel(false, 0, 0.1);
    /** In any order, some messages never. */
    public static final NetworkModel LOSSY = new NetworkModel(false, 0.1, 0);

    public NetworkModel {
        if (!(loss >= 0 && loss <= 1 && duplication >= 0 && duplication <= 1)) {
            throw new IllegalArgumentException("loss and duplication are probabilities, from 0 to 1");
        }
    }

    public NetworkModel withLoss(double probability) {
        return new NetworkModel(inOrder, probability, duplication);
    }

    public NetworkModel withDuplication(double probability) {
        return new NetworkModel(inOrder, loss, probability);
    }

    /** The model's name, by the worst that it does. */
    @Override
    public String toString() {
        return loss > 0 ? "lossy" : duplication > 0 ? "duplicating" : inOrder ? "fifo" : "bag";
    }
}
