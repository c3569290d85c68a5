package habemus.service.raft;

/** Nobody knows whether it is committed, or will be. */
public final class IndeterminateOutcomeException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public IndeterminateOutcomeException(String why) {
        super(why);
    }
}
