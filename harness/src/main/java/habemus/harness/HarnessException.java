package habemus.harness;

/** The harness cannot run an experiment: what failed, and what the user can do about it. */
public final class HarnessException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String message;
    private final String hint;

    public HarnessException(String message, String hint) {
        super(message);
        this.message = message;
        this.hint = hint;
    }

    /** What failed, without the hint. */
    public String message() {
        return message;
    }

    public String hint() {
        return hint;
    }
}
