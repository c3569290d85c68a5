package habemus.service.log;

/** A proposal was certainly not committed, and never will be. A retry is safe. */
public final class ProposalRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public ProposalRejectedException(String message) {
        super(message);
    }
}
