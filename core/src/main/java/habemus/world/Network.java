package habemus.world;

/**
 * What a network does to messages, beyond taking its time.
 *
 * @param inOrder whether messages from one node to another arrive in the order they were sent
 * @param loss how likely a message is lost
 * @param duplication how likely a message arrives a second time
 */
public record Network(boolean inOrder, double loss, double duplication) {

    /** In order, each message once. */
    public static final Network FIFO = new Network(true, 0, 0);
    /** In any order, each message once. */
    public static final Network BAG = new Network(false, 0, 0);
    /** In any order, some messages twice. */
    public static final Network DUPLICATING = new Network(false, 0, 0.1);
    /** In any order, some messages never. */
    public static final Network LOSSY = new Network(false, 0.1, 0);

    public Network {
        if (!(loss >= 0 && loss <= 1 && duplication >= 0 && duplication <= 1)) {
            throw new IllegalArgumentException("loss and duplication are probabilities, from 0 to 1");
        }
    }

    public Network losing(double probability) {
        return new Network(inOrder, probability, duplication);
    }

    public Network duplicating(double probability) {
        return new Network(inOrder, loss, probability);
    }

    /** The model's name, by the worst that it does. */
    @Override
    public String toString() {
        return loss > 0 ? "lossy" : duplication > 0 ? "duplicating" : inOrder ? "fifo" : "bag";
    }
}
