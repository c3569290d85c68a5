package habemus.client;

/**
 * What was granted is not ours any more. Stop the work that it protects, and do not write its results; whoever is
 * granted next has a larger fence. Then acquire again.
 */
public final class LockLost extends HabemusException {

    private static final long serialVersionUID = 1;

    /** Why. */
    private final Loss loss;

    LockLost(String what, Loss loss) {
        super(what + " is lost: " + loss);
        this.loss = loss;
    }

    /** {@return why} */
    public Loss loss() {
        return loss;
    }
}
