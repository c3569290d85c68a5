package habemus.service.raft;

/** It was not proposed, and will not be. */
public final class ProposalRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public ProposalRejectedException(String why) {
        super(why);
    }
}
