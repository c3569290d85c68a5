package habemus.client;

/**
 * A grant was lost. Stop the work that the lock protects and do not write its results: the next holder has a larger
 * fence. Then acquire again.
 */
public final class LockLostException extends HabemusException {

    private static final long serialVersionUID = 1;

    /** Why the grant was lost. */
    private final LossReason reason;

    LockLostException(String grant, LossReason reason) {
        super(grant + " is lost: " + reason);
        this.reason = reason;
    }

    /** {@return why the grant was lost} */
    public LossReason reason() {
        return reason;
    }
}
