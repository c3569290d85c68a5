package habemus.service.log;

/** The outcome of a proposal is unknown: it may be committed already, or later, or never. */
public final class IndeterminateOutcomeException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public IndeterminateOutcomeException(String message) {
        super(message);
    }
}
