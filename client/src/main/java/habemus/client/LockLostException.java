package habemus.client;

/**
 * What was granted is not ours any more. Stop the work that it protects, and do not write its results; whoever is
 * granted next has a larger fence. Then acquire again.
 */
public final class LockLostException extends HabemusException {

    private static final long serialVersionUID = 1;

    /** Why. */
    private final LossReason lossReason;

    LockLostException(String what, LossReason lossReason) {
        super(what + " is lost: " + lossReason);
        this.lossReason = lossReason;
    }

    /** {@return why} */
    public LossReason reason() {
        return lossReason;
    }
}
