package habemus.service.algorithm;

/** The members have not changed. */
public final class MembershipException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String hint;

    MembershipException(Refusal refusal) {
        super(refusal.message());
        hint = refusal.hint();
    }

    /** What to do. */
    public String hint() {
        return hint;
    }
}
